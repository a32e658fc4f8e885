import { clabe } from 'clabe-validator';
import { checkDigits, compact, type DigitsRule, findings, leadingZero } from './fields/digits.ts';
import { checkReferenceText, LETTERS_DIGITS_BLANKS } from './fields/reference-text.ts';
import { type Finding, NO_FIELDS, type Rail } from './rail.ts';

const CLABE: DigitsRule = { field: 'account_number', code: 'clabe', label: 'CLABE', min: 18, max: 18 };

export const MXN_SPEI: Rail = {
  name: 'MXN_SPEI',
  currency: 'MXN',
  source: 'Banco de México: CLABE of 18 digits, weights 3-7-1; SPEI concepto de pago of 40 characters',
  referenceMax: 40,
  normalise: (fields) => ({ ...NO_FIELDS, account_number: compact(fields.account_number) }),
  check: (fields) => findings(checkClabe(fields.account_number)),
  checkReference: (reference) =>
    checkReferenceText(reference, { name: 'MXN_SPEI', max: 40, set: LETTERS_DIGITS_BLANKS }),
};

/** What is wrong with a CLABE, or null. An unknown bank or city is a warning: the table of them is never complete. */
export function checkClabe(value: string): Finding | null {
  const wrong = checkDigits(value, CLABE);
  if (wrong !== null) return isWithoutZeros(value) ? leadingZero(value, CLABE) : wrong;
  switch (clabe.validate(value).error) {
    case null:
      return null;
    case 'invalid-bank':
    case 'invalid-city':
      return {
        severity: 'warning',
        code: 'clabe_bank_unknown',
        field: 'account_number',
        message: 'The check digit of the CLABE is right, but its bank or its city is not one we know.',
        remedy: 'Compare the first six digits of the CLABE with its source.',
      };
    default:
      return {
        severity: 'error',
        code: 'clabe_checksum',
        field: 'account_number',
        message: 'The check digit of the CLABE is wrong, so at least one digit is.',
        remedy: 'Compare the CLABE with its source, digit by digit.',
      };
  }
}

/** Banks 002 to 072 begin with one or two zeros, and none with three. */
function isWithoutZeros(value: string): boolean {
  return clabe.validate(value.padStart(CLABE.min, '0')).ok;
}
