import { Cron } from 'croner';
import { type BusinessDays, businessDayFrom, isBusinessDay } from '../domain/business-days.ts';
import { isInEveryOtherWeek, type LocalTime, type Period, periodKey } from '../domain/period.ts';
import { isoUtc } from '../domain/time.ts';
import { instantOf, localTime } from '../domain/zone.ts';

/** When a job runs. */
export type Schedule = {
  cron: string;
  timeZone: string;
  /** Of every other week: a day of the first of them, before which nothing is due. Null where it is each time of `cron`. */
  everyOtherWeekFrom: number | null;
  /** Null where a job runs on any day. */
  businessDays: (BusinessDays & { direction: 'previous' | 'next' }) | null;
  period: Period;
  /** What becomes of a time at which nothing ran the job. */
  missed: 'report' | 'run';
};

/** A time of a schedule. `period` is that of the time that the cron expression names, before it was moved. */
export type DueTime = { at: number; period: string };

const DAY_MS = 86_400_000;

/** How far back the last times are looked for: a rare expression (a 29th of February) comes once in eight years. */
const LOOK_BACK_DAYS = [1, 8, 40, 400, 3_300] as const;

/** From here on it is seen how often an expression comes, so that this is the same on each day. */
const PROBE_FROM_MS = Date.UTC(2024, 0, 1);
const PROBE_TIMES = 500;

/** An expression of five fields. Throws what croner throws where it is none. */
function cronOf(cron: string, timeZone: string): Cron {
  return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });
}

/** Whether an expression names any time at all: `0 9 31 2 *` does not. */
export function hasTimes(cron: string, timeZone: string): boolean {
  return cronOf(cron, timeZone).nextRun(isoUtc(PROBE_FROM_MS)) !== null;
}

/** Whether an expression names a time on that day. */
export function comesOn(day: number, cron: string, timeZone: string): boolean {
  const found = nominalTimes(cron, timeZone, instantOf({ day, hour: 0, minute: 0 }, timeZone)).next().value;
  return found?.local.day === day;
}

/** Whether an expression comes at most once in each such period; in every other week only, where a day of one is given. */
export function isOncePer(
  period: Period,
  cron: string,
  timeZone: string,
  everyOtherWeekFrom: number | null = null,
): boolean {
  if (period === 'two_weeks' && everyOtherWeekFrom === null) return false;
  let before: string | null = null;
  let count = 0;
  for (const { local } of nominalTimes(cron, timeZone, PROBE_FROM_MS)) {
    if (everyOtherWeekFrom !== null && !isInEveryOtherWeek(local.day, everyOtherWeekFrom)) continue;
    const key = periodKey(period, local);
    // A time that clocks which are set back show twice counts once.
    if (key === before && period !== 'time') return false;
    before = key;
    if (++count === PROBE_TIMES) return true;
  }
  return true;
}

/**
 * The times of a schedule that are not before `fromMs`, in order, each period once. Where days are moved, a time that would
 * be moved to a day that has one of its own, or to which a nearer one is moved, falls away.
 */
export function* dueTimes(schedule: Schedule, fromMs: number): Generator<DueTime> {
  let last: DueTime | null = null;
  for (const due of movedTimes(schedule, fromMs)) {
    // Keys grow with their times, but where clocks that are set back show the same times again.
    if (last !== null && due.period <= last.period) continue;
    last = due;
    if (due.at >= fromMs) yield due;
  }
}

/** The last times up to `nowMs`, oldest first, `limit` at most; fewer where they lie years back. */
export function lastDueTimes(schedule: Schedule, nowMs: number, limit: number): DueTime[] {
  let found: DueTime[] = [];
  for (const days of LOOK_BACK_DAYS) {
    found = [];
    for (const due of dueTimes(schedule, Math.max(0, nowMs - days * DAY_MS))) {
      if (due.at > nowMs) break;
      found.push(due);
    }
    if (found.length >= limit) break;
  }
  return found.slice(-limit);
}

/** The time of a schedule nearest to `nowMs`, the earlier one of two: which period somebody means who runs a job by hand. */
export function nearestDueTime(schedule: Schedule, nowMs: number): DueTime | null {
  const before = lastDueTimes(schedule, nowMs, 1)[0] ?? null;
  const after = dueTimes(schedule, nowMs + 1).next().value ?? null;
  if (before === null || after === null) return before ?? after;
  return nowMs - before.at <= after.at - nowMs ? before : after;
}

type Nominal = { at: number; local: LocalTime };

function* movedTimes(schedule: Schedule, fromMs: number): Generator<DueTime> {
  const { cron, timeZone, businessDays, period, everyOtherWeekFrom: first } = schedule;
  const toDue = ({ at, local }: Nominal, day: number): DueTime => ({
    at: day === local.day ? at : instantOf({ ...local, day }, timeZone),
    period: periodKey(period, local),
  });
  const begin = { day: firstDayFor(schedule, fromMs), hour: 0, minute: 0 };
  let group: { target: number; nominal: number; dues: DueTime[] } | null = null;
  for (const nominal of nominalTimes(cron, timeZone, instantOf(begin, timeZone))) {
    const day = nominal.local.day;
    if (first !== null && (day < first || !isInEveryOtherWeek(day, first))) continue;
    const target: number =
      businessDays === null ? day : (businessDayFrom(day, businessDays.direction, businessDays) ?? day);
    const due = toDue(nominal, target);
    if (group !== null && group.target === target) {
      const isNearer = Math.abs(day - target) < Math.abs(group.nominal - target);
      if (isNearer) group = { target, nominal: day, dues: [due] };
      else if (day === group.nominal) group.dues.push(due);
      continue;
    }
    if (group !== null) yield* group.dues;
    group = { target, nominal: day, dues: [due] };
  }
  if (group !== null) yield* group.dues;
}

/** The first day whose times can be due from `fromMs` on: before it lie the days of rest that are moved onward. */
function firstDayFor({ timeZone, businessDays }: Schedule, fromMs: number): number {
  let day = localTime(fromMs, timeZone).day;
  if (businessDays === null) return day;
  if (businessDays.direction === 'previous') return businessDayFrom(day, 'previous', businessDays) ?? day;
  while (!isBusinessDay(day - 1, businessDays)) day--;
  return day;
}

function* nominalTimes(cron: string, timeZone: string, fromMs: number): Generator<Nominal> {
  const times = cronOf(cron, timeZone);
  let next = times.nextRun(isoUtc(Math.max(0, fromMs - 1)));
  while (next !== null) {
    const at = next.getTime();
    yield { at, local: localTime(at, timeZone) };
    next = times.nextRun(next);
  }
}
