import { currenciesOfMark } from './currency-signs.ts';

/** What an amount's text can be, by its separators alone. */
export type AmountShape =
  /** `1234`: the same in every convention. */
  | 'plain'
  /** `12.50`: a point and no grouping, so nothing depends on the convention. */
  | 'decimal_point'
  /** `1,234.50`, `1,234,567`, `1,23,456` as in India: only where the point is the decimal separator. */
  | 'grouped_point'
  /** `1.234,50`, `12,50`, `1.234.567`: only where the comma is. */
  | 'comma'
  /** `1,234` and `1.234`: two amounts, a thousand times apart. */
  | 'either'
  | 'none';

/** What a column's amounts prove about its decimal separator, or `--decimal`. */
export type DecimalConvention = 'point' | 'comma' | 'mixed' | 'unproven';

/** The amounts of a column that do not go together, each with its cell. */
export type Contradiction = readonly { cell: string; text: string }[];

export type AmountReading = { ok: true; plain: string } | { ok: false; code: AmountFault };

export type AmountFault =
  | 'amount_not_a_number'
  | 'amount_ambiguous'
  | 'amount_separators_mixed'
  | 'amount_wrong_separator';

const POINT = 46;

/** The shape of a trimmed text of digits, points and commas; a leading minus is not part of it. */
export function amountShape(text: string): AmountShape {
  const begin = text.startsWith('-') ? 1 : 0;
  let separatorAt = -1;
  for (let at = begin; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 48 && unit <= 57) continue;
    if ((unit !== POINT && unit !== 44) || at === begin) return 'none';
    if (separatorAt !== -1) return groupedShape(text.slice(begin));
    separatorAt = at;
  }
  if (begin === text.length) return 'none';
  if (separatorAt === -1) return 'plain';
  const wholeLength = separatorAt - begin;
  // A group is three digits behind one to three digits that do not begin with 0: `0.125` and `1234.567` are no groups.
  if (text.length - separatorAt === 4 && wholeLength <= 3 && text.charCodeAt(begin) !== 48) return 'either';
  return text.charCodeAt(separatorAt) === POINT ? 'decimal_point' : 'comma';
}

/** Whether an amount can be read only when the whole column is known. */
export function needsConvention(shape: AmountShape): boolean {
  return shape === 'grouped_point' || shape === 'comma' || shape === 'either';
}

/** The amount as a plain decimal with a point, where the convention allows one reading only. */
export function readAmount(text: string, shape: AmountShape, convention: DecimalConvention): AmountReading {
  if (shape === 'none') return { ok: false, code: 'amount_not_a_number' };
  if (shape === 'plain') return { ok: true, plain: text };
  switch (convention) {
    case 'point':
      return shape === 'comma' ? wrong('amount_wrong_separator') : { ok: true, plain: text.replaceAll(',', '') };
    case 'comma':
      if (shape === 'decimal_point' || shape === 'grouped_point') return wrong('amount_wrong_separator');
      return { ok: true, plain: text.replaceAll('.', '').replace(',', '.') };
    case 'mixed':
      return shape === 'decimal_point' ? { ok: true, plain: text } : wrong('amount_separators_mixed');
    case 'unproven':
      return shape === 'decimal_point' ? { ok: true, plain: text } : wrong('amount_ambiguous');
  }
}

function groupedShape(text: string): AmountShape {
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(text)) return 'grouped_point';
  if (/^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d*)?$/.test(text)) return 'grouped_point';
  if (/^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/.test(text)) return 'comma';
  return 'none';
}

function wrong(code: AmountFault): AmountReading {
  return { ok: false, code };
}

/** An amount as people write it: its number, and what stands around it. */
export type AmountText = {
  /** Digits with points and commas. Blanks and apostrophes, which only ever group, are gone. */
  number: string;
  shape: AmountShape;
  isNegative: boolean;
  /** Whether blanks or apostrophes group the digits, so that neither point nor comma does. */
  isSpaced: boolean;
  /** Signs and codes of currencies in it, as written: none, one, or one on each side. */
  marks: readonly string[];
};

/** No amount is longer, with all its signs; a longer text is not looked at. */
const TEXT_MAX = 80;

/** Hyphen-minus, the minus sign, and the dashes that programs put for it. */
const MINUS = '[-\u2010-\u2013\u2212\ufe63\uff0d]';
const MINUS_AT_AN_END = new RegExp(`^${MINUS}|${MINUS}$`, 'u');

/** Three digits to a group, and nothing but a decimal part behind them. */
const SPACED = /^[1-9]\d{0,2}(?:([' ])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/;

/**
 * Takes an amount's text apart, or null where it is no number: words, two numbers, a percentage, `5K`. The sign of a
 * negative amount is a minus before or behind it, or brackets around it. Every text has one reading, but for what the
 * shape leaves to the column's convention.
 */
export function amountTextOf(text: string): AmountText | null {
  const shape = amountShape(text);
  if (shape !== 'none') return plainText(text, shape);
  if (text.length > TEXT_MAX) return null;
  const parts = /^(\D*)(\d(?:.*\d)?)(\D*)$/su.exec(text);
  if (parts === null) return null;
  const [, before = '', digits = '', behind = ''] = parts;
  const number = numberOf(digits);
  if (number === null) return null;
  const around = readAround(before.replace(/\s/gu, ''), behind.replace(/\s/gu, ''));
  return around === null ? null : { ...number, ...around };
}

function plainText(text: string, shape: AmountShape): AmountText {
  const isNegative = text.startsWith('-');
  return { number: isNegative ? text.slice(1) : text, shape, isNegative, isSpaced: false, marks: [] };
}

function numberOf(digits: string): Pick<AmountText, 'number' | 'shape' | 'isSpaced'> | null {
  const shape = amountShape(digits);
  if (shape !== 'none') return { number: digits, shape, isSpaced: false };
  const even = digits.replace(/\s/gu, ' ').replaceAll('\u2019', "'");
  if (!SPACED.test(even)) return null;
  const number = even.replace(/[' ]/g, '');
  return { number, shape: amountShape(number), isSpaced: true };
}

/** What stands before and behind the digits: a minus or brackets, and marks of currencies; null for anything else. */
function readAround(before: string, behind: string): Pick<AmountText, 'isNegative' | 'marks'> | null {
  const isBracketed = before.includes('(') && behind.includes(')');
  const left = withoutMinus(isBracketed ? before.replace('(', '') : before);
  const right = withoutMinus(isBracketed ? behind.replace(')', '') : behind);
  const negatives = Number(isBracketed) + Number(left.hasMinus) + Number(right.hasMinus);
  if (negatives > 1) return null;
  const marks = [left.rest, right.rest].filter((mark) => mark !== '');
  if (marks.some((mark) => currenciesOfMark(mark) === null)) return null;
  return { isNegative: negatives === 1, marks };
}

function withoutMinus(text: string): { rest: string; hasMinus: boolean } {
  const rest = text.replace(MINUS_AT_AN_END, '');
  return { rest, hasMinus: rest !== text };
}
