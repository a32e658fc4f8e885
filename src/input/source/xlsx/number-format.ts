/** What spreadsheet programs keep of a number. */
const DIGITS_KEPT = 15;

/** Nearly all numbers of payouts stay as they are: at most 15 digits, and no zero at the end of a fraction. */
const AS_WRITTEN = /^(?:0|[1-9]\d{0,14}|(?:0|[1-9]\d{0,9})\.\d{0,4}[1-9])$/;

/**
 * A number of a workbook as a plain decimal of at most 15 significant digits, never with an exponent; null where it is
 * none. Programs write the same number as `12345678`, `12345678.0`, `1.2345678E7` and `12345678.000000002`.
 */
export function numberText(written: string): string | null {
  if (AS_WRITTEN.test(written)) return written;
  if (written.trim() === '') return null;
  const value = Number(written);
  return Number.isFinite(value) ? plainDecimal(Number(value.toPrecision(DIGITS_KEPT))) : null;
}

function plainDecimal(value: number): string {
  // Minus zero is written as 0 too.
  const text = value === 0 ? '0' : String(value);
  const [mantissa = '', exponentText] = text.split('e');
  if (exponentText === undefined) return text;
  const exponent = Number(exponentText);
  const sign = value < 0 ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  return exponent < 0 ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}` : sign + digits.padEnd(exponent + 1, '0');
}

type Token = { literal: string } | { placeholder: string };

/** The digits of a whole number as a format of zeros shows them (`00-00-00`); null where that is not what it is. */
export function zeroPadded(format: string, digits: string): string | null {
  if (!/^\d+$/.test(digits)) return null;
  const tokens = tokensOf(format);
  const zeros = tokens.filter((token) => 'placeholder' in token).length;
  if (zeros === 0) return null;
  if (tokens.some((token) => 'placeholder' in token && token.placeholder !== '0')) return null;
  const padded = digits.padStart(zeros, '0');
  // More digits than placeholders all stand at the first of them.
  let rest = padded.length - zeros;
  let at = 0;
  let shown = '';
  for (const token of tokens) {
    if ('literal' in token) {
      shown += token.literal;
      continue;
    }
    shown += padded.slice(at, at + 1 + rest);
    at += 1 + rest;
    rest = 0;
  }
  return shown === digits ? null : shown;
}

/** How a number format shows an amount: as a percentage, cut by thousands, with so many decimals. */
export type ShownNumber = {
  isPercentage: boolean;
  /** Whether the last three digits, or more, are not shown (`0,"k"`). */
  isCut: boolean;
  /** Null where the format does not fix them. */
  decimals: number | null;
};

/** The same of an amount, with the currencies that the format shows. */
export type AmountFormat = ShownNumber & { marks: readonly string[] };

/** What a format does to a number that is more than zero. */
export function shownNumber(format: string): ShownNumber {
  const plain = tokensOf(format).map(plainOf).join('');
  const point = plain.indexOf('.');
  const isFixed = /[0#?]/.test(plain) && !/[E/]/i.test(plain);
  const behind = point === -1 ? '' : (/^[0#?]*/.exec(plain.slice(point + 1))?.[0] ?? '');
  return {
    isPercentage: plain.includes('%'),
    isCut: /[0#?],(?![0#?])/.test(plain),
    decimals: isFixed ? behind.length : null,
  };
}

/** Text beside the number is shown as it is. */
function plainOf(token: Token): string {
  if ('placeholder' in token) return token.placeholder;
  return token.literal === ',' || token.literal === '/' ? token.literal : ' ';
}

/** A part of a format. `[…]` is a colour, a language or a condition, and shows nothing. */
const PART = /"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]|./gs;

const IS_SHOWN_AS_IT_IS = /^[-/:, ()]$/;

/** The tokens of a format's first section, which is that of positive numbers. */
function tokensOf(format: string): Token[] {
  const tokens: Token[] = [];
  for (const [part, quoted, escaped] of format.matchAll(PART)) {
    if (part.startsWith(';')) break;
    if (quoted !== undefined || escaped !== undefined) tokens.push({ literal: quoted ?? escaped ?? '' });
    else if (IS_SHOWN_AS_IT_IS.test(part)) tokens.push({ literal: part });
    else if (!/^[_*[]/.test(part)) tokens.push({ placeholder: part });
  }
  return tokens;
}
