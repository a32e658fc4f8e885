import { defineRail } from './define-rail.ts';
import { checkDigits, digits } from './fields/digits.ts';
import { bic, checkIbanWithin, ibanCountryOf, outsideSepa } from './fields/iban.ts';
import { checkAba, checkClabe, ifsc } from './fields/national-codes.ts';
import { checkPixKey, normalisePixKey } from './fields/pix-key.ts';
import { characters, cutAt } from './fields/reference-text.ts';
import { type Check, error, type Found, NOTHING, warning } from './rail.ts';
import { INDIAN_ACCOUNT, SWIFT_REFERENCE } from './swift-rails.ts';

/** Longer references are cut by Australian banks that pay through the older BECS system. */
const BECS_REFERENCE_MAX = 18;

function checkOlderBanks(reference: string): readonly Found[] {
  const max = BECS_REFERENCE_MAX;
  if (characters(reference, max) <= max) return NOTHING;
  return warning('reference_may_be_cut', { max, arrives: cutAt(reference, max) });
}

const US_ACCOUNT = digits({ field: 'account_number', min: 4, max: 17, letters: true });

const HONG_KONG_SOURCE = 'HKICL clearing code list: bank code of 3 digits; account number with its branch';

const HONG_KONG_FIELDS = {
  account_number: digits({ field: 'account_number', min: 6, max: 17, usual: { min: 9, banks: 'hong_kong' } }),
  // Nearly every code begins with zeros (003, 004, 012, 024), so one digit may be all that is left.
  national_clearing_code: digits({ field: 'bank_code', min: 3, max: 3, padFrom: 1, isPaddingCertain: true }),
};

/** HDFC Bank itself takes no other length than 14 digits. */
const checkImpsAccount: Check = (account, { national_clearing_code: code }) => {
  const found = checkDigits(account, INDIAN_ACCOUNT);
  const isOfHdfc = code.startsWith('HDFC') && found.length === 0 && account.length !== 14;
  return isOfHdfc ? warning('account_number_unusual', { has: account.length, min: 14, max: 14, banks: 'hdfc' }) : found;
};

/** The rails of one country, or of the SEPA area. */
export const LOCAL_RAILS = {
  AUD_NPP: defineRail({
    name: 'AUD_NPP',
    currency: 'AUD',
    source: 'AusPayNet BSB numbers in Australia; NPP / Osko: two texts of 140 characters',
    fields: {
      account_number: digits({ field: 'account_number', min: 4, max: 9, usual: { min: 6, banks: 'australia' } }),
      national_clearing_code: digits({ field: 'bsb', min: 6, max: 6, padFrom: 5 }),
    },
    reference: { max: 280, also: checkOlderBanks },
  }),
  USD_ACH: defineRail({
    name: 'USD_ACH',
    currency: 'USD',
    source: 'Nacha Operating Rules: entry detail record (account 17), batch header record (entry description 10)',
    fields: {
      account_number: US_ACCOUNT,
      national_clearing_code: checkAba,
      account_type: (type) => (type === 'checking' || type === 'savings' ? NOTHING : error('account_type_invalid')),
    },
    normalise: { account_type: (text) => text.trim().toLowerCase() || 'checking' },
    reference: { max: 10, set: 'latin_1', safe: 'ascii' },
  }),
  USD_WIRE: defineRail({
    name: 'USD_WIRE',
    currency: 'USD',
    source: 'Fedwire Funds Service: originator to beneficiary information, 4 lines of 35',
    fields: { account_number: US_ACCOUNT, national_clearing_code: checkAba },
    reference: { max: 140, set: 'swift' },
  }),
  /** Messages of the FPS are ISO 20022 in UTF-8 and carry Chinese, so the reference may have any characters. */
  HKD_FPS: defineRail({
    name: 'HKD_FPS',
    currency: 'HKD',
    source: `${HONG_KONG_SOURCE}; HKICL Faster Payment System: remittance information of 140 characters`,
    fields: HONG_KONG_FIELDS,
    reference: { max: 140 },
  }),
  HKD_CHATS: defineRail({
    name: 'HKD_CHATS',
    currency: 'HKD',
    source: `${HONG_KONG_SOURCE}; HKICL CHATS, whose messages go by SWIFT: optional BIC, 4 lines of 35`,
    fields: { ...HONG_KONG_FIELDS, bic: bic('optional', () => 'HK') },
    reference: SWIFT_REFERENCE,
  }),
  MXN_SPEI: defineRail({
    name: 'MXN_SPEI',
    currency: 'MXN',
    source: 'Banco de México: CLABE of 18 digits, weights 3-7-1; SPEI concepto de pago of 40 characters',
    fields: { account_number: checkClabe },
    reference: { max: 40, set: 'letters_digits_blanks' },
  }),
  BRL_PIX: defineRail({
    name: 'BRL_PIX',
    currency: 'BRL',
    source:
      'Banco Central do Brasil: DICT (forms of a key), PIX (140 characters to the payee); Receita Federal: CPF, CNPJ',
    fields: { account_number: checkPixKey },
    normalise: { account_number: normalisePixKey },
    reference: { max: 140 },
  }),
  GBP_FPS: defineRail({
    name: 'GBP_FPS',
    currency: 'GBP',
    source: 'Pay.UK Faster Payments: sort code 6, account 8, reference 18',
    fields: {
      // Banks with numbers of six or seven digits pad them with zeros, and spreadsheets take those away again.
      account_number: digits({ field: 'account_number', min: 8, max: 8, padFrom: 6 }),
      national_clearing_code: digits({ field: 'sort_code', min: 6, max: 6, padFrom: 5 }),
    },
    reference: { max: 18, safe: 'bacs' },
  }),
  EUR_SEPA: defineRail({
    name: 'EUR_SEPA',
    currency: 'EUR',
    source: 'EPC SEPA Credit Transfer rulebook: IBAN, optional BIC, remittance information of 140 characters',
    fields: {
      account_number: (account) => checkIbanWithin(account, outsideSepa),
      bic: bic('optional', ibanCountryOf),
    },
    reference: { max: 140, set: 'swift' },
  }),
  INR_IMPS: defineRail({
    name: 'INR_IMPS',
    currency: 'INR',
    source: 'Reserve Bank of India: IFSC of four letters, a zero and six letters or digits; NPCI IMPS remarks of 20',
    fields: { account_number: checkImpsAccount, national_clearing_code: ifsc('required') },
    reference: { max: 20, safe: 'ascii' },
  }),
};
