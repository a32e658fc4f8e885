import type { Ended } from '../../app/launcher/launch.ts';
import type { Executed } from '../../app/launcher/tasks.ts';
import type { CancelOutcome } from '../../domain/outcomes/cancel-outcome.ts';
import type { NotResolved } from '../../domain/outcomes/resolve-outcome.ts';
import { notLookedText } from '../../messages/cancel-words.ts';
import { resolveRefusal, wordRefusedText } from '../../messages/resolve-words.ts';
import { runRefusal } from '../../messages/run-words.ts';
import { plainCommand } from '../../report/command-line.ts';

/** Why what somebody wanted was not done, or not to its end. */
export type Refused = { message: string; remedy: string };

/** What a cancelled run leaves to be done, or why it was not cancelled; null where there is nothing to say of it. */
export function cancelRefused(outcome: CancelOutcome): Refused | null {
  switch (outcome.outcome) {
    case 'finished':
    case 'asked':
      return null;
    case 'cancelled':
      return outcome.notLooked && notLookedText(outcome.notLooked);
    default:
      return runRefusal(outcome, plainCommand);
  }
}

/** Why nothing was recorded of a payout. */
export function resolveRefused(outcome: NotResolved): Refused {
  if (outcome.outcome === 'word_refused') return wordRefusedText(outcome.refused);
  return resolveRefusal(outcome, plainCommand);
}

/** Why a process did not do what it was started for, or not to its end; null where there is nothing to add to the journal. */
export function executedRefused(ended: Ended<Executed>): Refused | null {
  if (ended.outcome !== 'done') return apartRefused(ended);
  const { halted } = ended.value;
  return halted === null ? null : { message: halted, remedy: '' };
}

/** Why what was to be done apart was not done. */
export function apartRefused(ended: Exclude<Ended<unknown>, { outcome: 'done' }>): Refused {
  if (ended.outcome === 'refused') return { message: ended.refusal.message, remedy: ended.refusal.remedy };
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
