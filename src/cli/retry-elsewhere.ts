import { compareWithPast } from '../app/compare/compare-runs.ts';
import type { Standing } from '../app/compare/compared-payouts.ts';
import type { Journal } from '../journal/journal.ts';
import { machineClock } from '../platform/machine.ts';
import type { LeftOut } from '../runner/retries.ts';
import type { Retried } from './retry-rows.ts';

/**
 * Of the rows to be retried, those that a run outside of their family has paid since, or may have, or is about to: the same
 * amount to the same account. Somebody put them into another file.
 */
export function paidElsewhere(
  { run: { header }, family, retryable }: Retried,
  { journal, dataDir }: { journal: Journal; dataDir: string },
): LeftOut[] {
  const { rows: rest } = retryable;
  if (header === null || rest.length === 0) return [];
  const { first, retries } = family;
  const ours = new Set([first, ...retries].map(({ run_id }) => run_id));
  const repeatWindowMs = machineClock.wallMs() - first.created_at;
  const compared = compareWithPast(header, rest, {
    journal,
    dataDir,
    clock: machineClock,
    repeatWindowMs,
    coolingMs: null,
  });
  return [...compared.payments.values()].flatMap(({ rows, paid }) => {
    const other = paid.find(({ run }) => !ours.has(run.id));
    if (other === undefined) return [];
    const left = { why: `${WORDS[other.standing]} ${other.run.id}`, isUnresolved: other.standing !== 'paid' };
    return rows.map(({ order }) => ({ row: order.row, ...left }));
  });
}

const WORDS: Readonly<Record<Standing, string>> = {
  paid: 'is the same amount to the same account as was paid in',
  perhaps: 'is the same amount to the same account as was perhaps paid in',
  waiting: 'is the same amount to the same account as is about to be paid in',
};
