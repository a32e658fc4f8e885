import { civilFromDays, daysFromCivil, weekdayOf } from './time.ts';
import { instantOf, localTime } from './zone.ts';

/** The days on which a payment system rests; of each, Saturdays and Sundays too. */
export const CALENDARS = ['weekends', 'TARGET', 'US'] as const;
export type Calendar = (typeof CALENDARS)[number];

export type BusinessDays = {
  calendar: Calendar;
  /** Days of our own on which nothing is paid, as days since 1970-01-01. */
  ownHolidays: ReadonlySet<number>;
};

/** Longer than any payment system rests: a rule that finds no business day in so many days has a mistake. */
const REST_DAYS_MAX = 30;

const THURSDAY = 4;
const MONDAY = 1;

/** Whether payments settle on a day, given as days since 1970-01-01. */
export function isBusinessDay(day: number, { calendar, ownHolidays }: BusinessDays): boolean {
  const weekday = weekdayOf(day);
  return weekday !== 0 && weekday !== 6 && !ownHolidays.has(day) && !isHolidayOf(calendar, day);
}

/** The day itself, or the nearest business day before or after it. Null where there is none in `REST_DAYS_MAX` days. */
export function businessDayFrom(day: number, direction: 'previous' | 'next', rule: BusinessDays): number | null {
  const step = direction === 'next' ? 1 : -1;
  for (let moved = 0; moved <= REST_DAYS_MAX; moved++) {
    const candidate = day + moved * step;
    if (isBusinessDay(candidate, rule)) return candidate;
  }
  return null;
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

function isHolidayOf(calendar: Calendar, day: number): boolean {
  switch (calendar) {
    case 'weekends':
      return false;
    case 'TARGET':
      return isTargetHoliday(day);
    case 'US':
      return isFederalReserveHoliday(day);
  }
}

/** The closing days of TARGET (T2), the same each year since 2002. */
function isTargetHoliday(day: number): boolean {
  const [year, month, date] = civilFromDays(day);
  const fixed = [101, 501, 1225, 1226];
  if (fixed.includes(month * 100 + date)) return true;
  const easter = easterSunday(year);
  return day === easter - 2 || day === easter + 1;
}

/**
 * The holidays of the Federal Reserve Banks, which run Fedwire and FedACH: one on a Sunday is kept on the Monday after it,
 * one on a Saturday is not kept on the Friday before. As they are since 2021.
 */
function isFederalReserveHoliday(day: number): boolean {
  const [year] = civilFromDays(day);
  const fixed = FEDERAL_RESERVE_DATES.map(([month, date]) => daysFromCivil(year, month, date));
  const kept = fixed.map((holiday) => (weekdayOf(holiday) === 0 ? holiday + 1 : holiday));
  return [
    ...kept,
    nthWeekday(year, 1, MONDAY, 3),
    nthWeekday(year, 2, MONDAY, 3),
    nthWeekday(year, 6, MONDAY, 1) - 7,
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, 2),
    nthWeekday(year, 11, THURSDAY, 4),
  ].includes(day);
}

const FEDERAL_RESERVE_DATES = [
  [1, 1],
  [6, 19],
  [7, 4],
  [11, 11],
  [12, 25],
] as const;

/** The `nth` such weekday of a month; the Monday a week before the first of June is the last of May. */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = daysFromCivil(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7;
}

/** Easter of the Gregorian calendar (the anonymous computus, published by Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const leapCenturies = Math.floor(century / 4);
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - leapCenturies - moonCorrection + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const days = epact + toSunday - 7 * late + 114;
  return daysFromCivil(year, Math.floor(days / 31), (days % 31) + 1);
}
