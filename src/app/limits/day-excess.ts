import { mostSent, type Payable } from '../../domain/conversion.ts';
import type { RunCreated, RunRow } from '../../domain/entry.ts';
import { LimitCount, minorOf } from '../../domain/limits.ts';
import type { Limits, PlannedConversions } from '../../domain/plan.ts';
import { instantOf, localTime } from '../../domain/zone.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { startTimes } from '../compare/compare-runs.ts';

/** Started runs that are looked at, newest first. */
const RUNS_MAX = 100_000;

/** A run that is about to be started today. */
export type OfDay = {
  limits: Limits | null;
  header: Pick<RunCreated, 'run_id' | 'scope'>;
  rows: Iterable<RunRow>;
  conversions: PlannedConversions | null;
};

/** What of a day's limit a run exceeds in one currency, in minor units. */
export type DayExcess = {
  /** Of the currency, or of a crypto asset on all its chains. */
  code: string;
  /** What the run comes to, or may come to where something is converted. */
  minor: bigint;
  isConverted: boolean;
  /** What the other runs of the day come to, and which they are. */
  othersMinor: bigint;
  others: readonly string[];
  limitMinor: bigint;
  /** Days since 1970-01-01, by the clocks of `timeZone`. */
  day: number;
  timeZone: string;
};

/** Days since 1970-01-01, and its first moment and that of the next, Unix ms. */
type Day = { day: number; from: number; until: number };

type DayGiven = { journal: Journal; clock: Clock };

/**
 * What a run would exceed of what the job allows per day, were it started now: all that the runs which were started today
 * at the same service pay counts, but for the rows that they certainly do not pay any more. Of what is converted the most
 * counts that may be sent: the rate of its moment is not known.
 */
export async function dayExcess({ limits, header, rows, conversions }: OfDay, given: DayGiven): Promise<DayExcess[]> {
  if (limits === null || limits.per_day === null) return [];
  const own = comesTo(limits, rows, conversions);
  const day = dayAt(given.clock.wallMs(), limits);
  const others = await paidOnDay(day, header, given.journal);
  const sources = new Set(conversions?.pairs.map(({ source }) => source.code));
  return [...own].flatMap(([code, minor]): DayExcess[] => {
    const limitMinor = minorOf(limits.per_day, code);
    const othersMinor = others.sums.get(code) ?? 0n;
    if (limitMinor === null || othersMinor + minor <= limitMinor) return [];
    const { day: ofDay } = day;
    const { time_zone: timeZone } = limits;
    const isConverted = sources.has(code);
    return [{ code, minor, isConverted, othersMinor, others: others.runs, limitMinor, day: ofDay, timeZone }];
  });
}

/** Whether the run exceeds the limit without any other, so that it does on every day. */
export function isAlone({ minor, limitMinor }: DayExcess): boolean {
  return minor > limitMinor;
}

/** By currency, the most that a run may come to. It keeps to the limit per run, whatever the rates do. */
function comesTo(limits: Limits, rows: Iterable<RunRow>, conversions: PlannedConversions | null): Map<string, bigint> {
  const count = new LimitCount(limits);
  const orders: Payable[] = [];
  for (const { order } of rows) {
    if (order === null) continue;
    count.add(order);
    if (order.source !== null) orders.push(order);
  }
  const sums = new Map(count.sums);
  for (const [code, most] of conversions === null ? [] : mostSent(conversions, orders)) {
    const inAll = (sums.get(code) ?? 0n) + most;
    const limit = minorOf(limits.per_run, code);
    sums.set(code, limit !== null && limit < inAll ? limit : inAll);
  }
  return sums;
}

async function paidOnDay(day: Day, { run_id, scope }: OfDay['header'], journal: Journal) {
  const sums = new Map<string, bigint>();
  const runs: string[] = [];
  const add = (code: string, minor: bigint) => sums.set(code, (sums.get(code) ?? 0n) + minor);
  for (const { run_id: id, header } of await startedOn(day, journal)) {
    if (id === run_id || header.scope !== scope) continue;
    runs.push(id);
    const payouts = await journal.payoutsOf(id);
    const converted: Payable[] = [];
    for await (const page of payouts?.pages() ?? [])
      for (const { order, standing } of page) {
        if (standing === 'unpaid') continue;
        add(order.currency.code, BigInt(order.amount_minor));
        if (order.source !== null) converted.push(order);
      }
    const conversions = payouts?.conversions ?? null;
    if (conversions !== null) for (const [code, most] of mostSent(conversions, converted)) add(code, most);
  }
  return { sums, runs };
}

/** Oldest first. Runs of an older payrun, which noted no start, began when they were created. */
async function startedOn({ from, until }: Day, journal: Journal) {
  const started = await startTimes(journal);
  const runs = await journal.listStartedRuns(RUNS_MAX);
  const times = runs.toReversed().map((run) => ({ ...run, startedAt: started.get(run.run_id) ?? run.created_at }));
  return times
    .filter(({ startedAt }) => startedAt >= from && startedAt < until)
    .sort((one, other) => one.startedAt - other.startedAt);
}

function dayAt(ms: number, { time_zone }: Limits): Day {
  const { day } = localTime(ms, time_zone);
  const startOf = (of: number) => instantOf({ day: of, hour: 0, minute: 0 }, time_zone);
  return { day, from: startOf(day), until: startOf(day + 1) };
}
