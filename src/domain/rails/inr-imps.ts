import { checkDigits, compact, type DigitsRule, findings, missing } from './fields/digits.ts';
import { ASCII_TEXT, checkReferenceText } from './fields/reference-text.ts';
import { type Finding, NO_FIELDS, type Rail, type RailFields } from './rail.ts';

/** Account numbers of Indian banks, by IMPS and from abroad alike. */
export const INDIAN_ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 6,
  max: 20,
  usual: { min: 10, max: 20, where: 'Indian banks' },
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
    findings(
      checkDigits(fields.account_number, INDIAN_ACCOUNT),
      checkIfsc(fields.national_clearing_code, 'required'),
      checkHdfc(fields),
    ),
  checkReference: (reference) =>
    checkReferenceText(reference, { name: 'INR_IMPS', max: 20, set: null, safe: ASCII_TEXT }),
};

/** The bank itself takes no other length. */
const HDFC_DIGITS = 14;

function checkHdfc({ account_number, national_clearing_code }: RailFields): Finding | null {
  if (!national_clearing_code.startsWith('HDFC') || account_number.length === HDFC_DIGITS) return null;
  if (checkDigits(account_number, INDIAN_ACCOUNT) !== null) return null;
  return {
    severity: 'warning',
    code: 'account_number_unusual',
    field: 'account_number',
    message: `The account number has ${account_number.length} ${account_number.length === 1 ? 'digit' : 'digits'}; those of HDFC Bank have ${HDFC_DIGITS}.`,
    remedy: 'Compare the account number with its source.',
  };
}

/** What is wrong with an IFSC, or null. Where it is optional, an empty one is for the caller to accept. */
export function checkIfsc(value: string, need: 'required' | 'optional'): Finding | null {
  if (/^[A-Z]{4}0[A-Z0-9]{6}$/.test(value)) return null;
  if (value === '') return missing({ field: 'national_clearing_code', code: 'ifsc', label: 'IFSC' });
  if (/^[A-Z]{4}O[A-Z0-9]{6}$/.test(value)) return letterForZero(value);
  return {
    severity: 'error',
    code: 'ifsc_invalid',
    field: 'national_clearing_code',
    message: 'This is not an IFSC: four letters, a zero, then six letters or digits.',
    remedy:
      need === 'required'
        ? 'Compare the IFSC with its source.'
        : 'Compare the IFSC with its source, or leave it empty.',
  };
}

/** The fifth character is a zero in every IFSC, so that nothing else can be meant. */
function letterForZero(value: string): Finding {
  const suggestion = `${value.slice(0, 4)}0${value.slice(5)}`;
  return {
    severity: 'error',
    code: 'ifsc_invalid',
    field: 'national_clearing_code',
    message: 'The fifth character of the IFSC is the letter O; it must be a zero.',
    remedy: `Write ${suggestion}.`,
    suggestion,
  };
}
