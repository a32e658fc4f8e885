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
    throw lossOf(error, runId, command) ?? error;
  }
}

/** The loss of a run in words, or null for any other error. `runId` is null where no run is known. */
export function lossOf(error: unknown, runId: string | null, command: CommandLine): Refusal | null {
  const run = runId === null ? 'the run' : `run ${runId}`;
  const resume = command('resume', runId ?? 'RUN');
  const show = command('show', runId ?? 'RUN');
  const details = { run_id: runId, stopped: true };
  if (error instanceof CommitUncertain) {
    const cause = error.cause instanceof Error ? error.cause.message : String(error.cause);
    return new Refusal(
      'person_needed',
      `The disk did not confirm what was written last about ${run} (${cause}). This process has stopped, and sends nothing more.`,
      `Nothing is lost. Make room on the disk or mend it; then this reads again what is on it and goes on from there: ${resume}`,
      details,
    );
  }
  if (!(error instanceof Deposed)) return null;
  switch (error.why) {
    case 'taken':
      return new Refusal(
        'held',
        `Another process has taken ${run} over, because this one was silent for too long. This one has stopped, and sends nothing more.`,
        `Nothing is lost: the other goes on from the journal. See how far it is: ${show}`,
        details,
      );
    case 'replaced':
      return new Refusal(
        'held',
        `The journal's file was replaced or removed while this process worked on ${run}. It has stopped, and sends nothing more. What it wrote is not in the file that is there now, if any.`,
        `Put the newest copy of the journal back, with the -wal file beside it, and then: ${resume}`,
        details,
      );
  }
}
