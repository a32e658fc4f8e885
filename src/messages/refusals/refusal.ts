import type { Refusal } from '../../domain/refusal.ts';
import type { RefusalKind } from '../../domain/refusals/kinds.ts';
import { kindOf, type RefusalCode, type RefusalReason } from '../../domain/refusals/reason.ts';
import { APPROVE_WORDS } from './approve-words.ts';
import { CONNECTION_WORDS } from './connection-words.ts';
import { FILE_WORDS } from './file-words.ts';
import { JOB_WORDS } from './job-words.ts';
import { JOURNAL_WORDS } from './journal-words.ts';
import { MONEY_WORDS } from './money-words.ts';
import { PAGE_WORDS } from './page-words.ts';
import { APPROVAL_WORDS, PAID_WORDS } from './paid-words.ts';
import { PLAN_WORDS } from './plan-words.ts';
import { type Place, type RefusalWords, saidTo, textOf, type WordsOf } from './refusal-words.ts';
import { REPEAT_WORDS } from './repeat-words.ts';
import { RESOLVE_WORDS } from './resolve-words.ts';
import { RETRY_WORDS, RUN_WORDS } from './run-words.ts';
import { SERVICE_WORDS } from './service-words.ts';
import { SETTINGS_WORDS } from './settings-words.ts';
import { SIGNING_WORDS } from './signing-words.ts';

const WORDS: WordsOf<RefusalCode> = {
  ...RUN_WORDS,
  ...RETRY_WORDS,
  ...RESOLVE_WORDS,
  ...APPROVE_WORDS,
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
  stated: ({ message, remedy, details, onPage }, place) => {
    if (onPage === null) return { message, remedy, details };
    const page = textOf(wordsOf(onPage, place), 'page');
    return {
      message: { command_line: message, page: page.message },
      remedy: { command_line: remedy, page: page.remedy },
      details,
    };
  },
  job_unreadable_today: ({ runId, job, cause }, place) => {
    const words = wordsOf(cause, place);
    return {
      message: `${runId} is of job ${job}, and what that asks for today cannot be read.`,
      nothingSent: true,
      lines: [textOf(words, 'command_line').message],
      remedy: words.remedy,
      details: { run_id: runId },
    };
  },
  service_away: ({ runId, why }, place) => {
    const words = wordsOf(why, place);
    return {
      ...words,
      remedy: {
        command_line: `${saidTo('command_line', words.remedy)}\nPayouts of this run were sent, and it goes on with: ${place.command('resume', runId)}`,
        page: `${saidTo('page', words.remedy)} Payouts of this run were sent: “Go on” continues it.`,
      },
      details: { run_id: runId },
    };
  },
};

/** A refusal in words: what happened, what to do, and what programs want to know of it. */
export type RefusalText = { kind: RefusalKind; message: string; remedy: string; details: Record<string, unknown> };

/** As a command line prints it, which `place` is. */
export function refusalText({ reason }: Pick<Refusal, 'reason'>, place: Place): RefusalText {
  return withKind(reason, wordsOf(reason, place), 'command_line');
}

/** What the page shows of a refusal. */
export function refusalOnPage({ reason }: Pick<Refusal, 'reason'>): RefusalText {
  return withKind(reason, wordsOf(reason, NO_COMMANDS), 'page');
}

function withKind(reason: RefusalReason, words: RefusalWords, reader: 'command_line' | 'page'): RefusalText {
  return { kind: kindOf(reason), ...textOf(words, reader), details: words.details ?? {} };
}

/** The page shows the words for the page alone. */
export const NO_COMMANDS: Place = { command: () => '', near: (file) => file };

function wordsOf(reason: RefusalReason, place: Place): RefusalWords {
  // The compiler cannot see that the code picks the function of its own reason.
  return (WORDS[reason.code] as (reason: RefusalReason, place: Place) => RefusalWords)(reason, place);
}
