import { Refusal } from '../../domain/refusal.ts';
import { CommitUncertain, Deposed, JournalUnreadable } from '../../journal/journal.ts';
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
  if (error instanceof JournalUnreadable) {
    const cause = error.cause instanceof Error ? error.cause.message : String(error.cause);
    return new Refusal(
      'person_needed',
      `The journal could not be read (${cause}). This process has stopped, and sends nothing more of ${run}.`,
      `Nothing is lost. Repair the disk, or let the process open more files (ulimit -n 1024); then go on: ${resume}`,
      details,
    );
  }
  if (isOutOfDescriptors(error)) {
    return new Refusal(
      'person_needed',
      `Too many files are open (${error.message}). This process has stopped, and sends nothing more of ${run}.`,
      `Nothing is lost. Let the process open more files (ulimit -n 1024), then go on: ${resume}`,
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
        'person_needed',
        `The journal's file was replaced or removed while this process worked on ${run}. It has stopped, and sends nothing more. What it wrote is not in the file that is there now, if any.`,
        `Put the newest copy of the journal back, with the -wal file beside it, and then: ${resume}`,
        details,
      );
    case 'altered':
      return new Refusal(
        'person_needed',
        `Another program changed the journal's files while this process worked on ${run}: ${error.message}. It has stopped, and sends nothing more. What it wrote last may be lost.`,
        `Keep what is there, put back the newest copy of the journal that was made before, with the -wal file beside it, and then: ${resume}. It looks at the service for what that copy does not know.`,
        details,
      );
  }
}

function isOutOfDescriptors(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
