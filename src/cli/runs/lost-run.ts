import { lossOf as knownLoss } from '../../app/runs/known-run.ts';
import { Refusal } from '../../domain/refusal.ts';

/**
 * Runs a command's work on a run. Where the run is taken from this process, or the disk leaves open what it took, the
 * process has stopped before sending anything more, and the Refusal that is thrown says so.
 */
export async function keepingRun<Result>(runId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw lossOf(error, runId) ?? error;
  }
}

/** The loss of a run, or null for any other error. `runId` is null where no run is known. */
export function lossOf(error: unknown, runId: string | null): Refusal | null {
  const loss = knownLoss(error);
  return loss && new Refusal({ code: 'run_lost', loss, runId });
}
