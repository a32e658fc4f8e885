import { type Moment, two } from './moment.ts';

/** How a cell is shown, as far as that says what it holds. */
export type CellStyle = {
  /** Such as `00000000`; null where it is General. */
  format: string | null;
  /** Whether the format shows days and times. */
  isDate: boolean;
  /** Whether a line goes through the text. */
  isStruck: boolean;
};

type Token = { literal: string } | { placeholder: string };

/** The digits of a whole number as a format of zeros shows them (`00-00-00`); null where that is not what it is. */
export function zeroPadded(format: string, digits: string): string | null {
  const tokens = tokensOf(format);
  const zeros = tokens.filter((token) => 'placeholder' in token).length;
  if (zeros === 0 || !/^\d+$/.test(digits)) return null;
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

/** Text beside the number shows as it is and says nothing of it. */
function plainOf(token: Token): string {
  if ('placeholder' in token) return token.placeholder;
  return token.literal === ',' || token.literal === '/' ? token.literal : ' ';
}

/** What hides behind the name of the short date, which every computer shows in its own way. */
const SHORT_DATE = 'm/d/yyyy';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** A moment as a date format shows it in English; null where that depends on the computer or on more than dates. */
export function shownDate(format: string, moment: Moment): string | null {
  if (format.toLowerCase() === SHORT_DATE) return null;
  const tokens = tokensOf(format);
  let shown = '';
  for (const [at, token] of tokens.entries()) {
    const part = 'literal' in token ? token.literal : datePart(token.placeholder, isMinutes(tokens, at), moment);
    if (part === null) return null;
    shown += part;
  }
  return shown;
}

/** `m` and `mm` are minutes behind hours and before seconds, and months elsewhere. */
function isMinutes(tokens: readonly Token[], at: number): boolean {
  const letter = (token: Token) => ('placeholder' in token ? token.placeholder.charAt(0).toLowerCase() : '');
  const before = tokens.slice(0, at).map(letter).filter(Boolean).at(-1);
  const behind = tokens
    .slice(at + 1)
    .map(letter)
    .find(Boolean);
  return before === 'h' || behind === 's';
}

function datePart(placeholder: string, isMinute: boolean, moment: Moment): string | null {
  const padded = (value: number) => (placeholder.length === 1 ? String(value) : two(value));
  switch (placeholder.toLowerCase()) {
    case 'yy':
      return two(moment.year % 100);
    case 'yyyy':
      return String(moment.year);
    case 'm':
    case 'mm':
      return padded(isMinute ? moment.minute : moment.month);
    case 'mmm':
      return (MONTHS[moment.month - 1] ?? '').slice(0, 3);
    case 'mmmm':
      return MONTHS[moment.month - 1] ?? '';
    case 'd':
    case 'dd':
      return padded(moment.day);
    case 'ddd':
      return (DAYS[moment.weekday] ?? '').slice(0, 3);
    case 'dddd':
      return DAYS[moment.weekday] ?? '';
    case 'h':
    case 'hh':
      return padded(moment.hour);
    case 's':
    case 'ss':
      return padded(moment.second);
    case '.':
      return placeholder;
    default:
      return null;
  }
}

/** A part of a format, from the longest. `[…]` is a colour, a language or a condition, and shows nothing. */
const PART = /"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]|;.*|([ymdhs])\3*|[-/:, ()]|./gis;

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
