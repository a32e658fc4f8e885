import { clabe } from 'clabe-validator';
import { type Check, error, type Found, NOTHING, suggesting, warning } from '../rail.ts';
import { checkDigits, type DigitsRule, leadingZero } from './digits.ts';

const ABA: DigitsRule = { field: 'aba', min: 9, max: 9 };

/** The first two digits of a routing number. */
const ABA_PREFIXES = /^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/;

/**
 * What is wrong with a US routing number: nine digits whose 3-7-1 sum is a multiple of ten, the first two those of a
 * Federal Reserve district, of a thrift (21 to 32), of electronic payments (61 to 72), of the government (00) or of
 * traveller's cheques (80) (ABA Key to Routing Numbers). Those of New England and New York begin with 0, so eight digits
 * that become valid with one are common.
 */
export function checkAba(value: string): readonly Found[] {
  const isShort = value.length === 8 && hasAbaChecksum(`0${value}`);
  const wrong = checkDigits(value, isShort ? { ...ABA, padFrom: 8 } : ABA);
  if (wrong.length > 0) return wrong;
  if (!hasAbaChecksum(value) || value === '000000000') return error('aba_checksum');
  return ABA_PREFIXES.test(value) ? NOTHING : warning('aba_prefix', { prefix: value.slice(0, 2) });
}

const ABA_WEIGHTS = [3, 7, 1];

function hasAbaChecksum(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) sum += Number(digits[at]) * (ABA_WEIGHTS[at % 3] ?? 0);
  return sum % 10 === 0;
}

const CLABE: DigitsRule = { field: 'clabe', min: 18, max: 18 };

/**
 * What is wrong with a CLABE. An unknown bank or city is a warning: the table of them is never complete. Banks 002 to 072
 * begin with one or two zeros, which spreadsheets drop, and none with three.
 */
export function checkClabe(value: string): readonly Found[] {
  const wrong = checkDigits(value, CLABE);
  if (wrong.length > 0) return clabe.validate(value.padStart(CLABE.min, '0')).ok ? leadingZero(value, CLABE) : wrong;
  switch (clabe.validate(value).error) {
    case null:
      return NOTHING;
    case 'invalid-bank':
    case 'invalid-city':
      return warning('clabe_bank_unknown');
    default:
      return error('clabe_checksum');
  }
}

/** The check of an IFSC: four letters, a zero, and six letters or digits. An empty one is for the rail to accept. */
export function ifsc(need: 'required' | 'optional'): Check {
  return (value) => {
    if (/^[A-Z]{4}0[A-Z0-9]{6}$/.test(value)) return NOTHING;
    if (value === '') return error('ifsc_missing', { field: 'ifsc' });
    const isOptional = need === 'optional';
    // The fifth character is a zero in every IFSC, so that nothing else can be meant.
    if (!/^[A-Z]{4}O[A-Z0-9]{6}$/.test(value)) return error('ifsc_invalid', { isOptional, letterForZero: null });
    const meant = `${value.slice(0, 4)}0${value.slice(5)}`;
    return suggesting(error('ifsc_invalid', { isOptional, letterForZero: meant }), meant);
  };
}
