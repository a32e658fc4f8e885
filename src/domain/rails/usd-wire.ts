import { checkAba } from './fields/aba.ts';
import { checkLettersAndDigits, compact, type DigitsRule, findings } from './fields/digits.ts';
import { checkReferenceText, SWIFT_TEXT } from './fields/reference-text.ts';
import { NO_FIELDS, type Rail } from './rail.ts';

const ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 4,
  max: 17,
};

export const USD_WIRE: Rail = {
  name: 'USD_WIRE',
  currency: 'USD',
  source: 'Fedwire Funds Service: originator to beneficiary information, 4 lines of 35',
  referenceMax: 140,
  normalise: (fields) => ({
    ...NO_FIELDS,
    account_number: compact(fields.account_number),
    national_clearing_code: compact(fields.national_clearing_code),
  }),
  check: (fields) =>
    findings(checkLettersAndDigits(fields.account_number, ACCOUNT), checkAba(fields.national_clearing_code)),
  checkReference: (reference) => checkReferenceText(reference, { name: 'USD_WIRE', max: 140, set: SWIFT_TEXT }),
};
