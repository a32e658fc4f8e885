import { z } from 'zod';
import type { Ended } from '../app/launcher/launch.ts';
import type { Executed } from '../app/launcher/tasks.ts';
import type { CancelOutcome } from '../domain/outcomes/cancel-outcome.ts';
import { Refusal } from '../domain/refusal.ts';
import { REFUSAL_EXIT } from '../domain/refusals/kinds.ts';
import type { RefusalReason } from '../domain/refusals/reason.ts';
import { messages } from '../messages/messages.ts';
import { t, translated } from '../messages/translate.ts';
import type { Problem } from './shell/parts.ts';

/** Why something was not done as it is kept: in English, with the facts of the refusal where it was one. */
export const keptProblem = z.object({
  message: z.string(),
  remedy: z.string().default(''),
  refusal: z.custom<RefusalReason>().optional(),
});
export type KeptProblem = z.output<typeof keptProblem>;

/** The same in the words of who reads it now. What is no refusal, and no text of ours without values, stays in English. */
export function inWordsOfReader({ message, remedy, refusal }: KeptProblem): Problem {
  if (refusal === undefined) return { message: translated(message), remedy: translated(remedy) };
  const words = messages.refusals.refusalOnPage({ reason: refusal });
  return { message: words.message, remedy: words.remedy };
}

/** Why something was not done, and the exit code of a command that ends so; null where no answer came. */
export type Refused = KeptProblem & { exit: number | null };

/** What a cancelled run leaves to be done; null where there is nothing to say. */
export function cancelRefused(outcome: CancelOutcome): KeptProblem | null {
  if (outcome.outcome !== 'cancelled' || outcome.notLooked === null) return null;
  return refusalShown({ reason: outcome.notLooked });
}

/** Why a process did not do what it was started for, or not to its end; null where the journal has it all. */
export function executedRefused(ended: Ended<Executed>): KeptProblem | null {
  if (ended.outcome !== 'done') return apartRefused(ended);
  const { halted } = ended.value;
  return halted === null ? null : { message: halted, remedy: '' };
}

/** Why what was to be done apart was not done. */
export function apartRefused(ended: Exclude<Ended<unknown>, { outcome: 'done' }>, broken?: Problem): Refused {
  if (ended.outcome === 'refused') return refusalShown(ended.refusal);
  const signal = ended.outcome === 'died' ? ended.signal : null;
  const exit = ended.outcome === 'failed' ? 1 : null;
  return { ...(broken ?? notEnded(signal)), exit };
}

/** Why a use case did nothing: as it refuses; else `broken`, and the log has the error. */
export function refusedBy(error: unknown, broken: Problem, log: (error: unknown) => void): Refused {
  if (error instanceof Refusal) return refusalShown(error);
  log(error);
  return { ...broken, exit: 1 };
}

function refusalShown({ reason }: Pick<Refusal, 'reason'>): Refused {
  const { kind, message, remedy } = messages.refusals.refusalOnPage({ reason });
  return { message, remedy, refusal: reason, exit: REFUSAL_EXIT[kind] };
}

/** That nobody knows how it ended. */
export function notEnded(signal: string | null = null): Problem {
  return {
    message: t`The command did not finish.${signal === null ? '' : t` It was ended by ${signal}.`}`,
    remedy: t`See the log file in the data directory, and look at the run before you try again.`,
  };
}
