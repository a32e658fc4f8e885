import { type AmountShape, amountShape } from './amount.ts';
import { currenciesOfMark } from './currency-signs.ts';

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
