import { checkDigits, type DigitsRule } from './fields/digits.ts';
import { checkForeignAccount, foreignAccountCountry } from './fields/foreign-account.ts';
import { swiftRail } from './swift-rail.ts';

const CNAPS: DigitsRule = {
  field: 'national_clearing_code',
  code: 'cnaps',
  label: 'bank code (CNAPS)',
  min: 12,
  max: 12,
};

/** Yuan are kept in China and, offshore, anywhere, so the account may also be an IBAN and the BIC of any country. */
export const CNY_SWIFT = swiftRail({
  name: 'CNY_SWIFT',
  currency: 'CNY',
  source: "People's Bank of China: CNAPS bank code of 12 digits; ISO 15022 field 59 (account of up to 34)",
  checkAccount: checkForeignAccount,
  checkClearingCode: (code) => checkDigits(code, CNAPS),
  countryOf: foreignAccountCountry,
});
