import { weekdayOf } from './business-days.ts';
import { civilFromDays, daysFromCivil } from './time.ts';

/** What a job pays once, from the longest to the shortest: `time` is each time of its schedule by itself. */
export const PERIODS = ['month', 'week', 'day', 'time'] as const;
export type Period = (typeof PERIODS)[number];

/** A time as the clocks of a place show it; `day` is days since 1970-01-01. */
export type LocalTime = { day: number; hour: number; minute: number };

const KEYS: Readonly<Record<Period, { form: RegExp; example: string }>> = {
  month: { form: /^\d{4}-(?:0[1-9]|1[0-2])$/, example: '2026-11' },
  week: { form: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/, example: '2026-W47' },
  day: { form: /^\d{4}-\d{2}-\d{2}$/, example: '2026-11-25' },
  time: { form: /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d$/, example: '2026-11-25T09:00' },
};

/** The key of the period that a time belongs to: `2026-11`, `2026-W47` (ISO 8601), `2026-11-25`, `2026-11-25T09:00`. */
export function periodKey(period: Period, { day, hour, minute }: LocalTime): string {
  switch (period) {
    case 'month':
      return dateText(day).slice(0, 7);
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
  return isDated && parseDate(key.slice(0, 10)) === null ? null : found;
}

export function periodExample(period: Period): string {
  return KEYS[period].example;
}

/** Days since 1970-01-01 of `2026-11-25`; null for anything else, and for a date that no calendar has. */
export function parseDate(text: string): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return null;
  const day = daysFromCivil(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  return dateText(day) === text ? day : null;
}

export function dateText(day: number): string {
  const [year, month, date] = civilFromDays(day);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}

/** The week is that of its Thursday. */
function weekText(day: number): string {
  const thursday = day + 4 - (weekdayOf(day) || 7);
  const [year] = civilFromDays(thursday);
  const week = Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1;
  return `${String(year).padStart(4, '0')}-W${two(week)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
