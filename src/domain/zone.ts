import { type LocalTime, periodKey } from './period.ts';
import { daysFromCivil } from './time.ts';

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
