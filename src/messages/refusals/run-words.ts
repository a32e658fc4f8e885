import type { NothingToRetry } from '../../domain/outcomes/plan-obstacle.ts';
import type { Loss, NotStarted, RunUnavailable } from '../../domain/outcomes/run-outcome.ts';
import type { AnotherService } from '../../domain/outcomes/service-outcome.ts';
import type { Commands, RefusalWords, WordsOf } from './refusal-words.ts';

/** Why nothing is done with a run. */
export const RUN_WORDS: WordsOf<'run_unavailable' | 'run_lost' | 'another_service' | 'not_retriable'> = {
  run_unavailable: ({ why }, { command }) => runWords(why, command),
  run_lost: ({ loss, runId }, { command }) => lossWords(loss, runId, command),
  another_service: ({ why }) => anotherServiceWords(why),
  not_retriable: ({ why }, { command }) => retryWords(why, command),
};

/** Why nothing could be done with a run, and what to do about it. */
export function runWords(refused: RunUnavailable | NotStarted, command: Commands): RefusalWords {
  switch (refused.outcome) {
    case 'unknown_run': {
      const { runId, near } = refused;
      const runs = `\`${command('runs')}\``;
      const meant = near === null ? '' : `Did you mean ${near}? `;
      return {
        kind: 'usage',
        message: `There is no run ${runId} in this data directory.`,
        remedy: {
          command_line: near === null ? `See ${runs} for the runs there are.` : `${meant}See ${runs}.`,
          page: `${meant}The history lists the runs there are.`,
        },
        details: { run_id: runId },
      };
    }
    case 'damaged':
      return {
        kind: 'person_needed',
        message: `The journal is not as it was written: ${refused.cause}.`,
        remedy: {
          command_line: `See what \`${command('verify', refused.runId)}\` says.`,
          page: ASK_OPERATOR,
        },
      };
    case 'held': {
      const { runId, holder } = refused;
      return {
        kind: 'held',
        message: `Run ${runId} is held by process ${holder.pid} on ${holder.host}.`,
        remedy: 'Wait for it, or stop that process; nothing is lost by either.',
        details: { run_id: runId },
      };
    }
    case 'lost':
      return lossWords(refused.loss, refused.runId, command);
    case 'not_started':
      return notStartedWords(refused, command);
  }
}

const ASK_OPERATOR = 'Let nobody pay anything of it in another way. Whoever operates payrun can see what was altered.';

function notStartedWords({ runId, isCancelled, replacedBy }: NotStarted, command: Commands): RefusalWords {
  const what = isCancelled ? 'is a plan that was cancelled' : 'is a plan that nobody has started';
  const again = 'Make a new plan of the file.';
  return {
    kind: 'refused',
    message: `${runId} ${what}.`,
    nothingSent: true,
    remedy:
      replacedBy !== null
        ? {
            command_line: `A newer plan took its place: \`${command('show', replacedBy)}\`.`,
            page: `A newer plan took its place: ${replacedBy}.`,
          }
        : isCancelled
          ? again
          : { command_line: `Start it with \`${command('run', runId)}\`.`, page: `Start it on its page.` },
    details: { run_id: runId },
  };
}

/** How a process lost the run. */
function lossWords({ why, cause }: Loss, runId: string | null, command: Commands): RefusalWords {
  const run = runId === null ? 'the run' : `run ${runId}`;
  const resume = command('resume', runId ?? 'RUN');
  const details = { run_id: runId, stopped: true };
  const kind = 'person_needed';
  switch (why) {
    case 'commit_uncertain':
      return {
        kind,
        message: `The disk did not confirm what was written last about ${run} (${cause}). This process has stopped, and sends nothing more.`,
        remedy: {
          command_line: `Nothing is lost. Make room on the disk or mend it; then this reads again what is on it and goes on from there: ${resume}`,
          page: 'Nothing is lost. Have room made on the disk, or the disk repaired; then “Go on” reads again what is on it.',
        },
        details,
      };
    case 'unreadable':
      return {
        kind,
        message: `The journal could not be read (${cause}). This process has stopped, and sends nothing more of ${run}.`,
        remedy: {
          command_line: `Nothing is lost. Repair the disk, or let the process open more files (ulimit -n 1024); then go on: ${resume}`,
          page: 'Nothing is lost. Have the disk repaired, or let the process open more files (ulimit -n 1024); then press “Go on”.',
        },
        details,
      };
    case 'out_of_descriptors':
      return {
        kind,
        message: `Too many files are open (${cause}). This process has stopped, and sends nothing more of ${run}.`,
        remedy: {
          command_line: `Nothing is lost. Let the process open more files (ulimit -n 1024), then go on: ${resume}`,
          page: 'Nothing is lost. Let the process open more files (ulimit -n 1024), then press “Go on”.',
        },
        details,
      };
    default:
      return takenWords({ why, cause }, runId, command);
  }
}

/** How a process lost the run to another process or program. */
function takenWords(
  {
    why,
    cause,
  }: { why: Exclude<Loss['why'], 'commit_uncertain' | 'unreadable' | 'out_of_descriptors'>; cause: string },
  runId: string | null,
  command: Commands,
): RefusalWords {
  const run = runId === null ? 'the run' : `run ${runId}`;
  const resume = command('resume', runId ?? 'RUN');
  const details = { run_id: runId, stopped: true };
  const kind = 'person_needed';
  switch (why) {
    case 'taken': {
      const show = command('show', runId ?? 'RUN');
      return {
        kind: 'held',
        message: `Another process has taken ${run} over, because this one was silent for too long. This one has stopped, and sends nothing more.`,
        remedy: {
          command_line: `Nothing is lost: the other goes on from the journal. See how far it is: ${show}`,
          page: 'Nothing is lost: the other goes on from the journal. This page shows how far it is.',
        },
        details,
      };
    }
    case 'replaced':
      return {
        kind,
        message: `The journal's file was replaced or removed while this process worked on ${run}. It has stopped, and sends nothing more. What it wrote is not in the file that is there now, if any.`,
        remedy: {
          command_line: `Put the newest copy of the journal back, with the -wal file beside it, and then: ${resume}`,
          page: 'Whoever operates payrun puts the newest copy of the journal back, with the -wal file beside it. Then press “Go on”.',
        },
        details,
      };
    case 'altered':
      return {
        kind,
        message: `Another program changed the journal's files while this process worked on ${run}: ${cause}. It has stopped, and sends nothing more. What it wrote last may be lost.`,
        remedy: {
          command_line: `Keep what is there, put back the newest copy of the journal that was made before, with the -wal file beside it, and then: ${resume}. It looks at the service for what that copy does not know.`,
          page: 'Whoever operates payrun keeps what is there, and puts back the newest copy of the journal that was made before, with the -wal file beside it. Then press “Go on”: it looks at the service for what that copy does not know.',
        },
        details,
      };
  }
}

/** That a run does not go on at the service that answers. */
export function anotherServiceWords(refused: AnotherService): RefusalWords {
  switch (refused.why) {
    case 'rehearsal_differs': {
      const was = refused.wasRehearsal ? 'a rehearsal' : 'no rehearsal';
      const message = `This run is ${was}, and the service says otherwise.`;
      return { kind: 'usage', message, remedy: 'Resume it where it began.' };
    }
    case 'unknown_transaction':
      return {
        kind: 'usage',
        message: `The service does not know ${refused.transactionId}, which is a transaction of this run: it is another service.`,
        remedy: 'Resume the run at the service where it began.',
      };
    case 'nothing_shows_it':
      return {
        kind: 'usage',
        message: 'A payout of this run is in doubt, and nothing shows that this is the service where it was sent.',
        remedy: 'Resume the run with the address and the key with which it began.',
      };
  }
}

/** Rows that a refusal names. */
const NAMED_MAX = 20;

/** Why there is nothing of a run to be paid again. */
export function retryWords(cause: NothingToRetry, command: Commands): RefusalWords {
  const { runId } = cause;
  switch (cause.outcome) {
    case 'not_finished':
      return {
        kind: 'refused',
        message: `${runId} is not finished.`,
        nothingSent: true,
        remedy: {
          command_line: `Go on with it first: ${command('resume', runId)}`,
          page: 'Go on with it first, on its page.',
        },
        details: { run_id: runId },
      };
    case 'nothing':
      return {
        kind: 'refused',
        message: `Nothing to retry: ${runId} has no failed, rejected or unsent row that is to be paid still.`,
        nothingSent: true,
        lines: cause.leftOut.slice(0, NAMED_MAX).map(leftText),
        remedy: { command_line: `See \`${command('show', runId)}\`.`, page: `Look at ${runId}.` },
        details: { run_id: runId },
      };
    default:
      return runWords(cause, command);
  }
}

export function leftText({ row, why }: { row: number; why: string }): string {
  return `Row ${row} ${why}.`;
}
