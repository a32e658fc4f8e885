import type { WorkerReason } from '../domain/refusals/worker-reasons.ts';
import type { WordsOf } from './refusals/refusal-words.ts';
import { stopText } from './stop-words.ts';
import { asSentence } from './text.ts';
import { t } from './translate.ts';

const NAME_DATABASE =
  'Name the database of the journal: --database postgres://USER@HOST/DATABASE, PAYRUN_DATABASE, or database: in the profile.';

/** Why a run is not left to workers, or one of them leaves it. */
export const WORKER_WORDS: WordsOf<WorkerReason['code']> = {
  queue_unusable: ({ database, why, cause }, { command }) => {
    const prepare = `As the owner of the schema, run ${command('worker', '--prepare')}; then grant the permissions: samples/deploy/postgres-roles.sql.`;
    const [message, remedy] = {
      no_rights: [t`The user of ${database} lacks a permission for the queue of the workers: ${cause}.`, prepare],
      newer: [t`The queue in ${database} was made by a newer payrun.`, 'Use that newer payrun.'],
      failed: [t`The queue in ${database} cannot be used: ${cause}.`, `Try again. ${prepare}`],
    }[why] as [string, string];
    const page = t`Ask the person who operates payrun to look at the queue in the database.`;
    return { message, nothingSent: true, remedy: { command_line: remedy, page }, details: { database } };
  },
  workers_need_database: ({ what }) => ({
    message:
      what === 'worker'
        ? t`A worker takes runs from a journal in PostgreSQL, and no database is named.`
        : t`Workers take runs from a journal in PostgreSQL, and no database is named.`,
    nothingSent: true,
    remedy: {
      command_line: what === 'worker' ? NAME_DATABASE : `${NAME_DATABASE} Or leave out --detach.`,
      page: t`Ask the person who operates payrun to start the page with a database, or not to leave runs to workers.`,
    },
  }),
  workers_need_service: () => ({
    message: {
      command_line:
        'A run without --base-url is rehearsed inside of this process, where no worker can reach the service.',
      page: t`This rehearsal runs on one machine, where no worker can reach the service.`,
    },
    nothingSent: true,
    remedy: {
      command_line:
        'Name a service that every worker reaches (--base-url or a profile), such as a `payrun service`; or leave out --detach.',
      page: t`Ask the person who operates payrun to name a service that every worker reaches.`,
    },
  }),
  run_stopped: ({ runId, why }, { command }) => ({
    message: {
      command_line: `Run ${runId} stopped: ${asSentence(stopText(why, 'command_line'))}`,
      page: t`The run stopped: ${asSentence(stopText(why, 'page'))}`,
    },
    remedy: {
      command_line: `A worker tries again, some times. After that: ${command('resume', runId)}`,
      page: t`A worker retries it a few times. After that, “Go on” continues it.`,
    },
    details: { run_id: runId },
  }),
  worker_failed: ({ runId, cause }, { command }) => ({
    message: t`A worker failed at run ${runId}: ${asSentence(cause)}`,
    remedy: {
      command_line: `Its log has more. Go on with the run: ${command('resume', runId)}`,
      page: t`Ask the person who operates payrun to look at the log of the worker.`,
    },
    details: { run_id: runId },
  }),
  run_paused: ({ runId }, { command }) => ({
    message: t`Run ${runId} is paused.`,
    remedy: { command_line: `Go on with it: ${command('resume', runId)}`, page: t`“Go on” continues it.` },
    details: { run_id: runId },
  }),
};
