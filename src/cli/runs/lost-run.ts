import { lossOf as knownLoss } from '../../app/runs/known-run.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { refusal } from '../../messages/refusals/refusal.ts';
import type { CommandLine } from '../../report/command-line.ts';

/**
 * Runs a command's work on a run. Where the run is taken from this process, or the disk leaves open what it took, the
 * process has stopped before sending anything more, and the Refusal that is thrown says so in words.
 */
export async function keepingRun<Result>(
  runId: string,
  command: CommandLine,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw lossOf(error, runId, command) ?? error;
  }
}

/** The loss of a run in words, or null for any other error. `runId` is null where no run is known. */
export function lossOf(error: unknown, runId: string | null, command: CommandLine): Refusal | null {
  const loss = knownLoss(error);
  return loss && refusal({ code: 'run_lost', loss, runId }, command);
}
