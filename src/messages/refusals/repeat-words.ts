import type { NotAllowed, RunNamed } from '../../domain/outcomes/plan-obstacle.ts';
import type { CommandLine } from '../command-line.ts';
import { lookOrAsk, runName } from '../run-name.ts';
import { t } from '../translate.ts';
import { seesRun } from '../viewer.ts';
import type { RefusalWords, WordsOf } from './refusal-words.ts';

/** Why nothing is paid that was paid before as a whole. */
export const REPEAT_WORDS: WordsOf<
  | 'repeat_not_allowed'
  | 'period_run_before'
  | 'file_run_before'
  | 'corrections_run_before'
  | 'retried_meanwhile'
  | 'retry_elsewhere'
> = {
  repeat_not_allowed: ({ cause }, { command }) => notAllowedWords(cause, command),
  period_run_before: ({ by, ...of }, { command }) => periodWords(by, of, command),
  file_run_before: ({ by, newestOf }, { command }) => ({
    message:
      newestOf === null
        ? t`This file was run before, as ${namedText(by)}.`
        : t`There is nothing new: ${newestOf.path}, the newest of ${newestOf.pattern}, was run before, as ${namedText(by)}.`,
    nothingSent: true,
    remedy: {
      command_line: `See \`${command('show', by.runId)}\`; go on with \`${command('resume', by.runId)}\` if it was cut off. To pay everybody again: --allow-repeat ${by.runId}`,
      page: lookAt(by),
    },
    details: { run_id: by.runId, repeatable: by.runId },
  }),
  corrections_run_before: ({ name, by }, { command }) => correctionsWords(name, by, command),
  retried_meanwhile: ({ retries, by }, { command }) => ({
    message: t`${retries} was retried in the meantime, as ${by}.`,
    nothingSent: true,
    remedy: {
      command_line: `See \`${command('show', by)}\`, and what is left to retry when it is over.`,
      page: t`Look at ${by}, and at what is left to retry when it has finished.`,
    },
    details: { run_id: by },
  }),
  /** Elsewhere nothing shows what became of the rows. */
  retry_elsewhere: ({ runId }, { command }) => ({
    message: t`${runId} ran at another service, or with another key.`,
    nothingSent: true,
    remedy: {
      command_line: `Retry it there, with the options that it ran with: ${command('retry', runId)}`,
      page: t`Retry it where it ran. The person who operates payrun knows the service and the key.`,
    },
    details: { run_id: runId },
  }),
};

/** That the period of a job was paid already. */
export function periodWords(
  by: RunNamed,
  { job, period }: { job: string | null; period: string | null },
  command: CommandLine,
): RefusalWords {
  const { runId } = by;
  return {
    message: t`Job ${job} was already run for ${period}, as ${namedText(by)}.`,
    nothingSent: true,
    remedy: {
      command_line: `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off. If another period is meant, say it with --period; to pay ${period} again: --allow-repeat ${runId}`,
      page: lookAt(by),
    },
    details: { run_id: runId, period, repeatable: runId, other_period: true },
  };
}

/** Why an earlier run may not be repeated. */
export function notAllowedWords(cause: NotAllowed, command: CommandLine): RefusalWords {
  if (cause.outcome === 'run_since') {
    const { older, newest } = cause;
    const { runId } = newest;
    return {
      message: t`The same payment was run since ${runName(older)}, as ${namedText(newest)}.`,
      nothingSent: true,
      remedy: {
        command_line: `See \`${command('show', runId)}\`. To pay everybody once more: --allow-repeat ${runId}`,
        page: lookAt(newest),
      },
      details: { run_id: runId, repeatable: runId },
    };
  }
  const { name, newest, wasRehearsal, period } = cause;
  const what = period === null ? t`this file` : t`this file, nor of period ${period}`;
  const why = wasRehearsal ? t`was a rehearsal: it paid nobody` : t`is no earlier run of ${what}`;
  const last = newest === null ? null : t`The last such run is ${runName(newest)}.`;
  return {
    message: {
      command_line: `--allow-repeat names ${name}, which ${why}.`,
      page: t`${name} cannot be paid again: it ${why}.`,
    },
    remedy: last ?? {
      command_line: 'Nothing like it was run before: leave --allow-repeat out.',
      page: t`Nothing like it was run before. Plan it without the option to pay again.`,
    },
  };
}

/** That a file of corrected rows was run itself, or that rows of it were taken. */
export function correctionsWords(name: string, by: RunNamed, command: CommandLine): RefusalWords {
  return {
    message: t`${name} was run before, as ${namedText(by)}.`,
    nothingSent: true,
    remedy: {
      command_line: `See \`${command('show', by.runId)}\`, and correct a copy of the file.`,
      page: t`${lookAt(by)} Then correct a copy of the file.`,
    },
    details: { run_id: by.runId },
  };
}

export function lookAt({ runId }: RunNamed): string {
  return lookOrAsk(runId, () => t`Look at ${runId}.`);
}

/** `R1`, and whether it was a rehearsal. */
export function namedText({ runId, isRehearsal }: RunNamed): string {
  return isRehearsal && seesRun(runId) ? t`${runId}, a rehearsal` : runName(runId);
}
