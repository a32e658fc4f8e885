import { civilFromDays } from '../../../domain/time.ts';

/** A day and a time of a workbook, which knows no time zones. */
export type Moment = {
  year: number;
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  hour: number;
  minute: number;
  second: number;
};

const DAY_SECONDS = 86_400;

/** Days of 1970-01-01 in workbooks that count from 1904. */
const UNIX_DAY_1904 = 24_107;

/** The same in all others. To them 1900 was a leap year, so before March 1900 they are one day behind. */
const UNIX_DAY_1900 = 25_569;
const FIRST_OF_MARCH_1900 = 61;

/** The last day of the year 9999. Programs show no later one, and none before day 0. */
const LAST_DAY = 2_958_465;

/** The moment of a day's number, to the second; null where no program would show one. */
export function momentOf(serial: number, is1904: boolean): Moment | null {
  if (!(serial >= 0 && serial < LAST_DAY + 1)) return null;
  const seconds = Math.round(serial * DAY_SECONDS);
  const serialDay = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - serialDay * DAY_SECONDS;
  const behind = !is1904 && serialDay < FIRST_OF_MARCH_1900 ? 1 : 0;
  const days = serialDay + behind - (is1904 ? UNIX_DAY_1904 : UNIX_DAY_1900);
  const [year, month, day] = civilFromDays(days);
  // 1970-01-01 was a Thursday.
  const weekday = (((days + 4) % 7) + 7) % 7;
  const hour = Math.floor(rest / 3_600);
  return { year, month, day, weekday, hour, minute: Math.floor(rest / 60) % 60, second: rest % 60 };
}

/** `2026-11-25`, with the time behind a `T` where there is one. */
export function isoText({ year, month, day, hour, minute, second }: Moment): string {
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return hour === 0 && minute === 0 && second === 0 ? date : `${date}T${two(hour)}:${two(minute)}:${two(second)}`;
}

export function two(value: number): string {
  return String(value).padStart(2, '0');
}
