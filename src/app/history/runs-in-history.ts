import type { Counts, StartTime } from '../../domain/entry.ts';
import type { RunPhase } from '../../domain/run/run-state.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import { overtakenRetries } from '../../runner/retries.ts';
import { type ListedRun, listRuns } from './list-runs.ts';

/** The state of a run in the history. A plan that was ended, or that can be started no more, awaits nothing. */
export type ListedState = RunPhase | 'cancelled_plan' | 'rejected_plan' | 'recalled_plan' | 'overtaken_plan';

/**
 * `counts` and `finishedAt` are null where the run is not over: only its journal has them. `start`: when it is, or was, to be started on its own;
 * null where nobody scheduled it.
 */
export type RunInHistory = {
  summary: RunSummary;
  state: ListedState;
  counts: Counts | null;
  finishedAt: number | null;
  planned: ListedRun['planned'];
  start: StartTime | null;
  returned: ListedRun['returned'];
};

/** Every run, newest first, without reading any of them whole. Throws `JournalDamaged`. */
export async function runsInHistory(journal: Journal): Promise<RunInHistory[]> {
  const runs = await listRuns(journal);
  const overtaken = overtakenRetries(runs.map(({ summary }) => summary));
  const all: RunInHistory[] = [];
  for (const { summary, finished, planned, isCancelled, replacedBy, planEnd, scheduled, returned } of runs) {
    const start = scheduled?.start ?? null;
    const known = { summary, start, returned, planned };
    const { run_id, isPlanned } = summary;
    if (isPlanned) {
      const isGone = isCancelled || replacedBy !== null;
      const ended = planEnd === null ? 'cancelled_plan' : (`${planEnd.as}_plan` as const);
      const state = isGone ? ended : overtaken.has(run_id) ? 'overtaken_plan' : 'planned';
      all.push({ ...known, state, counts: null, finishedAt: null });
    } else if (finished !== null)
      all.push({ ...known, state: 'finished', counts: finished.counts, finishedAt: finished.at });
    else {
      const state = (await journal.holder(run_id)) === null ? 'stopped' : 'running';
      all.push({ ...known, state, counts: null, finishedAt: null });
    }
  }
  return all;
}
