import { type Problem, problemAt } from '../../domain/problem.ts';
import type { ReadOptions } from '../read-options.ts';
import { type CurrencyTotal, controlProblems } from './control-figures.ts';

/** What is wrong with all payouts together, so that none of them may be paid. */
export function wholeProblems(
  { expected, limits }: Pick<ReadOptions, 'expected' | 'limits'>,
  totals: readonly CurrencyTotal[],
  sheet: string | null,
): Problem[] {
  const payouts = totals.reduce((count, total) => count + total.count, 0);
  const figures = expected ? controlProblems(expected, payouts, totals) : [];
  return [...figures, ...(limits?.finish() ?? [])].map((found) => problemAt('error', found, { sheet }));
}
