import { checkDigits, type DigitsRule, findings } from './fields/digits.ts';
import { swiftRail } from './swift-rail.ts';

const COLOMBIAN: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 3,
  max: 18,
};

const INDONESIAN: DigitsRule = { ...COLOMBIAN, min: 5, max: 16 };

/** Neither country has a check digit or a length that all of its banks share. */
export const COP_SWIFT = swiftRail({
  name: 'COP_SWIFT',
  currency: 'COP',
  source: 'Account numbers of Colombian banks, 3 to 18 digits (no national standard)',
  checkAccount: (account) => findings(checkDigits(account, COLOMBIAN)),
  countryOf: () => 'CO',
});

export const IDR_SWIFT = swiftRail({
  name: 'IDR_SWIFT',
  currency: 'IDR',
  source: 'Account numbers of Indonesian banks, 5 to 16 digits (no national standard)',
  checkAccount: (account) => findings(checkDigits(account, INDONESIAN)),
  countryOf: () => 'ID',
});
