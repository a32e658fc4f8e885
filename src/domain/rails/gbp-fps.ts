import { checkDigits, compact, type DigitsRule, findings } from './digits.ts';
import { NO_FIELDS, type Rail } from './rail.ts';
import { checkReferenceText } from './reference-text.ts';

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
  checkReference: (reference) => checkReferenceText(reference, { name: 'GBP_FPS', max: 18, set: null }),
};
