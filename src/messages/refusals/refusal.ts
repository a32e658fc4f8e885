import type { Refusal } from '../../domain/refusal.ts';
import type { RefusalKind } from '../../domain/refusals/kinds.ts';
import { kindOf, type RefusalCode, type RefusalReason } from '../../domain/refusals/reason.ts';
import { plainCommand } from '../command-line.ts';
import { PAYEE_WORDS } from '../payee-words.ts';
import { SCHEDULE_WORDS } from '../schedule-words.ts';
import { t } from '../translate.ts';
import { WORKER_WORDS } from '../worker-words.ts';
import { APPROVE_WORDS } from './approve-words.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { CONNECTION_WORDS } from './connection-words.ts';
import { FILE_WORDS } from './file-words.ts';
import { JOB_WORDS } from './job-words.ts';
import { JOURNAL_WORDS } from './journal-words.ts';
import { MONEY_WORDS } from './money-words.ts';
import { PAGE_WORDS } from './page-words.ts';
import { APPROVAL_WORDS, PAID_WORDS } from './paid-words.ts';
import { PLAN_WORDS } from './plan-words.ts';
import {
  NO_COMMANDS,
  type Place,
  type Reader,
  type RefusalWords,
  textOf,
  type WordsOf,
  wordingFor,
} from './refusal-words.ts';
import { REPEAT_WORDS } from './repeat-words.ts';
import { RESOLVE_WORDS } from './resolve-words.ts';
import { RETRY_WORDS } from './retry-words.ts';
import { RUN_WORDS } from './run-words.ts';
import { SERVICE_WORDS } from './service-words.ts';
import { SETTINGS_WORDS } from './settings-words.ts';
import { SIGNING_WORDS } from './signing-words.ts';

const REASONS: WordsOf<RefusalCode> = {
  ...COMMAND_WORDS,
  ...PAYEE_WORDS,
  ...RUN_WORDS,
  ...RETRY_WORDS,
  ...RESOLVE_WORDS,
  ...APPROVE_WORDS,
  ...SCHEDULE_WORDS,
  ...PLAN_WORDS,
  ...REPEAT_WORDS,
  ...PAID_WORDS,
  ...APPROVAL_WORDS,
  ...SERVICE_WORDS,
  ...FILE_WORDS,
  ...SIGNING_WORDS,
  ...PAGE_WORDS,
  ...MONEY_WORDS,
  ...JOURNAL_WORDS,
  ...SETTINGS_WORDS,
  ...CONNECTION_WORDS,
  ...JOB_WORDS,
  ...WORKER_WORDS,
  job_unreadable_today: ({ runId, job, cause }, place) => {
    const words = wordsOf(cause, place);
    return {
      message: t`${runId} is from job ${job}, whose file cannot be read now.`,
      nothingSent: true,
      lines: [textOf(words, 'command_line').message],
      remedy: words.remedy,
      details: { run_id: runId },
    };
  },
  worker_lacks_key: ({ runId, service, cause }, place) => ({
    message: t`This worker has no key of ${service}, the service of run ${runId}.`,
    lines: [textOf(wordsOf(cause, place), 'command_line').message],
    remedy: {
      command_line:
        'Start a worker with a profile of that service (--profile, or --base-url, --api-key and --signing-key), or put the key file there.',
      page: t`Ask the person who operates payrun for a worker that has the key of this service.`,
    },
    details: { run_id: runId },
  }),
  service_away: ({ runId, why }, place) => {
    const words = wordsOf(why, place);
    return {
      ...words,
      remedy: {
        command_line: `${wordingFor('command_line', words.remedy)}\nPayouts of this run were sent, and it goes on with: ${place.command('resume', runId)}`,
        page: t`${wordingFor('page', words.remedy)} Payouts of this run were sent: “Go on” continues it.`,
      },
      details: { run_id: runId },
    };
  },
};

/** A refusal in words: what happened, what to do, and what programs want to know of it. */
export type RefusalText = { kind: RefusalKind; message: string; remedy: string; details: Record<string, unknown> };

/** As a command line prints it, which `place` is. */
export function refusalText({ reason }: Pick<Refusal, 'reason'>, place: Place): RefusalText {
  return withKind(reason, place, 'command_line');
}

/** What the page shows of a refusal. */
export function refusalOnPage({ reason }: Pick<Refusal, 'reason'>): RefusalText {
  return withKind(reason, NO_COMMANDS, 'page');
}

/** What administrators of connections read where a test failed: the words of the command line where files and keys are wrong. */
export function refusalOfTest({ reason }: Pick<Refusal, 'reason'>): RefusalText {
  const ofCommand = refusalText({ reason }, { command: plainCommand, near: (file) => file });
  return ofCommand.kind === 'usage' ? ofCommand : refusalOnPage({ reason });
}

function withKind(reason: RefusalReason, place: Place, reader: Reader): RefusalText {
  const words = wordsOf(reason, place);
  return { kind: kindOf(reason), ...textOf(words, reader), details: words.details ?? {} };
}

function wordsOf(reason: RefusalReason, place: Place): RefusalWords {
  // The compiler cannot see that the code picks the function of its own reason.
  return (REASONS[reason.code] as (reason: RefusalReason, place: Place) => RefusalWords)(reason, place);
}
