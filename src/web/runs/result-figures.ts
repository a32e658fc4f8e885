import type { TimeSlice } from '../../app/background/time-slice.ts';
import type { ReadRelative, RelatedRuns, RunSince } from '../../app/retry/related-runs.ts';
import type { Currency } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { currencyKey } from '../../domain/money.ts';
import type { OutcomeWhy } from '../../domain/outcomes/payout-outcome.ts';
import type { RowLeft } from '../../domain/outcomes/run-outcome.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { messages } from '../../messages/messages.ts';
import { countsOf, outcomeOf } from '../../report/model/outcome.ts';
import { headlineOf, leadOf } from '../../report/model/summary.ts';
import { feesOf, railTotalsOf, ratesOf } from '../../report/model/totals.ts';
import { unpaidGroups } from '../../report/model/unpaid.ts';
import { Worded, WorkedOut } from '../once.ts';
import type { WebParts } from '../parts.ts';
import { minorText, pageCommand } from '../shell/words.ts';
import type { FollowedRun } from './followed-run.ts';

/** What became of all the payouts of a run together, as its page shows it. */
export type ResultFigures = Awaited<ReturnType<typeof resultFigures>>;

/** Goes through all rows several times, and lets others have their turn in between. */
export async function resultFigures({ run }: Pick<FollowedRun, 'run'>, turns: TimeSlice) {
  const after = async <Value>(value: Value): Promise<Value> => {
    if (turns.isOver) await turns.next();
    return value;
  };
  return {
    headline: await after(messages.summary.headlineText(headlineOf(run))),
    lead: await after(leadOf(run).map(messages.summary.leadText)),
    counts: await after(countsOf(run)),
    unpaid: await after(unpaidGroups(run, textOf)),
    rails: await after(railTotalsOf(run)),
    fees: await after(feesOf(run)),
    rates: await after(ratesOf(run)),
  };
}

const textOf = (why: OutcomeWhy): string => messages.outcomes.outcomeText(why, pageCommand('resume'));

const LATER = new Worded<SinceOfRun, ResultFigures>();

/** The figures with what became in other runs of what this one did not pay. */
export function withLater(figures: ResultFigures, run: RunState, since: SinceOfRun): ResultFigures {
  if (since.rows.size === 0) return figures;
  return LATER.of(since, 0, () => {
    return {
      ...figures,
      lead: leadOf(run, since).map(messages.summary.leadText),
      unpaid: unpaidGroups(run, textOf, since),
    };
  });
}

const SINCE = new WorkedOut<RunState, Promise<RunSince>>();

/** Worked out once for all who look, until something more is written to the run or to one that is related to it. */
export function sinceOfRun(
  parts: WebParts,
  { run, n }: Pick<FollowedRun, 'run' | 'n'>,
  related: RelatedRuns,
): Promise<RunSince> {
  return SINCE.of(run, `${n} ${related.version}`, () => {
    const since = parts.deps.reads.since(run, related, readRelative(parts));
    // What could not be read is read again by who looks next.
    since.catch(() => SINCE.forget(run));
    return since;
  });
}

export function readRelative({ runs }: Pick<WebParts, 'runs'>): ReadRelative {
  return async (runId) => {
    try {
      return (await runs.read(runId))?.run ?? null;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
}

/**
 * What can be paid again of a run, and what cannot. `notSent`: how many of the rows were never sent; `codes`: why the others were
 * not paid; `isWhole`: no related run is damaged.
 */
export type Remaining = {
  rows: readonly RunRow[];
  notSent: number;
  codes: ReadonlySet<string>;
  leftOut: ReadonlyMap<RowLeft['how'], LeftOut>;
  isWhole: boolean;
};

type LeftOut = { rows: number; runIds: readonly string[] };

const REMAINING = new WorkedOut<RunState, Promise<Remaining>>();

/** Worked out once for all who look, until something more is written to the journal. */
export async function remainingOf(parts: WebParts, followed: FollowedRun, related: RelatedRuns): Promise<Remaining> {
  const { run, n } = followed;
  const version = `${n} ${related.version} ${await parts.deps.reads.newestEntryAt()}`;
  const remaining = REMAINING.of(run, version, () => lookForRemaining(parts, followed, related));
  // What could not be compared is compared again by who looks next.
  remaining.catch(() => REMAINING.forget(run));
  return remaining;
}

async function lookForRemaining(parts: WebParts, followed: FollowedRun, related: RelatedRuns): Promise<Remaining> {
  const { run, runId } = followed;
  const { retryable, leftOut, isWhole } = await sinceOfRun(parts, followed, related);
  const paid = await parts.deps.calls.paidElsewhere({ runId, rows: retryable.map(({ row }) => row) });
  const isPaid = new Set(paid.map(({ row }) => row));
  const rows = retryable.filter(({ row }) => !isPaid.has(row));
  const byHow = Map.groupBy([...leftOut, ...paid], ({ how }) => how);
  return {
    rows,
    notSent: rows.filter(({ row }) => run.payouts.get(row)?.state === 'not_submitted').length,
    codes: new Set(rows.map(({ row }) => codeOf(run, row))),
    leftOut: new Map(
      Array.from(byHow, ([how, left]) => {
        return [how, { rows: left.length, runIds: [...new Set(left.map((one) => one.runId))] }];
      }),
    ),
    isWhole,
  };
}

function codeOf({ payouts, cancelled: isCancelled }: RunState, row: number): string {
  const payout = payouts.get(row);
  return payout === undefined ? '' : (outcomeOf(payout, { isCancelled, mayHaveCopy: false }).code ?? '');
}

type Sum = { sum: bigint; currency: Currency };

const SUMS = new WorkedOut<readonly RunRow[], Sum[]>();

/** The sum of these rows in each currency, as people read it. It is added up once for one array. */
export function sumsOf(rows: readonly RunRow[]): string[] {
  const added = SUMS.of(rows, 0, () => {
    const sums = new Map<string, Sum>();
    for (const { order } of rows) {
      if (order === null) continue;
      const key = currencyKey(order.currency);
      const sum = (sums.get(key)?.sum ?? 0n) + BigInt(order.amount_minor);
      sums.set(key, { sum, currency: order.currency });
    }
    return [...sums.values()];
  });
  return added.map(({ sum, currency }) => minorText(sum, currency));
}
