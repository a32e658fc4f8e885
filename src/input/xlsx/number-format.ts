/** How a cell's number is shown: the one thing of a style that says what a cell holds. */
export type CellStyle = {
  /** Such as `00000000`; null where it is General. */
  format: string | null;
  /** Whether the format shows days and times. */
  isDate: boolean;
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

/** What hides behind the name of the short date, which every computer shows in its own way. */
const SHORT_DATE = 'm/d/yyyy';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** A moment as a date format shows it in English; null where that depends on the computer or on more than dates. */
export function shownDate(format: string, date: Date): string | null {
  if (format.toLowerCase() === SHORT_DATE) return null;
  const tokens = tokensOf(format);
  let shown = '';
  for (const [at, token] of tokens.entries()) {
    const part = 'literal' in token ? token.literal : datePart(token.placeholder, isMinutes(tokens, at), date);
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

function datePart(placeholder: string, isMinute: boolean, date: Date): string | null {
  const two = (value: number) => String(value).padStart(2, '0');
  const padded = (value: number) => (placeholder.length === 1 ? String(value) : two(value));
  switch (placeholder.toLowerCase()) {
    case 'yy':
      return two(date.getUTCFullYear() % 100);
    case 'yyyy':
      return String(date.getUTCFullYear());
    case 'm':
    case 'mm':
      return padded(isMinute ? date.getUTCMinutes() : date.getUTCMonth() + 1);
    case 'mmm':
      return (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3);
    case 'mmmm':
      return MONTHS[date.getUTCMonth()] ?? '';
    case 'd':
    case 'dd':
      return padded(date.getUTCDate());
    case 'ddd':
      return (DAYS[date.getUTCDay()] ?? '').slice(0, 3);
    case 'dddd':
      return DAYS[date.getUTCDay()] ?? '';
    case 'h':
    case 'hh':
      return padded(date.getUTCHours());
    case 's':
    case 'ss':
      return padded(date.getUTCSeconds());
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

const DAY_MS = 86_400_000;

/** Day 0 of workbooks that count from 1904. */
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** Day 0 of all others, as they count from 1 March 1900: to them 1900 was a leap year. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const FIRST_OF_MARCH_1900 = 61;

/** The last day of the year 9999. Programs show no later one, and none before day 0. */
const LAST_DAY = 2_958_465;

/** The moment of a day's number, its time to the second; null where no program would show one. */
export function dateOf(serial: number, is1904: boolean): Date | null {
  if (!(serial >= 0 && serial < LAST_DAY + 1)) return null;
  if (is1904) return toSecond(EPOCH_1904 + serial * DAY_MS);
  return toSecond(EPOCH_1900 + (serial < FIRST_OF_MARCH_1900 ? serial + 1 : serial) * DAY_MS);
}

/** `2026-11-25`, with the time behind a `T` where there is one. */
export function isoText(date: Date): string {
  const iso = date.toISOString();
  const day = iso.slice(0, 10);
  return iso.slice(11, 19) === '00:00:00' ? day : `${day}T${iso.slice(11, 19)}`;
}

function toSecond(ms: number): Date {
  return new Date(Math.round(ms / 1_000) * 1_000);
}
