import type { LeftOut } from '../../runner/retries.ts';
import { compareWithPast, type PastGiven } from '../compare/compare-runs.ts';
import type { Standing } from '../compare/compared-payouts.ts';
import type { Retriable } from './retriable.ts';

/**
 * Of the rows to be retried, those that a run outside of their family has paid since, or may have, or is about to: the same
 * amount to the same account. Somebody put them into another file.
 */
export function paidElsewhere(
  { run: { header }, family, retryable }: Retriable,
  given: Pick<PastGiven, 'journal' | 'dataDir' | 'clock'>,
): LeftOut[] {
  const { rows: rest } = retryable;
  if (header === null || rest.length === 0) return [];
  const { first, retries } = family;
  const ours = new Set([first, ...retries].map(({ run_id }) => run_id));
  const repeatWindowMs = given.clock.wallMs() - first.created_at;
  const compared = compareWithPast(header, rest, { ...given, repeatWindowMs, coolingMs: null });
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
