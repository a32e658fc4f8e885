import { type BusinessDays, businessDayFrom, type Calendar, isBusinessDay } from './business-days.ts';
import type { LocalTime } from './period.ts';
import { parseDate } from './time.ts';
import { instantOf, isTimeZone, localTime } from './zone.ts';

/** A day (`2026-11-27`), a time of it (`09:00`) and a time zone (IANA), as somebody typed them. */
export type TypedTime = { date: string; time: string; timeZone: string };

/** What of it cannot be read. */
export type TypedTimeFault = 'date' | 'time' | 'time_zone';

const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::00)?$/;
const MINUTE_MS = 60_000;

/** Clocks are set back by three hours at most, a quarter of an hour at least. */
const SET_BACK_MAX_MINUTES = 180;
const SET_BACK_STEP_MINUTES = 15;

/**
 * When the clocks of the time zone show what was typed (Unix ms), by the rule of schedules (`instantOf`): the first of two times
 * where they are set back, and the end of the gap where they are set forward past it.
 */
export function readTypedTime({ date, time, timeZone }: TypedTime): { at: number } | { fault: TypedTimeFault } {
  const day = parseDate(date.trim());
  if (day === null || day < 0) return { fault: 'date' };
  const [, hour, minute] = TIME.exec(time.trim()) ?? [];
  if (hour === undefined || minute === undefined) return { fault: 'time' };
  if (!isTimeZone(timeZone)) return { fault: 'time_zone' };
  return { at: instantOf({ day, hour: Number(hour), minute: Number(minute) }, timeZone) };
}

/** Whether the clocks of a time zone show the same time once more after this one (Unix ms): they are set back in between. */
export function isShownTwice(at: number, timeZone: string): boolean {
  const shown = localTime(at, timeZone);
  for (let minutes = SET_BACK_STEP_MINUTES; minutes <= SET_BACK_MAX_MINUTES; minutes += SET_BACK_STEP_MINUTES)
    if (isSameTime(localTime(at + minutes * MINUTE_MS, timeZone), shown)) return true;
  return false;
}

function isSameTime(one: LocalTime, other: LocalTime): boolean {
  return one.day === other.day && one.hour === other.hour && one.minute === other.minute;
}

/** On which days something is paid: business days of all these rules. `isOfJob`: a job says so, and nobody chooses otherwise. */
export type PayingDays = { rules: readonly BusinessDays[]; direction: 'previous' | 'next'; isOfJob: boolean };

const CALENDAR_OF: Readonly<Record<string, Calendar>> = { EUR: 'TARGET', USD: 'US' };

/** What no job says: the days on which the payment systems of these currencies settle, as far as their calendars are known. */
export function payingDaysOf(currencies: Iterable<string>): PayingDays {
  const calendars = new Set<Calendar>(['weekends']);
  for (const code of currencies) calendars.add(CALENDAR_OF[code] ?? 'weekends');
  const rules = [...calendars].map((calendar) => ({ calendar, ownHolidays: new Set<number>() }));
  return { rules, direction: 'next', isOfJob: false };
}

/** Days looked at: longer than all calendars rest together. */
const LOOKS_MAX = 60;

/** The same time on the nearest day on which is paid, on or after that of `at` or before it; null where there is none. */
export function onPayingDay(at: number, timeZone: string, { rules, direction }: PayingDays): number | null {
  const local = localTime(at, timeZone);
  let day = local.day;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const resting = rules.find((rule) => !isBusinessDay(day, rule));
    if (resting === undefined) return day === local.day ? at : instantOf({ ...local, day }, timeZone);
    const nearest = businessDayFrom(day, direction, resting);
    if (nearest === null) return null;
    day = nearest;
  }
  return null;
}
