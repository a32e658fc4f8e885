import type { Ended } from '../../app/launcher/launch.ts';
import type { Executed } from '../../app/launcher/tasks.ts';
import type { CancelOutcome } from '../../domain/outcomes/cancel-outcome.ts';
import type { NotResolved } from '../../domain/outcomes/resolve-outcome.ts';
import { notLookedWords } from '../../messages/cancel-words.ts';
import { NO_COMMANDS, refusalOnPage } from '../../messages/refusals/refusal.ts';
import { onPage } from '../../messages/refusals/refusal-words.ts';
import { runWords } from '../../messages/refusals/run-words.ts';
import { resolveWords } from '../../messages/resolve-words.ts';

/** Why what somebody wanted was not done, or not to its end. */
export type Refused = { message: string; remedy: string };

/** What a cancelled run leaves to be done, or why it was not cancelled; null where there is nothing to say of it. */
export function cancelRefused(outcome: CancelOutcome): Refused | null {
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

/** Why nothing was recorded of a payout. */
export function resolveRefused(outcome: NotResolved): Refused {
  return onPage(resolveWords(outcome, NO_COMMANDS.command));
}

/** Why a process did not do what it was started for, or not to its end; null where there is nothing to add to the journal. */
export function executedRefused(ended: Ended<Executed>): Refused | null {
  if (ended.outcome !== 'done') return apartRefused(ended);
  const { halted } = ended.value;
  return halted === null ? null : { message: halted, remedy: '' };
}

/** Why what was to be done apart was not done. */
export function apartRefused(ended: Exclude<Ended<unknown>, { outcome: 'done' }>): Refused {
  if (ended.outcome === 'refused') return refusalOnPage(ended.refusal);
  const signal = ended.outcome === 'died' ? ended.signal : null;
  return notEnded(signal === null ? '' : ` It was ended by ${signal}.`);
}

/** That nobody knows how it ended. */
export function notEnded(how: string): Refused {
  return {
    message: `The command did not come to its end.${how}`,
    remedy: 'The log file in the data directory says why. Look at the run before you try again.',
  };
}
