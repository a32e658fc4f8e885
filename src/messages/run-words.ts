import type { Loss, NotStarted, RunUnavailable, ServiceUnusable } from '../domain/outcomes/run-outcome.ts';
import { Refusal } from '../domain/refusal.ts';

/** Writes a command of payrun whole. */
export type Commands = (...words: string[]) => string;

/** Why nothing could be done with a run, and what to do about it. */
export function runRefusal(refused: RunUnavailable | NotStarted | ServiceUnusable, command: Commands): Refusal {
  switch (refused.outcome) {
    case 'unknown_run': {
      const { runId, near } = refused;
      const runs = `\`${command('runs')}\``;
      const remedy = near === null ? `See ${runs} for the runs there are.` : `Did you mean ${near}? See ${runs}.`;
      return new Refusal('usage', `There is no run ${runId} in this data directory.`, remedy, { run_id: runId });
    }
    case 'damaged': {
      const remedy = `See what \`${command('verify', refused.runId)}\` says.`;
      return new Refusal('person_needed', `The journal is not as it was written: ${refused.cause}.`, remedy);
    }
    case 'held': {
      const { runId, holder } = refused;
      const what = `Run ${runId} is held by process ${holder.pid} on ${holder.host}.`;
      const remedy = 'Wait for it, or stop that process; nothing is lost by either.';
      return new Refusal('held', what, remedy, { run_id: runId });
    }
    case 'lost':
      return lossRefusal(refused.loss, refused.runId, command);
    case 'not_started':
      return notStartedRefusal(refused, command);
    case 'service_unusable':
      return new Refusal(refused.kind, refused.message, refused.remedy);
  }
}

function notStartedRefusal({ runId, isCancelled, replacedBy }: NotStarted, command: Commands): Refusal {
  const remedy =
    replacedBy !== null
      ? `A newer plan took its place: \`${command('show', replacedBy)}\`.`
      : isCancelled
        ? 'Make a new plan of the file.'
        : `Start it with \`${command('run', runId)}\`.`;
  const what = isCancelled ? 'is a plan that was cancelled' : 'is a plan that nobody has started';
  return new Refusal('refused', `${runId} ${what}. Nothing was sent.`, remedy, { run_id: runId });
}

/** How a process lost the run. `runId` is null where no run is known. */
export function lossRefusal({ why, cause }: Loss, runId: string | null, command: Commands): Refusal {
  const run = runId === null ? 'the run' : `run ${runId}`;
  const resume = command('resume', runId ?? 'RUN');
  const show = command('show', runId ?? 'RUN');
  const details = { run_id: runId, stopped: true };
  switch (why) {
    case 'commit_uncertain':
      return new Refusal(
        'person_needed',
        `The disk did not confirm what was written last about ${run} (${cause}). This process has stopped, and sends nothing more.`,
        `Nothing is lost. Make room on the disk or mend it; then this reads again what is on it and goes on from there: ${resume}`,
        details,
      );
    case 'unreadable':
      return new Refusal(
        'person_needed',
        `The journal could not be read (${cause}). This process has stopped, and sends nothing more of ${run}.`,
        `Nothing is lost. Repair the disk, or let the process open more files (ulimit -n 1024); then go on: ${resume}`,
        details,
      );
    case 'out_of_descriptors':
      return new Refusal(
        'person_needed',
        `Too many files are open (${cause}). This process has stopped, and sends nothing more of ${run}.`,
        `Nothing is lost. Let the process open more files (ulimit -n 1024), then go on: ${resume}`,
        details,
      );
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
        `Another program changed the journal's files while this process worked on ${run}: ${cause}. It has stopped, and sends nothing more. What it wrote last may be lost.`,
        `Keep what is there, put back the newest copy of the journal that was made before, with the -wal file beside it, and then: ${resume}. It looks at the service for what that copy does not know.`,
        details,
      );
  }
}
