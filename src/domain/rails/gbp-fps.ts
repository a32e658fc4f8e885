import { checkDigits, compact, type DigitsRule, findings } from './fields/digits.ts';
import { type CharacterSet, checkReferenceText } from './fields/reference-text.ts';
import { NO_FIELDS, type Rail } from './rail.ts';

const SORT_CODE: DigitsRule = {
  field: 'national_clearing_code',
  code: 'sort_code',
  label: 'sort code',
  min: 6,
  max: 6,
  padFrom: 5,
};

/** Banks with numbers of six or seven digits pad them to eight with zeros, and spreadsheets take those away again. */
const ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 8,
  max: 8,
  padFrom: 6,
};

/** What the older Bacs carries is what every bank shows; of other signs some banks make blanks. */
const BACS_TEXT: CharacterSet = {
  pattern: /^[a-zA-Z0-9.&/ -]*$/,
  label: 'unaccented letters, digits, blanks and . & / -',
};

export const GBP_FPS: Rail = {
  name: 'GBP_FPS',
  currency: 'GBP',
  source: 'Pay.UK Faster Payments: sort code 6, account 8, reference 18',
  referenceMax: 18,
  normalise: (fields) => ({
    ...NO_FIELDS,
    account_number: compact(fields.account_number),
    national_clearing_code: compact(fields.national_clearing_code),
  }),
  check: (fields) =>
    findings(checkDigits(fields.account_number, ACCOUNT), checkDigits(fields.national_clearing_code, SORT_CODE)),
  checkReference: (reference) =>
    checkReferenceText(reference, { name: 'GBP_FPS', max: 18, set: null, safe: BACS_TEXT }),
};
