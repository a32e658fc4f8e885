import { Refusal } from '../domain/refusal.ts';
import { CommitUncertain, Deposed } from '../journal/journal.ts';
import type { CommandLine } from '../report/command-line.ts';

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
    if (error instanceof Deposed) throw takenOver(runId, command);
    if (error instanceof CommitUncertain) throw unconfirmed(error, runId, command);
    throw error;
  }
}

function takenOver(runId: string, command: CommandLine): Refusal {
  return new Refusal(
    'held',
    `Another process has taken run ${runId} over, because this one was silent for too long. This one has stopped, and sends nothing more.`,
    `Nothing is lost: the other goes on from the journal. See how far it is: ${command('show', runId)}`,
    { run_id: runId },
  );
}

function unconfirmed(error: CommitUncertain, runId: string, command: CommandLine): Refusal {
  const cause = error.cause instanceof Error ? error.cause.message : String(error.cause);
  return new Refusal(
    'person_needed',
    `The disk did not confirm what was written last about run ${runId} (${cause}). This process has stopped, and sends nothing more.`,
    `Nothing is lost. Make room on the disk or mend it; then this reads again what is on the disk and goes on from there: ${command('resume', runId)}`,
    { run_id: runId },
  );
}
