import type { Actor } from '../../domain/entry.ts';
import type { Profile } from '../../domain/profile.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import type { QueuedRuns, QueuedTask } from '../../journal/queued-run.ts';
import type { RunQueue } from '../../queue/run-queue.ts';
import { holdingRun, readKnownRun, requireStarted } from '../runs/known-run.ts';
import { unpause } from './resume.ts';
import type { RunDeps } from './run-deps.ts';

/** The queue that wakes workers. */
export type LeavingDeps = { queue: Pick<RunQueue, 'send'> };

/** A run that was left to workers. */
export type LeftRun = { runId: string; run: RunState };

/** How a worker goes on with a run of the person who leaves it to workers. */
export function goingOn({ page_person: person }: Actor, resubmitAbsent = false): QueuedTask {
  return { person: person ?? null, resubmitAbsent };
}

/**
 * Gives the run back and wakes a worker. That the run is left to workers stands in the journal by then: what the queue does
 * not take, a worker finds there.
 */
export async function leaveToWorkers(
  { log, queue }: Pick<RunDeps, 'log'> & LeavingDeps,
  run: RunState,
  writer: RunWriter,
): Promise<LeftRun> {
  const { runId } = writer;
  await writer.release();
  try {
    await queue.send([runId]);
  } catch (error) {
    log.warn({ error, run: runId }, 'the queue did not take a run; a worker finds it in the journal');
  }
  return { runId, run };
}

/** Leaves a run that stopped, or that a person paused, to workers. Throws a `Refusal` where `resumeRun` would. */
export function leaveRun(
  deps: Pick<RunDeps, 'journal' | 'actor' | 'log'> & LeavingDeps,
  { runId, resubmitAbsent }: { runId: string; resubmitAbsent: boolean },
): Promise<LeftRun> {
  const { journal, actor } = deps;
  const { by: _, ...person } = actor;
  return holdingRun(journal, { runId, person }, async (writer) => {
    const run = await readKnownRun(journal, runId);
    requireStarted(run);
    if (run.header !== null) requireSharedService(run.header.profile);
    await unpause(deps, run, writer);
    await queuedRuns(journal).add(runId, goingOn(actor, resubmitAbsent));
    return leaveToWorkers(deps, run, writer);
  });
}

/** Throws a `Refusal` (`workers_need_service`) for the rehearsal service inside of this process: no worker reaches it. */
export function requireSharedService({ base_url }: Pick<Profile, 'base_url'>): void {
  if (base_url === null) throw new Refusal({ code: 'workers_need_service' });
}

/** No worker executes it any more, whatever the last one left it for: a person goes on with it elsewhere. */
export async function takeBack({ queued }: Pick<Journal, 'queued'>, runId: string): Promise<void> {
  if (queued !== null && (await queued.find(runId)) !== null) await queued.remove(runId);
}

/** The runs that are left to workers, of a journal that has them. */
export function queuedRuns({ queued }: { queued: QueuedRuns | null }): QueuedRuns {
  assert(queued, 'a journal of one machine has no workers');
  return queued;
}
