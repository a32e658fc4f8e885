import { isoUtc } from '../domain/time.ts';
import { t } from './translate.ts';
import { viewer } from './viewer.ts';

/** To what a time is shown. */
type Precision = 'day' | 'second';

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** English writes days as ISO 8601 does, which nobody takes for another day; other languages as their readers do. */
function formatOf(precision: Precision): Intl.DateTimeFormat {
  const { language, timeZone } = viewer();
  const key = `${language} ${timeZone} ${precision}`;
  const known = FORMATS.get(key);
  if (known !== undefined) return known;
  const twoDigits = '2-digit' as const;
  const format = new Intl.DateTimeFormat(language === 'en' ? 'sv' : language, {
    timeZone,
    ...{ year: 'numeric', month: twoDigits, day: twoDigits },
    ...(precision === 'second' && { hour: twoDigits, minute: twoDigits, second: twoDigits, hourCycle: 'h23' }),
  });
  FORMATS.set(key, format);
  return format;
}

/** The day (Unix ms) by the viewer's calendar: `2026-11-25`. */
export function localDay(at: number): string {
  return isPlain() ? isoUtc(at).slice(0, 10) : formatOf('day').format(at);
}

/** `2026-11-25 10:00:03`, of the viewer's clock. */
export function localSecond(at: number): string {
  return isPlain() ? isoUtc(at).slice(0, 19).replace('T', ' ') : formatOf('second').format(at);
}

/** ISO 8601 of the viewer's clock, without its zone: `2026-11-25T10:00:03.250`. */
export function localIso(at: number): string {
  return isoUtc(at + offsetOf(at)).slice(0, -1);
}

/** Clocks change at quarters of an hour, so that all times of one have the offset of the last that was asked for. */
const QUARTER_MS = 900_000;
let last = { timeZone: '', quarter: -1, offset: 0 };

/** By how much the viewer's clock is ahead of UTC, in milliseconds. */
function offsetOf(at: number): number {
  const { timeZone } = viewer();
  const quarter = Math.floor(at / QUARTER_MS);
  if (timeZone === 'UTC') return 0;
  if (last.timeZone !== timeZone || last.quarter !== quarter) {
    const start = quarter * QUARTER_MS;
    const wall = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(start);
    last = { timeZone, quarter, offset: Date.parse(`${wall.replace(' ', 'T')}Z`) - start };
  }
  return last.offset;
}

/** What the viewer's zone is called at that time: `UTC`, `GMT+1`, `MEZ`. */
export function zoneName(at: number): string {
  const { language, timeZone } = viewer();
  if (timeZone === 'UTC') return 'UTC';
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** The same with its zone, where no hovering tells it: `2026-11-25 10:00:03 GMT+1`. */
export function localMoment(at: number): string {
  return `${localSecond(at)} ${zoneName(at)}`;
}

function isPlain(): boolean {
  const { language, timeZone } = viewer();
  return language === 'en' && timeZone === 'UTC';
}

/** In a list, where today's have no day; within a sentence; or beside others whose order matters. */
export type TimeForm = 'list' | 'sentence' | 'exact';

/** As people write it: `27 Nov, 05:45`, `27 Nov 2025, 05:45` where it is of another year than now, `Today, 05:45` in a list. */
export function shownMoment(at: number, form: TimeForm): string {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const time = form === 'exact' ? { ...clock, second: '2-digit' as const } : clock;
  if (form === 'list' && isToday(at)) return t`Today, ${peoplesFormat(time).format(at)}`;
  return peoplesFormat({ ...dayParts(at), ...time }).format(at);
}

/** `27 Nov`, `27 Nov 2025`. */
export function shownDay(at: number): string {
  return peoplesFormat(dayParts(at)).format(at);
}

/** Today in the viewer's calendar: `Friday 27 November`; null in text that is kept. */
export function todayText(): string | null {
  const { nowMs } = viewer();
  return nowMs === undefined ? null : peoplesFormat({ weekday: 'long', day: 'numeric', month: 'long' }).format(nowMs);
}

/** What the viewer's clock shows now, with its zone: `Friday 27 November 2026, 05:45 UTC`; null where nobody reads it now. */
export function nowText(): string | null {
  const { nowMs } = viewer();
  if (nowMs === undefined) return null;
  const day = peoplesFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(nowMs);
  const time = peoplesFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(nowMs);
  return `${day}, ${time} ${zoneName(nowMs)}`;
}

function dayParts(at: number): Intl.DateTimeFormatOptions {
  const { nowMs } = viewer();
  const isThisYear = nowMs !== undefined && localIso(nowMs).slice(0, 4) === localIso(at).slice(0, 4);
  return { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) };
}

function isToday(at: number): boolean {
  const { nowMs } = viewer();
  return nowMs !== undefined && localDay(nowMs) === localDay(at);
}

function peoplesFormat(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { language, timeZone } = viewer();
  const key = `${language} ${timeZone} ${Object.entries(parts)}`;
  const known =
    FORMATS.get(key) ?? new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...parts, timeZone });
  FORMATS.set(key, known);
  return known;
}
