import { Refusal } from '../../domain/refusal.ts';
import { applyToRun } from '../../domain/run/run.ts';
import { RunState } from '../../domain/run/run-state.ts';
import type { Holder, RunFollower } from '../../journal/journal.ts';
import type { QueuedRun } from '../../journal/queued-run.ts';
import { snapshotFromJournal } from '../../report/model/snapshot.ts';
import type { RunEnd } from '../../runner/run.ts';
import { undamaged, unknownRun } from '../runs/known-run.ts';
import { type ReportDeps, reportEnded } from './ended-run.ts';
import { queuedRuns } from './left-run.ts';
import type { ExecutedRun, RunDeps, Watching } from './run-deps.ts';

/** How a run stands at the workers. `holder`: the process that works on it. */
export type AtWorkers = { queued: QueuedRun; holder: Holder | null };

export type FollowDeps = ReportDeps &
  Pick<RunDeps, 'advice'> & {
    watch(run: RunState): Watching;
    /** Shows how it stands at the workers. Called each time that it is looked at, until it has finished. */
    onStanding(standing: AtWorkers): void;
    /** Asks who works on the run to pause it, or pauses it where nobody does. Never rejects. */
    pause(): Promise<void>;
  };

const LOOK_EVERY_MS = 250;

/**
 * Shows a run that workers execute as if it was executed here, from its journal, for as long as it is left to them: then it
 * is over, or waits for a person. Writes the report here too. Where it is stopped here, the worker is asked to pause. Throws a
 * `Refusal` where no worker can execute it.
 */
export async function followRun(deps: FollowDeps, runId: string): Promise<ExecutedRun> {
  const { journal, clock } = deps;
  const run = new RunState();
  const follower = journal.followRun(runId);
  await readOn(follower, run, runId);
  if (run.header === null) throw new Refusal(await unknownRun(journal, runId));
  const watching = deps.watch(run);
  const pausing: Promise<void>[] = [];
  watching.stop.addEventListener('abort', () => pausing.push(deps.pause()));
  try {
    for (;;) {
      const queued = await queuedRuns(journal).find(runId);
      const holder = await journal.holder(runId);
      await readOn(follower, run, runId);
      watching.onProgress(snapshotFromJournal(run));
      if (queued === null || queued.dueAt === null) return await ended(deps, watching, run, { queued, holder });
      if (run.finished === null) deps.onStanding({ queued, holder });
      await clock.sleep(LOOK_EVERY_MS);
    }
  } finally {
    await Promise.all(pausing);
    watching.end();
  }
}

async function readOn(follower: RunFollower, run: RunState, runId: string): Promise<void> {
  await undamaged(runId, async () => {
    for await (const page of follower.next()) for (const { at, entry } of page) applyToRun(run, entry, at);
  });
}

/** No worker has it any more. */
async function ended(
  deps: FollowDeps,
  watching: Watching,
  run: RunState,
  { queued, holder }: { queued: QueuedRun | null; holder: Holder | null },
): Promise<ExecutedRun> {
  const runId = run.header?.run_id ?? '';
  const isOver = run.finished !== null || run.stopped !== null;
  if (!isOver && queued?.why != null) throw new Refusal(queued.why);
  if (!isOver && holder !== null) throw new Refusal({ code: 'held', runId, holder });
  return reportEnded(deps, watching, run, endOf(run));
}

function endOf({ finished, stopped, stopWhy }: RunState): RunEnd {
  if (finished !== null) return { end: 'finished', counts: finished };
  if (stopped === null || stopped === 'interrupted' || stopWhy === null) return { end: 'interrupted' };
  return { end: 'halted', reason: stopped, why: stopWhy };
}
