import type { Refusal } from '../../domain/refusal.ts';
import type { RefusalKind } from '../../domain/refusals/kinds.ts';
import { kindOf, type RefusalCode, type RefusalReason } from '../../domain/refusals/reason.ts';
import { withoutStop } from '../text.ts';
import { APPROVAL_WORDS, PAID_WORDS } from './paid-words.ts';
import { PLAN_WORDS } from './plan-words.ts';
import { type Commands, type Place, type RefusalWords, saidTo, textOf, type WordsOf } from './refusal-words.ts';
import { REPEAT_WORDS } from './repeat-words.ts';
import { RUN_WORDS } from './run-words.ts';
import { SERVICE_WORDS } from './service-words.ts';

const WORDS: WordsOf<RefusalCode> = {
  ...RUN_WORDS,
  ...PLAN_WORDS,
  ...REPEAT_WORDS,
  ...PAID_WORDS,
  ...APPROVAL_WORDS,
  ...SERVICE_WORDS,
  stated: ({ kind, message, remedy, details, onPage }, place) => {
    if (onPage === null) return { kind, message, remedy, details };
    const page = textOf(wordsOf(onPage, place), 'page');
    return {
      kind,
      message: { command_line: message, page: page.message },
      remedy: { command_line: remedy, page: page.remedy },
      details,
    };
  },
  service_away: ({ runId, why }, place) => {
    const words = wordsOf(why, place);
    return {
      ...words,
      kind: 'person_needed',
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

/** What happened as a clause, for a longer sentence: without its full stop, and without that nothing was sent. */
export function clauseOf({ reason }: Pick<Refusal, 'reason'>, place: Place): string {
  return withoutStop(saidTo('command_line', wordsOf(reason, place).message));
}

/** The page shows the words for the page alone. */
export const NO_COMMANDS: Place = { command: () => '', near: (file) => file };

/** For a reader of whom no more is known than how commands are written. */
export function placeOf(command: Commands): Place {
  return { command, near: (file) => file };
}

function wordsOf(reason: RefusalReason, place: Place): RefusalWords {
  // The compiler cannot see that the code picks the function of its own reason.
  return (WORDS[reason.code] as (reason: RefusalReason, place: Place) => RefusalWords)(reason, place);
}
