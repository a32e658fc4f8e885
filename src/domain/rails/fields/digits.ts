import type { Finding, RailFields } from '../rail.ts';

/** What a field of digits must look like. `code` begins the codes of its findings: `sort_code_missing`. */
export type DigitsRule = {
  field: keyof RailFields;
  code: string;
  /** What people call it, in the middle of a sentence: `sort code`. */
  label: string;
  min: number;
  max: number;
  /** At least this many digits, and fewer than `min`, look like leading zeros that a spreadsheet has dropped. */
  padFrom?: number;
  /** The zeros are part of the number itself, so that the number without them can mean nothing else. */
  isPaddingCertain?: boolean;
  /** The lengths on which banks and payment providers agree. Others are a warning. */
  usual?: { min: number; max: number; where: string };
};

/**
 * The text without blanks and hyphens and with its letters upper-cased. People group identifiers with them (`062-000`,
 * `DE89 3704 …`), and no scheme gives them a meaning.
 */
export function compact(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isKept = (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);
    if (!isKept) return text.replace(/[\s-]+/g, '').toUpperCase();
  }
  return text;
}

/** The findings that are there, in order. */
export function findings(...found: (Finding | null)[]): Finding[] {
  const there: Finding[] = [];
  for (const finding of found) if (finding !== null) there.push(finding);
  return there;
}

export function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 48 || unit > 57) return false;
  }
  return text.length > 0;
}

/** The first thing wrong with a field of digits, or null. Expects the compact form. */
export function checkDigits(value: string, rule: DigitsRule): Finding | null {
  if (!isDigits(value)) return wrongCharacters(value, rule, 'digits');
  if (value.length >= rule.min && value.length <= rule.max)
    return rule.usual === undefined ? null : checkUsual(value, rule, rule.usual);
  if (rule.padFrom !== undefined && value.length >= rule.padFrom && value.length < rule.min)
    return leadingZero(value, rule);
  return wrongLength(value, rule, 'digits');
}

/** The first thing wrong with a field of ASCII letters and digits, or null. Expects the compact form. */
export function checkLettersAndDigits(value: string, rule: DigitsRule): Finding | null {
  const of = 'letters and digits';
  if (!/^[A-Z0-9]+$/.test(value)) return wrongCharacters(value, rule, of);
  return value.length >= rule.min && value.length <= rule.max ? null : wrongLength(value, rule, of);
}

/** The finding for a required field that is empty. */
export function missing(rule: Pick<DigitsRule, 'field' | 'code' | 'label'>): Finding {
  return {
    severity: 'error',
    code: `${rule.code}_missing`,
    field: rule.field,
    message: `The ${rule.label} is missing.`,
    remedy: `Fill in the ${rule.label}.`,
  };
}

/** The finding for a number that a spreadsheet shows as `6.4618E+17`, or null where the text is none. */
export function checkScientific(value: string, rule: Pick<DigitsRule, 'field' | 'code' | 'label'>): Finding | null {
  if (!/^\d+(?:[.,]\d+)?E\+?\d+$/.test(value)) return null;
  return {
    severity: 'error',
    code: `${rule.code}_scientific`,
    field: rule.field,
    message: `The ${rule.label} is in scientific notation: a spreadsheet took it for a number and has lost digits.`,
    remedy: `Format the column as text, then type the ${rule.label} again from its source.`,
  };
}

/** The finding for a dropped leading zero. It shows the padded value and leaves the decision to a person. */
export function leadingZero(value: string, rule: DigitsRule): Finding {
  const padded = value.padStart(rule.min, '0');
  return {
    severity: 'error',
    code: `${rule.code}_leading_zero`,
    field: rule.field,
    message: `The ${rule.label} has ${counted(value.length, 'digits')} instead of ${rule.min}: a spreadsheet has probably dropped leading zeros.`,
    remedy: `If ${padded} is right, write that and format the column as text.`,
    ...(rule.isPaddingCertain && { suggestion: padded }),
  };
}

/** The finding for a length that some banks have and others refuse, or null. */
function checkUsual(value: string, rule: DigitsRule, usual: NonNullable<DigitsRule['usual']>): Finding | null {
  if (value.length >= usual.min && value.length <= usual.max) return null;
  return {
    severity: 'warning',
    code: `${rule.code}_unusual`,
    field: rule.field,
    message: `The ${rule.label} has ${counted(value.length, 'digits')}; those of ${usual.where} usually have ${lengths(usual, 'digits')}.`,
    remedy: `Compare the ${rule.label} with its source.`,
  };
}

function wrongCharacters(value: string, rule: DigitsRule, of: string): Finding {
  if (value === '') return missing(rule);
  return (
    checkScientific(value, rule) ?? {
      severity: 'error',
      code: `${rule.code}_characters`,
      field: rule.field,
      message: `The ${rule.label} has characters that do not belong there.`,
      remedy: `Write ${lengths(rule, of)} and nothing else.`,
    }
  );
}

function wrongLength(value: string, rule: DigitsRule, of: string): Finding {
  return {
    severity: 'error',
    code: `${rule.code}_length`,
    field: rule.field,
    message: `The ${rule.label} has ${counted(value.length, of)}; it must have ${lengths(rule, of)}.`,
    remedy: `Compare the ${rule.label} with its source.`,
  };
}

function lengths(rule: Pick<DigitsRule, 'min' | 'max'>, of: string): string {
  return rule.min === rule.max ? counted(rule.min, of) : `${rule.min} to ${rule.max} ${of}`;
}

function counted(count: number, of: string): string {
  if (count !== 1) return `${count} ${of}`;
  return of === 'digits' ? '1 digit' : '1 letter or digit';
}
