import { assert } from './refusal.ts';

/**
 * Times as Unix milliseconds, and their texts. `Date` is not used: it is banned outside `cli/compose.ts` so that nothing
 * reads the machine's clock by accident, and Node 24 has no Temporal yet.
 */
const DAY_MS = 86_400_000;

/** `9999-12-31T23:59:59.999Z`: the last time that ISO 8601 writes with four digits of a year. */
const LAST_MS = 253_402_300_799_999;

/**
 * `2026-11-25T09:30:00.123Z` of whole Unix ms, from 1970 to the end of 9999. The same text as `Date.toISOString`, from
 * integers. Anything else is a bug: no journal holds such a time.
 */
export function isoUtc(ms: number): string {
  assert(Number.isSafeInteger(ms) && ms >= 0 && ms <= LAST_MS, `${ms} is not a time in Unix milliseconds`);
  const days = Math.floor(ms / DAY_MS);
  const rest = ms - days * DAY_MS;
  if (days !== lastDate.days) lastDate = { days, text: dateText(days) };
  const hour = Math.floor(rest / 3_600_000);
  const minute = Math.floor(rest / 60_000) % 60;
  const second = Math.floor(rest / 1_000) % 60;
  return `${lastDate.text}T${two(hour)}:${two(minute)}:${two(second)}.${three(rest % 1_000)}Z`;
}

/** The date that was written last: a run writes the times of a hundred thousand payouts, nearly all of one day. */
let lastDate = { days: 0, text: '1970-01-01' };

function dateText(days: number): string {
  const [year, month, day] = civilFromDays(days);
  return `${year}-${two(month)}-${two(day)}`;
}

/**
 * Unix ms of an ISO 8601 time in UTC or with an offset; null for anything else, the 30th of February and the hour 24
 * among it. Digits after the third are dropped. A leap second (:60) is the first moment of the next minute.
 */
export function parseIso(text: string): number | null {
  const parts = ISO.exec(text);
  if (!parts || !isCivilDate(Number(parts[1]), Number(parts[2]), Number(parts[3]))) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((at) => Number(parts[at])) as Six;
  const ms = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = parts[8] === 'Z' ? 0 : Number(`${parts[9]}1`) * (Number(parts[10]) * 60 + Number(parts[11])) * 60_000;
  return utcMs([year, month, day, hour, minute, second]) + ms - offset;
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?(Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

function isCivilDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12) return false;
  const [sameYear, sameMonth, sameDay] = civilFromDays(daysFromCivil(year, month, day));
  return sameYear === year && sameMonth === month && sameDay === day;
}

type Six = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** Unix ms of a time in UTC; the month is 1 to 12. */
export function utcMs([year, month, day, hour, minute, second]: Six): number {
  return daysFromCivil(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
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

export type DurationText =
  | { ok: true; ms: number }
  | { ok: false; code: 'duration_unreadable' | 'duration_too_long'; message: string };

/**
 * Whole milliseconds of `500ms`, `30s`, `5m`, `2h`, `1d`, and of `0` in any of these units; at most 366 days. A number
 * without a unit is refused: whether `30` means seconds or minutes is the user's to say. Blanks around it are ignored.
 */
export function parseDuration(text: string): DurationText {
  const parts = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim());
  const unitMs = UNITS_MS[parts?.[2] ?? ''];
  if (!parts || unitMs === undefined) {
    const message = `"${text.slice(0, 40)}" is not a duration: write a whole number and a unit, as in 500ms, 30s, 5m, 2h or 1d.`;
    return { ok: false, code: 'duration_unreadable', message };
  }
  const ms = Number(parts[1]) * unitMs;
  if (ms > DURATION_MAX_DAYS * DAY_MS)
    return { ok: false, code: 'duration_too_long', message: `A duration is at most ${DURATION_MAX_DAYS}d.` };
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

/** How long ago something was, to its largest unit: `5 days`, `1 hour`, `less than a minute`. */
export function formatAge(ms: number): string {
  for (const [unit, size] of AGE_UNITS) {
    const count = Math.floor(ms / size);
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}

const AGE_UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Days since 1970-01-01 of a Gregorian date (Howard Hinnant's algorithm, public domain). */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The date, by the Gregorian calendar, of a number of days since 1970-01-01. */
export function civilFromDays(days: number): [year: number, month: number, day: number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9);
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

function two(value: number): string {
  return TWO_DIGITS[value] ?? '';
}

function three(value: number): string {
  return `${Math.floor(value / 100)}${two(value % 100)}`;
}
