import type { Finding } from '../rail.ts';
import { checkDigits, type DigitsRule } from './digits.ts';

const ABA: DigitsRule = {
  field: 'national_clearing_code',
  code: 'aba',
  label: 'routing number (ABA)',
  min: 9,
  max: 9,
};

/** Routing numbers of New England and New York begin with 0, so eight digits that become valid with one are common. */
const ABA_WITHOUT_ZERO: DigitsRule = { ...ABA, padFrom: 8 };

/**
 * What is wrong with a US routing number, or null: nine digits whose 3-7-1 sum is a multiple of ten, the first two those of
 * a Federal Reserve district, of a thrift (21 to 32), of electronic payments (61 to 72), of the government (00) or of
 * traveller's cheques (80) (ABA Key to Routing Numbers).
 */
export function checkAba(value: string): Finding | null {
  const isShort = value.length === 8 && hasAbaChecksum(`0${value}`);
  const wrong = checkDigits(value, isShort ? ABA_WITHOUT_ZERO : ABA);
  if (wrong !== null) return wrong;
  if (!hasAbaChecksum(value) || value === '000000000')
    return aba(
      'aba_checksum',
      'The routing number (ABA) does not satisfy its checksum, so at least one digit is wrong.',
    );
  return PREFIXES.test(value) ? null : aba('aba_prefix', `No routing number (ABA) begins with ${value.slice(0, 2)}.`);
}

const PREFIXES = /^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/;

function aba(code: string, message: string): Finding {
  return {
    severity: 'error',
    code,
    field: 'national_clearing_code',
    message,
    remedy: 'Compare the routing number with its source, digit by digit.',
  };
}

function hasAbaChecksum(digits: string): boolean {
  const digit = (at: number) => digits.charCodeAt(at) - 48;
  const sum =
    3 * (digit(0) + digit(3) + digit(6)) + 7 * (digit(1) + digit(4) + digit(7)) + digit(2) + digit(5) + digit(8);
  return sum % 10 === 0;
}
