import { type LocalTime, periodKey } from './period.ts';
import { daysFromCivil, parseDate } from './time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether this Node knows the time zone, by a name of the IANA database: abbreviations and offsets are none. */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !/^[A-Za-z_]+\/[A-Za-z0-9_+/-]+$/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of a time zone show at a time (Unix ms). */
export function localTime(ms: number, zone: string): LocalTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return { day: daysFromCivil(of('year'), of('month'), of('day')), hour: of('hour'), minute: of('minute') };
}

/**
 * The first moment (Unix ms) at which the clocks of a time zone show a time or a later one: the first of two where they
 * are set back, and the end of the gap where they are set forward past it.
 */
export function instantOf({ day, hour, minute }: LocalTime, zone: string): number {
  const wanted = day * 1_440 + hour * 60 + minute;
  const ms = wanted * MINUTE_MS;
  // No clock is a day from UTC; offsets, and where they change, are whole minutes since 1972.
  const offsets = [ms - DAY_MS, ms + DAY_MS].map((at) => minutesOf(at, zone) - at / MINUTE_MS);
  const [late, early] = offsets.sort((a, b) => a - b).map((offset) => (wanted - offset) * MINUTE_MS);
  const shown = [early, late].find((at = 0) => minutesOf(at, zone) === wanted);
  if (shown !== undefined) return shown;
  // In a gap, around which the clocks only go forward.
  let [before, reached] = [wanted - 1_440, wanted + 1_440];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (minutesOf(middle * MINUTE_MS, zone) >= wanted) reached = middle;
    else before = middle;
  }
  return reached * MINUTE_MS;
}

function minutesOf(ms: number, zone: string): number {
  const { day, hour, minute } = localTime(ms, zone);
  return day * 1_440 + hour * 60 + minute;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/** `2026-11-25 09:00 Europe/Berlin`. */
export function zoneText(ms: number, zone: string): string {
  return `${periodKey('time', localTime(ms, zone)).replace('T', ' ')} ${zone}`;
}

/** A day (`2026-11-27`), a time of it (`09:00`) and a time zone (IANA), as somebody typed them. */
export type TypedTime = { date: string; time: string; timeZone: string };

/** What of it cannot be read. */
export type TypedTimeFault = 'date' | 'time' | 'time_zone';

const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::00)?$/;

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
