import { checkAba } from './fields/aba.ts';
import { checkLettersAndDigits, compact, type DigitsRule, findings } from './fields/digits.ts';
import { ASCII_TEXT, type CharacterSet, checkReferenceText } from './fields/reference-text.ts';
import { type Finding, NO_FIELDS, type Rail } from './rail.ts';

const ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 4,
  max: 17,
};

/** Files of the ACH have one byte for each character. */
const LATIN_1_TEXT: CharacterSet = { pattern: /^[ -~\u00a0-\u00ff]*$/, label: ASCII_TEXT.label };

export const USD_ACH: Rail = {
  name: 'USD_ACH',
  currency: 'USD',
  source: 'Nacha Operating Rules: entry detail record (account 17), batch header record (entry description 10)',
  referenceMax: 10,
  normalise: (fields) => ({
    ...NO_FIELDS,
    account_number: compact(fields.account_number),
    national_clearing_code: compact(fields.national_clearing_code),
    account_type: fields.account_type.trim().toLowerCase() || 'checking',
  }),
  check: (fields) =>
    findings(
      checkLettersAndDigits(fields.account_number, ACCOUNT),
      checkAba(fields.national_clearing_code),
      checkAccountType(fields.account_type),
    ),
  checkReference: (reference) =>
    checkReferenceText(reference, { name: 'USD_ACH', max: 10, set: LATIN_1_TEXT, safe: ASCII_TEXT }),
};

function checkAccountType(type: string): Finding | null {
  if (type === 'checking' || type === 'savings') return null;
  return {
    severity: 'error',
    code: 'account_type_invalid',
    field: 'account_type',
    message: 'The account type is neither checking nor savings.',
    remedy: 'Write checking or savings, or leave it empty for checking.',
  };
}
