import type { LimitCount } from '../../domain/limits.ts';
import type { Problem } from '../../domain/problem.ts';
import { limitWords } from '../../messages/limit-words.ts';
import type { ReadOptions } from '../read-options.ts';
import { type CurrencyTotal, controlProblems } from './control-figures.ts';

/** What is wrong with all payouts together, so that none of them may be paid. */
export function wholeProblems(
  { expected, limits }: Pick<ReadOptions, 'expected' | 'limits'>,
  totals: readonly CurrencyTotal[],
  sheet: string | null,
): Problem[] {
  const payouts = totals.reduce((count, total) => count + total.count, 0);
  const figures = expected ? controlProblems(expected, payouts, totals, sheet) : [];
  return [...figures, ...(limits ? ofLimits(limits, sheet) : [])];
}

function ofLimits(limits: LimitCount, sheet: string | null): Problem[] {
  return limits.finish().map((excess) => ({
    severity: 'error',
    code: excess.code,
    sheet,
    row: null,
    column: null,
    cell: null,
    value: null,
    ...limitWords(excess),
  }));
}
