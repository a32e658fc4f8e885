import { assert } from './refusal.ts';

const DAY_MS = 86_400_000;

/** `9999-12-31T23:59:59.999Z`: the last time that ISO 8601 writes with four digits of a year. */
const LAST_MS = 253_402_300_799_999;

/**
 * `2026-11-25T09:30:00.123Z` of whole Unix ms, from 1970 to the end of 9999. Anything else is a bug: no journal holds such
 * a time.
 */
export function isoUtc(ms: number): string {
  assert(Number.isSafeInteger(ms) && ms >= 0 && ms <= LAST_MS, `${ms} is not a time in Unix milliseconds`);
  return new Date(ms).toISOString();
}

/** `2026-11-25 09:00:03 UTC` of a text of `isoUtc`: to the second, since people compare it with their clock. */
export function momentText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** How services write nearly every time, on days that every month has: a list has thousands. */
const USUAL_ISO = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

const ISO =
  /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Unix ms of an ISO 8601 time in UTC or with an offset; null for anything else, the 30th of February and the hour 24
 * among it. Digits after the third are dropped. A leap second (:60) is the first moment of the next minute.
 */
export function parseIso(text: string): number | null {
  if (USUAL_ISO.test(text)) return Date.parse(text);
  const parts = ISO.exec(text);
  const day = parseDate(parts?.[1] ?? '');
  if (parts === null || day === null) return null;
  const [, , hour, minute, second, fraction = '', sign, offsetHour = 0, offsetMinute = 0] = parts;
  const offsetMinutes = Number(`${sign ?? '+'}1`) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const minutes = Number(hour) * 60 + Number(minute) - offsetMinutes;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  return day * DAY_MS + minutes * 60_000 + Number(second) * 1_000 + ms;
}

/** Milliseconds of the units that a duration is written in. */
const UNITS_MS: Readonly<Record<string, number>> = Object.freeze({
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
});

const DURATION_MAX_DAYS = 366;

export type DurationText = { ok: true; ms: number } | { ok: false; code: 'duration_unreadable' | 'duration_too_long' };

/**
 * Whole milliseconds of `500ms`, `30s`, `5m`, `2h`, `1d`, and of `0` in any of these units; at most 366 days. A number
 * without a unit is refused: whether `30` means seconds or minutes is the user's to say. Blanks around it are ignored.
 */
export function parseDuration(text: string): DurationText {
  const parts = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim());
  const unitMs = UNITS_MS[parts?.[2] ?? ''];
  if (!parts || unitMs === undefined) return { ok: false, code: 'duration_unreadable' };
  const ms = Number(parts[1]) * unitMs;
  if (ms > DURATION_MAX_DAYS * DAY_MS) return { ok: false, code: 'duration_too_long' };
  return { ok: true, ms };
}

/** A duration as it is written, in the largest unit that divides it: `3d`, `90m`, `250ms`. */
export function formatDuration(ms: number): string {
  const [unit, size] = Object.entries(UNITS_MS).findLast(([, unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? [
    'ms',
    1,
  ];
  return `${ms / size}${unit}`;
}

// Dates of the Gregorian calendar are days since 1970-01-01.

/** The day of a date; the month is 1 to 12. A date that no calendar has is the one as many days later. */
export function daysFromCivil(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}

export function civilFromDays(days: number): [year: number, month: number, day: number] {
  const date = new Date(days * DAY_MS);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

/** 0 is Sunday. */
export function weekdayOf(day: number): number {
  return new Date(day * DAY_MS).getUTCDay();
}

/** The day of `2026-11-25`; null for anything else, and for a date that no calendar has. */
export function parseDate(text: string): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return null;
  const [year, month, date] = parts.slice(1).map(Number) as [number, number, number];
  const day = new Date(0);
  day.setUTCFullYear(year, month - 1, date);
  return day.getUTCMonth() === month - 1 && day.getUTCDate() === date ? day.getTime() / DAY_MS : null;
}

/** `2026-11-25`, of the years 0 to 9999. */
export function dateText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
