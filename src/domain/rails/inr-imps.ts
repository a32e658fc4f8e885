import { checkDigits, compact, type DigitsRule, findings, missing } from './digits.ts';
import { type Finding, NO_FIELDS, type Rail } from './rail.ts';
import { ASCII_TEXT, checkReferenceText } from './reference-text.ts';

/** Account numbers of Indian banks, by IMPS and from abroad alike. */
export const INDIAN_ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 6,
  max: 20,
};

export const INR_IMPS: Rail = {
  name: 'INR_IMPS',
  currency: 'INR',
  source: 'Reserve Bank of India: IFSC of four letters, a zero and six letters or digits; NPCI IMPS remarks of 20',
  referenceMax: 20,
  normalise: (fields) => ({
    ...NO_FIELDS,
    account_number: compact(fields.account_number),
    national_clearing_code: compact(fields.national_clearing_code),
  }),
  check: (fields) =>
    findings(checkDigits(fields.account_number, INDIAN_ACCOUNT), checkIfsc(fields.national_clearing_code, 'required')),
  checkReference: (reference) =>
    checkReferenceText(reference, { name: 'INR_IMPS', max: 20, set: null, safe: ASCII_TEXT }),
};

/** What is wrong with an IFSC, or null. */
export function checkIfsc(value: string, need: 'required' | 'optional'): Finding | null {
  if (/^[A-Z]{4}0[A-Z0-9]{6}$/.test(value)) return null;
  if (value === '')
    return need === 'required' ? missing({ field: 'national_clearing_code', code: 'ifsc', label: 'IFSC' }) : null;
  const hasLetterForZero = /^[A-Z]{4}O[A-Z0-9]{6}$/.test(value);
  return {
    severity: 'error',
    code: 'ifsc_invalid',
    field: 'national_clearing_code',
    message: hasLetterForZero
      ? 'The fifth character of the IFSC is the letter O; it must be a zero.'
      : 'This is not an IFSC: four letters, a zero, then six letters or digits.',
    remedy:
      need === 'required'
        ? 'Compare the IFSC with its source.'
        : 'Compare the IFSC with its source, or leave it empty.',
  };
}
