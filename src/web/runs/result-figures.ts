import type { TimeSlice } from '../../app/background/time-slice.ts';
import type { ReadRelative, RelatedRuns, RunSince } from '../../app/retry/related-runs.ts';
import type { OutcomeWhy } from '../../domain/outcomes/payout-outcome.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { messages } from '../../messages/messages.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { progressPoints } from '../../report/model/progress.ts';
import { headlineOf, leadOf } from '../../report/model/summary.ts';
import { feesOf, railTotalsOf, ratesOf } from '../../report/model/totals.ts';
import { unpaidGroups } from '../../report/model/unpaid.ts';
import { Worded, WorkedOut } from '../once.ts';
import type { WebParts } from '../parts.ts';
import { pageCommand } from '../shell/words.ts';
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
    progress: await after(progressPoints(run)),
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
