import type { Alteration, Holding, Loss } from '../../domain/outcomes/run-outcome.ts';
import type { ReasonOf } from '../../domain/refusals/reason.ts';
import type { CommandLine } from '../command-line.ts';
import { damageText } from '../damage-words.ts';
import { stopText } from '../stop-words.ts';
import { asSentence } from '../text.ts';
import { t, textTable } from '../translate.ts';
import type { RefusalWords, Wording, WordsOf } from './refusal-words.ts';

const wait = () => t`Wait for it, or stop that process. Nothing is lost either way.`;

/** Why nothing could be done with a run, and what to do about it. */
export const RUN_WORDS: WordsOf<
  | 'unknown_run'
  | 'damaged'
  | 'held'
  | 'job_held'
  | 'lost'
  | 'not_started'
  | 'was_cancelled'
  | 'others_started'
  | 'another_service'
  | 'look_interrupted'
  | 'look_stopped'
> = {
  unknown_run: ({ runId, near }, { command }) => {
    const runs = `\`${command('runs')}\``;
    const meant = near === null ? '' : t`Did you mean ${near}? `;
    return {
      message: t`There is no run ${runId} in this data directory.`,
      remedy: {
        command_line: near === null ? `See ${runs} for the runs there are.` : `${meant}See ${runs}.`,
        page: t`${meant}The history lists the runs there are.`,
      },
      details: { run_id: runId },
    };
  },
  damaged: ({ runId, cause }, { command }) => ({
    message: t`The journal was changed after it was written: ${damageText(cause)}.`,
    remedy: {
      command_line:
        runId === null
          ? `\`${command('verify')}\` with that run says what was altered.`
          : `See what \`${command('verify', runId)}\` says.`,
      page: t`Do not pay any of it by other means. Your administrator can see what was altered.`,
    },
  }),
  held: ({ runId, holder }) => ({
    message: t`Run ${runId} is held by ${processText(holder)}.`,
    remedy: wait(),
    details: { run_id: runId },
  }),
  job_held: ({ job, runId, holder }) => ({
    message: t`Job ${job} is held: ${processText(holder)} works on its run ${runId}.`,
    nothingSent: true,
    remedy: wait(),
    details: { run_id: runId },
  }),
  lost: ({ loss, runId }, { command }) => lossWords(loss, runId, command),
  not_started: (reason, { command }) => notStartedWords(reason, command),
  was_cancelled: ({ runId }, { command }) => ({
    message: t`${runId} was cancelled: nothing more is submitted, so there is nothing to pause.`,
    remedy: {
      command_line: `See its progress: ${command('show', runId)}`,
      page: t`Its page shows the progress.`,
    },
    details: { run_id: runId },
  }),
  others_started: () => ({ message: t`Other runs kept starting.`, nothingSent: true, remedy: t`Try again.` }),
  another_service: (reason) => anotherServiceWords(reason),
  look_interrupted: () => ({ message: t`The check was interrupted.`, remedy: t`Let it finish.` }),
  look_stopped: ({ why }) => ({
    message: {
      command_line: `The check stopped: ${asSentence(stopText(why, 'command_line'))}`,
      page: t`The check stopped: ${asSentence(stopText(why, 'page'))}`,
    },
    remedy:
      why.code === 'credentials_refused'
        ? { command_line: 'Check --api-key and --signing-key.', page: t`Have the API key and the signing key checked.` }
        : t`Wait until the service answers.`,
  }),
};

function processText({ pid, host }: Holding): string {
  return t`process ${pid} on ${host}`;
}

function notStartedWords(reason: ReasonOf<'not_started'>, command: CommandLine): RefusalWords {
  const { runId, isCancelled, replacedBy } = reason;
  const what = isCancelled ? t`is a plan that was cancelled` : t`is a plan that nobody has started`;
  const start = { command_line: `Start it with \`${command('run', runId)}\`.`, page: t`Start it on its page.` };
  const instead = replacedBy !== null && {
    command_line: `A newer plan took its place: \`${command('show', replacedBy)}\`.`,
    page: t`A newer plan took its place: ${replacedBy}.`,
  };
  return {
    message: `${runId} ${what}.`,
    nothingSent: true,
    remedy: instead || (isCancelled ? t`Make a new plan of the file.` : start),
    details: { run_id: runId },
  };
}

/** How a process lost the run. */
function lossWords(loss: Loss, runId: string | null, command: CommandLine): RefusalWords {
  const run = runId === null ? t`the run` : t`run ${runId}`;
  const resume = command('resume', runId ?? 'RUN');
  const [message, remedy] = lossText(loss, run, { resume, show: command('show', runId ?? 'RUN') });
  return { message, remedy, details: { run_id: runId, stopped: true } };
}

function lossText(
  loss: Loss,
  run: string,
  { resume, show }: { resume: string; show: string },
): [message: string, remedy: Wording] {
  const stopped = t`This process has stopped and sends nothing more`;
  switch (loss.why) {
    case 'commit_uncertain':
      if (loss.database !== undefined)
        return databaseLossText(loss.database, t`did not confirm the last write`, loss.cause, {
          run,
          stopped,
          resume,
        });
      return [
        t`The disk did not confirm the last write about ${run} (${loss.cause}). ${stopped}.`,
        {
          command_line: `Nothing is lost. Make room on the disk or mend it; then this reads again what is on it and goes on from there: ${resume}`,
          page: t`Nothing is lost. Free up disk space or repair the disk, then press “Go on”.`,
        },
      ];
    case 'unreadable':
      if (loss.database !== undefined)
        return databaseLossText(loss.database, t`could not be read`, loss.cause, { run, stopped, resume });
      return [
        t`The journal could not be read (${loss.cause}). ${stopped} of ${run}.`,
        {
          command_line: `Nothing is lost. Repair the disk, or let the process open more files (ulimit -n 1024); then go on: ${resume}`,
          page: t`Nothing is lost. Have the disk repaired, or let the process open more files (ulimit -n 1024); then press “Go on”.`,
        },
      ];
    case 'out_of_descriptors':
      return [
        t`Too many files are open (${loss.cause}). ${stopped} of ${run}.`,
        {
          command_line: `Nothing is lost. Let the process open more files (ulimit -n 1024), then go on: ${resume}`,
          page: t`Nothing is lost. Let the process open more files (ulimit -n 1024), then press “Go on”.`,
        },
      ];
    case 'taken':
      return [
        t`Another process took ${run} over because this one was silent for too long. This one has stopped and sends nothing more.`,
        {
          command_line: `Nothing is lost: the other goes on from the journal. See its progress: ${show}`,
          page: t`Nothing is lost. The other process continues from the journal, and this page shows its progress.`,
        },
      ];
    case 'replaced':
      if (loss.database !== undefined) return databaseReplacedText(loss.database, { run, resume });
      return [
        t`The journal's file was replaced or removed while this process worked on ${run}. It has stopped, and sends nothing more. What it wrote is not in the file that is there now, if any.`,
        {
          command_line: `Put the newest copy of the journal back, with the -wal file beside it, and then: ${resume}`,
          page: t`The person who operates payrun puts the newest copy of the journal back, with the -wal file beside it. Then press “Go on”.`,
        },
      ];
    case 'altered':
      return [
        t`Another program changed the journal's files while this process worked on ${run}: ${alterationText(loss)}. It has stopped, and sends nothing more. What it wrote last may be lost.`,
        {
          command_line: `Keep what is there, put back the newest copy of the journal that was made before, with the -wal file beside it, and then: ${resume}. It looks at the service for what that copy does not know.`,
          page: t`The person who operates payrun keeps what is there, and puts back the newest copy of the journal that was made before, with the -wal file beside it. Then press “Go on”: it looks at the service for what that copy does not know.`,
        },
      ];
  }
}

function databaseLossText(
  database: string,
  what: string,
  cause: string,
  { run, stopped, resume }: { run: string; stopped: string; resume: string },
): [message: string, remedy: Wording] {
  return [
    t`The database ${database} ${what} about ${run} (${cause}). ${stopped}.`,
    {
      command_line: `Nothing is lost. When the database answers again, this reads what is in it and goes on from there: ${resume}`,
      page: t`Nothing is lost. Press “Go on” when the database answers again.`,
    },
  ];
}

function databaseReplacedText(
  database: string,
  { run, resume }: { run: string; resume: string },
): [message: string, remedy: Wording] {
  return [
    t`Another server, or a restored copy, took the place of ${database} while this process worked on ${run}. It has stopped, and sends nothing more. What it wrote last may be missing there.`,
    {
      command_line: `Make sure that the old server takes no more commits, and then: ${resume}. It looks at the service for what the database does not know.`,
      page: t`The person who operates payrun makes sure that the old server takes no more commits. Then press “Go on”: it looks at the service for what the database does not know.`,
    },
  ];
}

function alterationText({ path, how }: Alteration): string {
  return t`${path} ${ALTERED[how]} while this process had it open`;
}

const ALTERED: Readonly<Record<Alteration['how'], string>> = textTable({
  cut_short: 'was truncated',
  overwritten: 'was overwritten',
  log: 'has a write-ahead log (-wal) that was cut short or overwritten',
});

/** That a run does not go on at the service that answers. */
function anotherServiceWords(reason: ReasonOf<'another_service'>): RefusalWords {
  switch (reason.why) {
    case 'rehearsal_differs': {
      const was = reason.wasRehearsal ? t`a rehearsal` : t`no rehearsal`;
      return { message: t`This run is ${was}, and the service says otherwise.`, remedy: t`Resume it where it began.` };
    }
    case 'unknown_transaction':
      return {
        message: t`The service does not know ${reason.transactionId}, which is a transaction of this run: it is another service.`,
        remedy: t`Resume the run at the service where it began.`,
      };
    case 'nothing_shows_it':
      return {
        message: t`A payout of this run is unconfirmed, and nothing shows that it was sent to this service.`,
        remedy: t`Resume the run with the address and the key with which it began.`,
      };
  }
}
