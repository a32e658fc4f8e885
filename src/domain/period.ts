import { civilFromDays, dateText, daysFromCivil, parseDate, weekdayOf } from './time.ts';

/**
 * What a job pays once, from the longest to the shortest: `two_weeks` is every other week with the one after it, `time`
 * each time of its schedule on its own.
 */
export const PERIODS = ['month', 'two_weeks', 'week', 'day', 'time'] as const;
export type Period = (typeof PERIODS)[number];

const WEEK_DAYS = 7;

/** A time as the clocks of a place show it; `day` is days since 1970-01-01. */
export type LocalTime = { day: number; hour: number; minute: number };

const KEYS: Readonly<Record<Period, { form: RegExp; example: string }>> = {
  month: { form: /^\d{4}-(?:0[1-9]|1[0-2])$/, example: '2026-11' },
  two_weeks: { form: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])-W\d\d$/, example: '2026-W48-W49' },
  week: { form: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/, example: '2026-W47' },
  day: { form: /^\d{4}-\d{2}-\d{2}$/, example: '2026-11-25' },
  time: { form: /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d$/, example: '2026-11-25T09:00' },
};

/**
 * The key of the period that a time belongs to: `2026-11`, `2026-W47` (ISO 8601), `2026-11-25`, `2026-11-25T09:00`. That
 * of `two_weeks` is `2026-W47-W48` where the time is in the first of them.
 */
export function periodKey(period: Period, { day, hour, minute }: LocalTime): string {
  switch (period) {
    case 'month':
      return dateText(day).slice(0, 7);
    case 'two_weeks':
      return `${weekText(day)}${weekText(day + WEEK_DAYS).slice(4)}`;
    case 'week':
      return weekText(day);
    case 'day':
      return dateText(day);
    case 'time':
      return `${dateText(day)}T${two(hour)}:${two(minute)}`;
  }
}

/** Which kind of period a text is the key of, or null. */
export function periodOf(key: string): Period | null {
  const found = PERIODS.find((period) => KEYS[period].form.test(key)) ?? null;
  const isDated = found === 'day' || found === 'time';
  if (isDated && parseDate(key.slice(0, 10)) === null) return null;
  const isOfWeeks = found === 'week' || found === 'two_weeks';
  return isOfWeeks && periodKey(found, { day: firstDayOfWeek(key), hour: 0, minute: 0 }) !== key ? null : found;
}

/** The Monday of the week that a key begins with (`2026-W48…`), as days since 1970-01-01. */
export function firstDayOfWeek(key: string): number {
  const [year, week] = [Number(key.slice(0, 4)), Number(key.slice(6, 8))];
  return mondayOf(daysFromCivil(year, 1, 4)) + (week - 1) * WEEK_DAYS;
}

/** Whether a day is in every other week, of which the week of `first` is one. Both are days since 1970-01-01. */
export function isInEveryOtherWeek(day: number, first: number): boolean {
  return (mondayOf(day) - mondayOf(first)) % (2 * WEEK_DAYS) === 0;
}

export function periodExample(period: Period): string {
  return KEYS[period].example;
}

/** The week is that of its Thursday. */
function weekText(day: number): string {
  const thursday = mondayOf(day) + 3;
  const [year] = civilFromDays(thursday);
  const week = Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1;
  return `${String(year).padStart(4, '0')}-W${two(week)}`;
}

function mondayOf(day: number): number {
  return day - ((weekdayOf(day) + 6) % WEEK_DAYS);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
