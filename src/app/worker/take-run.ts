import { Refusal } from '../../domain/refusal.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { packedRows } from '../../journal/packed-rows.ts';
import type { QueuedRun } from '../../journal/queued-run.ts';
import { endingOf } from '../../report/model/outcome.ts';
import { isNotifyingDue } from '../run/end-notices.ts';
import { reportEnded } from '../run/ended-run.ts';
import { resumeRun } from '../run/resume.ts';
import type { ExecutedRun, RunDeps } from '../run/run-deps.ts';
import { readKnownRun, refusalIn } from '../runs/known-run.ts';

/** What a worker does to a run that it took, or tried to take. */
export type Taken =
  | { outcome: 'executed'; executed: ExecutedRun }
  | { outcome: 'refused'; reason: RefusalReason }
  /** A bug, or a machine that failed. */
  | { outcome: 'failed'; error: unknown };

/**
 * Goes on with a run as `resume` does: whatever the queue holds, the lease decides whether it may. Never rejects. A run that a
 * person has paused is refused (`run_paused`); of one that is over only the report is written.
 */
export async function takeRun(deps: RunDeps, queued: QueuedRun): Promise<Taken> {
  try {
    return { outcome: 'executed', executed: await execute(deps, queued) };
  } catch (error) {
    const refusal = refusalIn(error);
    return refusal === null ? { outcome: 'failed', error } : { outcome: 'refused', reason: refusal.reason };
  }
}

async function execute(deps: RunDeps, { runId, task }: QueuedRun): Promise<ExecutedRun> {
  const { journal } = deps;
  const run = await readKnownRun(journal, runId, packedRows());
  const over = await reportOver(deps, run);
  if (over !== null) return over;
  // Nobody holds it: who held it last ended without hearing of it.
  if ((await journal.pauseAsked(runId)) !== null) throw new Refusal({ code: 'run_paused', runId });
  // Found out before anybody is kept from it: another worker may have the key.
  await deps.wayOf(run);
  return resumeRun(deps, { runId, resubmitAbsent: task.resubmitAbsent, leavesPaused: true });
}

/**
 * The report of a run that its last worker finished without being able to note that it is done with it. Null where the run is not
 * over, also because somebody has taken it up since, or is still to be notified of its end.
 */
async function reportOver(deps: RunDeps, run: RunState): Promise<ExecutedRun | null> {
  if (run.finished === null) return null;
  const end = { end: 'finished', counts: run.finished } as const;
  if (await isNotifyingDue({ run, end, ending: endingOf(run, null) }, deps)) return null;
  const watching = deps.watch(run);
  return reportEnded(deps, watching, run, end).finally(() => watching.end());
}
