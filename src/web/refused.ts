import type { Ended } from '../app/launcher/launch.ts';
import type { Executed } from '../app/launcher/tasks.ts';
import type { NotApproved } from '../domain/outcomes/approve-outcome.ts';
import type { CancelOutcome } from '../domain/outcomes/cancel-outcome.ts';
import type { NotResolved } from '../domain/outcomes/resolve-outcome.ts';
import type { Refusal } from '../domain/refusal.ts';
import { REFUSAL_EXIT } from '../domain/refusals/kinds.ts';
import { approveWords } from '../messages/approve-words.ts';
import { notLookedWords } from '../messages/cancel-words.ts';
import { NO_COMMANDS, refusalOnPage } from '../messages/refusals/refusal.ts';
import { onPage, type RefusalWords } from '../messages/refusals/refusal-words.ts';
import { runWords } from '../messages/refusals/run-words.ts';
import { resolveWords } from '../messages/resolve-words.ts';
import type { Problem } from './shell/parts.ts';

/** Why something was not done, and the exit code of a command that ends so; null where no answer came. */
export type Refused = Problem & { exit: number | null };

/** Why nothing was recorded of a payout. */
export function resolveRefused(outcome: NotResolved): Refused {
  return wordsRefused(resolveWords(outcome, NO_COMMANDS.command));
}

/** Why a plan was not approved. */
export function approveRefused(outcome: NotApproved): Refused {
  return wordsRefused(approveWords(outcome, NO_COMMANDS));
}

/** What a cancelled run leaves to be done, or why it was not cancelled; null where there is nothing to say. */
export function cancelRefused(outcome: CancelOutcome): Problem | null {
  switch (outcome.outcome) {
    case 'finished':
    case 'asked':
      return null;
    case 'cancelled':
      return outcome.notLooked && onPage(notLookedWords(outcome.notLooked));
    default:
      return onPage(runWords(outcome, NO_COMMANDS.command));
  }
}

/** Why a process did not do what it was started for, or not to its end; null where the journal has it all. */
export function executedRefused(ended: Ended<Executed>): Problem | null {
  if (ended.outcome !== 'done') return apartRefused(ended);
  const { halted } = ended.value;
  return halted === null ? null : { message: halted, remedy: '' };
}

/** Why what was to be done apart was not done. */
export function apartRefused(ended: Exclude<Ended<unknown>, { outcome: 'done' }>, broken?: Problem): Refused {
  if (ended.outcome === 'refused') return thrownRefused(ended.refusal);
  const signal = ended.outcome === 'died' ? ended.signal : null;
  const exit = ended.outcome === 'failed' ? 1 : null;
  return { ...(broken ?? notEnded(signal)), exit };
}

/** Why a use case refused to begin. */
export function thrownRefused(refusal: Pick<Refusal, 'reason'>): Refused {
  const { kind, message, remedy } = refusalOnPage(refusal);
  return { message, remedy, exit: REFUSAL_EXIT[kind] };
}

/** That nobody knows how it ended. */
export function notEnded(signal: string | null = null): Problem {
  return {
    message: `The command did not come to its end.${signal === null ? '' : ` It was ended by ${signal}.`}`,
    remedy: 'The log file in the data directory says why. Look at the run before you try again.',
  };
}

function wordsRefused(words: RefusalWords): Refused {
  return { ...onPage(words), exit: REFUSAL_EXIT[words.kind] };
}
