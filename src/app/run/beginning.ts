import type { CreateRun } from '../../journal/journal.ts';
import { executeRun, type RunHeld } from './execute-run.ts';
import { goingOn, type LeavingDeps, type LeftRun, leaveToWorkers } from './left-run.ts';
import type { ExecutedRun, RunDeps } from './run-deps.ts';

/** Who goes on with a run that begins. `queued` where that are workers; `goOn` is called when it has begun. */
export type Beginning<Result> = Pick<CreateRun, 'queued'> & { goOn(held: RunHeld): Promise<Result> };

/** This process, until the run is final or has to stop. */
export function executedHere(deps: RunDeps): Beginning<ExecutedRun> {
  return { goOn: (held) => executeRun(deps, held) };
}

export function leftToWorkers(deps: Pick<RunDeps, 'log' | 'actor'> & LeavingDeps): Beginning<LeftRun> {
  return { queued: goingOn(deps.actor), goOn: ({ run, writer }) => leaveToWorkers(deps, run, writer) };
}
