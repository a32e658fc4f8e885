import type { RunMention } from '../../domain/problems/payment-problems.ts';

/** A run of the past. */
export type PastRun = RunMention & { header: readonly string[]; isFinished: boolean };

/** What words need of a run. */
export function mentionOf({ id, at, isRehearsal }: RunMention): RunMention {
  return { id, at, isRehearsal };
}
