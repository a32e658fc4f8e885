import type { Refusal } from '../../domain/refusal.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { withoutStop } from '../text.ts';
import { APPROVAL_WORDS, PAID_WORDS } from './paid-words.ts';
import { PLAN_WORDS } from './plan-words.ts';
import {
  type Commands,
  onPage,
  type Place,
  type RefusalWords,
  refusalOf,
  saidTo,
  type WordsOf,
} from './refusal-words.ts';
import { REPEAT_WORDS } from './repeat-words.ts';
import { RUN_WORDS } from './run-words.ts';
import { SERVICE_WORDS } from './service-words.ts';

const WORDS: WordsOf<RefusalReason['code']> = {
  ...RUN_WORDS,
  ...PLAN_WORDS,
  ...REPEAT_WORDS,
  ...PAID_WORDS,
  ...APPROVAL_WORDS,
  ...SERVICE_WORDS,
};

/** The refusal, its words as a command line prints them. */
export function refusal(reason: RefusalReason, command: Commands, near: Place['near'] = asItIs): Refusal {
  return refusalOf(wordsOf(reason, { command, near }), reason);
}

/** What the page shows of a refusal. One without a reason says the same to everybody. */
export function refusalOnPage(refused: Pick<Refusal, 'message' | 'remedy' | 'reason'>): {
  message: string;
  remedy: string;
} {
  const { message, remedy, reason } = refused;
  return reason === null ? { message, remedy } : onPage(wordsOf(reason, NO_COMMANDS));
}

/** What happened as a clause, for a longer sentence: without its full stop, and without that nothing was sent. */
export function clauseOf({ message, reason }: Refusal, place: Place): string {
  const said = reason === null ? message : saidTo('command_line', wordsOf(reason, place).message);
  return withoutStop(said);
}

/** The page shows the words for the page alone. */
export const NO_COMMANDS: Place = { command: () => '', near: asItIs };

function asItIs(file: string): string {
  return file;
}

function wordsOf(reason: RefusalReason, place: Place): RefusalWords {
  // The compiler cannot see that the code picks the function of its own reason.
  return (WORDS[reason.code] as (reason: RefusalReason, place: Place) => RefusalWords)(reason, place);
}
