import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../domain/clock.ts';
import { mostSent, type Payable } from '../../domain/conversion.ts';
import type { RunCreated, RunRow } from '../../domain/entry.ts';
import { LimitCount, minorOf, sumText } from '../../domain/limits.ts';
import { dateText } from '../../domain/period.ts';
import type { Limits, PlannedConversions } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { instantOf, localTime } from '../../job/zone.ts';
import type { Journal } from '../../journal/journal.ts';
import { type JournalReader, openJournalToRead } from '../../journal/sqlite/read-only.ts';
import { startTimes } from '../compare/compare-runs.ts';
import { ordersOf, paidRows } from '../compare/past-runs.ts';

/** Runs that are named in one sentence. */
const NAMED_MAX = 5;

/** Runs of an older payrun, which noted no start, that are looked at. */
const OLD_RUNS_MAX = 1_000;

/** A run that is about to be started today. */
export type OfDay = {
  limits: Limits | null;
  header: Pick<RunCreated, 'run_id' | 'scope'>;
  rows: Iterable<RunRow>;
  conversions: PlannedConversions | null;
};

/** Days since 1970-01-01, and its first moment and that of the next, Unix ms. */
type Day = { day: number; from: number; until: number };

type DayGiven = { journal: Journal; dataDir: string; clock: Pick<Clock, 'wallMs'> };

/** What of a day's limit is exceeded. `alone`: by this run without any other. */
export type DayExcess = { message: string; remedy: string; alone: boolean };

/**
 * What a run would exceed of what the job allows per day, were it started now: all that the runs which were started today
 * at the same service pay counts, but for the rows that they certainly do not pay any more. Of what is converted the most
 * counts that may be sent: the rate of its moment is not known.
 */
export function dayExcess({ limits, header, rows, conversions }: OfDay, given: DayGiven): DayExcess[] {
  if (limits === null || limits.per_day === null) return [];
  const own = comesTo(limits, rows, conversions);
  const day = dayAt(given.clock.wallMs(), limits);
  const others = paidOnDay(day, header, given);
  const sources = new Set(conversions?.pairs.map(({ source }) => source.code));
  return [...own].flatMap(([code, minor]): DayExcess[] => {
    const limit = minorOf(limits.per_day, code);
    const before = others.sums.get(code) ?? 0n;
    if (limit === null || before + minor <= limit) return [];
    const named = others.runs.slice(0, NAMED_MAX).join(', ');
    const more = others.runs.length > NAMED_MAX ? ` and ${others.runs.length - NAMED_MAX} more` : '';
    const beside =
      before === 0n
        ? ''
        : `, and with the ${sumText(before, code)} of ${named}${more} to ${sumText(before + minor, code)}`;
    return [
      {
        message: `The run ${sources.has(code) ? 'may come' : 'comes'} to ${sumText(minor, code)}${beside}; limits.per_day of the job allows ${sumText(limit, code)} on ${dateText(day.day)} (${limits.time_zone}).`,
        remedy:
          minor > limit
            ? 'Pay fewer rows, or let whoever may do so change the limit in the job.'
            : 'Run it on another day, pay fewer rows, or let whoever may do so change the limit in the job.',
        alone: minor > limit,
      },
    ];
  });
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

/** Throws a `Refusal` (`refused`) where the run would exceed what is allowed per day. */
export function refuseDay(excess: readonly DayExcess[]): void {
  const [first] = excess;
  if (first === undefined) return;
  const messages = excess.map(({ message }) => message).join('\n');
  throw new Refusal('refused', `${messages} Nothing was sent.`, first.remedy);
}

/** What is said of a plan, which may be run on another day. */
export function dayWarning({ message }: DayExcess): Problem {
  return {
    severity: 'warning',
    code: 'limit_per_day',
    sheet: null,
    row: null,
    column: null,
    cell: null,
    value: null,
    message,
    remedy: 'Run the plan on another day: whoever runs it is refused today.',
  };
}

const headerEntry = z.object({ scope: z.string(), payouts: z.int() });

const currency = z.object({ code: z.string(), chain: z.string().nullable(), decimals: z.int() });
const minor = z.string().regex(/^\d+$/);

const plannedEntry = z.object({
  plan: z.object({
    conversions: z
      .object({
        pairs: z.array(
          z.object({ source: currency, currency, planned_minor: minor, quoted_minor: minor, sent_minor: minor }),
        ),
        ceilings: z.object({ payout_bps: z.int(), run_bps: z.int() }),
      })
      .nullable()
      .default(null),
  }),
});

function paidOnDay(day: Day, { run_id, scope }: OfDay['header'], { journal, dataDir }: DayGiven) {
  const sums = new Map<string, bigint>();
  const runs: string[] = [];
  const add = (code: string, minor: bigint) => sums.set(code, (sums.get(code) ?? 0n) + minor);
  const reader = openJournalToRead(join(dataDir, 'journal.db'));
  if (reader === null) return { sums, runs };
  try {
    for (const id of startedOn(day, reader, journal)) {
      const [header] = [...reader.textsOf(id, 'run_created')].map((text) => headerEntry.parse(JSON.parse(text)));
      if (id === run_id || header === undefined || header.scope !== scope) continue;
      runs.push(id);
      const { unpaid } = paidRows(reader, id, header.payouts);
      const converted: Payable[] = [];
      for (const order of ordersOf(reader, id)) {
        if (unpaid.has(order.row)) continue;
        const { source, currency, amount_minor } = order;
        add(currency.code, BigInt(amount_minor));
        if (source !== null) converted.push({ source, currency, amount_minor });
      }
      for (const text of reader.textsOf(id, 'planned')) {
        const { conversions } = plannedEntry.parse(JSON.parse(text)).plan;
        if (conversions !== null) for (const [code, most] of mostSent(conversions, converted)) add(code, most);
      }
    }
  } finally {
    reader.close();
  }
  return { sums, runs };
}

function startedOn({ from, until }: Day, reader: JournalReader, journal: Journal): Set<string> {
  const started = startTimes(journal);
  const isOnDay = (at: number) => at >= from && at < until;
  const ids = new Set([...started].filter(([, at]) => isOnDay(at)).map(([id]) => id));
  for (const { run_id, created_at } of reader.listStartedRuns(OLD_RUNS_MAX))
    if (!started.has(run_id) && isOnDay(created_at)) ids.add(run_id);
  return ids;
}

function dayAt(ms: number, { time_zone }: Limits): Day {
  const { day } = localTime(ms, time_zone);
  const startOf = (of: number) => instantOf({ day: of, hour: 0, minute: 0 }, time_zone);
  return { day, from: startOf(day), until: startOf(day + 1) };
}
