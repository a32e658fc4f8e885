import type { CancelOutcome } from '../../domain/outcomes/cancel-outcome.ts';
import type { NotResolved } from '../../domain/outcomes/resolve-outcome.ts';
import { notLookedText } from '../../messages/cancel-words.ts';
import { resolveRefusal, wordRefusedText } from '../../messages/resolve-words.ts';
import { runRefusal } from '../../messages/run-words.ts';
import { plainCommand } from '../../report/command-line.ts';
import type { Ended } from '../dependencies.ts';

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

/** What a command of the page that ended has to say of why it did nothing. */
export function endedRefused({ exit, signal, result }: Ended): Refused | null {
  if (exit === 0) return null;
  const said = typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
  if (typeof said.message === 'string')
    return { message: said.message, remedy: typeof said.remedy === 'string' ? said.remedy : '' };
  if (exit !== null && exit > 1 && 'run_id' in said) return null;
  return notEnded(signal === null ? '' : ` It was ended by ${signal}.`);
}

/** That nobody knows how it ended. */
export function notEnded(how: string): Refused {
  return {
    message: `The command did not come to its end.${how}`,
    remedy: 'The log file in the data directory says why. Look at the run before you try again.',
  };
}
