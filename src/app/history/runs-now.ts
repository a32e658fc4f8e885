import type { Counts, StartTime } from '../../domain/entry.ts';
import type { RunStanding } from '../../domain/run/run-state.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import type { QueuedRun } from '../../journal/queued-run.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { retriesByRun } from '../../runner/retries.ts';
import { standingNow, undamaged } from '../runs/known-run.ts';
import { type ListedRun, listRuns } from './list-runs.ts';

/**
 * A run as it stands now. `retriedBy`: the runs that retry rows of it, oldest first. `queued`: how it stands at the workers to
 * which it is left; null where it is not. `isWaiting`: for a worker to take it.
 */
export type RunNow = {
  summary: RunSummary;
  state: RunStanding;
  counts: Counts;
  retriedBy: string[];
  queued: QueuedRun | null;
  isWaiting: boolean;
  /** When it is, or was, to be started on its own; null where nobody scheduled it. */
  start: StartTime | null;
};

/** Every run, newest first. Throws a `Refusal` where the journal is damaged. */
export function runsNow(journal: Journal): Promise<RunNow[]> {
  return undamaged(null, async () => {
    const listed = await listRuns(journal);
    const retries = await retriesByRun(
      journal,
      listed.map(({ summary }) => summary),
    );
    const queued = new Map((await journal.queued?.list())?.map((one) => [one.runId, one]));
    const runs: RunNow[] = [];
    // One after another: a run that has to be read whole is not kept beside others.
    for (const one of listed) {
      const { summary, scheduled } = one;
      const start = scheduled?.start ?? null;
      const ending = endingOf(one) ?? (await read(journal, summary.run_id));
      const found = queued.get(summary.run_id) ?? null;
      const isWaiting = found !== null && found.dueAt !== null && (await journal.holder(found.runId)) === null;
      const retriedBy = retries.get(summary.run_id) ?? [];
      runs.push({ summary, ...ending, retriedBy, queued: found, isWaiting, start });
    }
    return runs;
  });
}

type Ending = Pick<RunNow, 'state' | 'counts'>;

/** Null where the run has to be read whole: it is not over, or a payout was perhaps paid twice. */
function endingOf({ finished, isCancelled, hasSurfaced }: ListedRun): Ending | null {
  if (finished === null || hasSurfaced) return null;
  const { counts } = finished;
  if (counts.unresolved > 0) return { state: 'needs_decision', counts };
  return { state: isCancelled ? 'cancelled' : 'finished', counts };
}

async function read(journal: Journal, runId: string): Promise<Ending> {
  const run = await foldPages(journal.readRun(runId));
  return { state: await standingNow(journal, run, runId), counts: countsOf(run) };
}
