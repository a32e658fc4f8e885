import { formatValue, serialToDate } from 'hucre';

const DAY_SECONDS = 86_400;

/** The last day of the year 9999. Programs show no later one, and none before day 0. */
const LAST_DAY = 2_958_465;

/**
 * The date of a day's number, as ISO 8601: `2026-11-25`, with the time behind a `T` where there is one, to the second. A
 * workbook knows no time zones. Null where no program would show a date.
 */
export function dateText(serial: number, is1904: boolean): string | null {
  if (!(serial >= 0 && serial < LAST_DAY + 1)) return null;
  const date = serialToDate(Math.round(serial * DAY_SECONDS) / DAY_SECONDS, is1904);
  return date
    .toISOString()
    .slice(0, 19)
    .replace(/T00:00:00$/, '');
}

/** What hides behind the name of the short date, which every computer shows in its own way. */
const SHORT_DATE = 'm/d/yyyy';

/** Formats of dates whose parts show the same on every computer. `[…]` is a colour or a language. */
const PLAIN_DATE =
  /^(?:"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]|(?<!y)(?:yy|yyyy)(?!y)|(?<!m)m{1,4}(?!m)|(?<!d)d{1,4}(?!d)|(?<!h)hh?(?!h)|(?<!s)ss?(?!s)|[-/:., ()])+(?:;.*)?$/is;

/** A day's number as a format shows it in English; null where that depends on the computer or on more than dates. */
export function shownDate(format: string, serial: number, is1904: boolean): string | null {
  if (format.toLowerCase() === SHORT_DATE || !PLAIN_DATE.test(format)) return null;
  return formatValue(serial, format, { is1904 });
}
