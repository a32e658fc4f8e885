import { foldRun } from '../../domain/run/run.ts';
import { isPlannedOnly } from '../../domain/run/run-plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { type Holder, JournalDamaged } from '../../journal/journal.ts';
import { type Family, familyOf, type LeftOut, type Retryable, retryableRows } from '../../runner/submit/retries.ts';
import { compareWithPast, type PastGiven } from '../compare/compare-runs.ts';
import type { Standing } from '../compare/compared-payouts.ts';

/** What of a run can be paid again. */
export type Retriable = { run: RunState; family: Family; retryable: Retryable };

export type RetriableRead =
  | ({ outcome: 'retriable' } & Retriable)
  | { outcome: 'unknown_run' }
  | { outcome: 'damaged'; error: JournalDamaged }
  /** It is a plan: nothing of it was sent. */
  | { outcome: 'not_started'; run: RunState }
  /** A process works on it. */
  | { outcome: 'held'; holder: Holder }
  | { outcome: 'not_finished' }
  /** No row failed, was rejected or not sent that is still to be paid. */
  | { outcome: 'nothing'; leftOut: LeftOut[] };

/**
 * The failed, rejected and unsent rows of a finished run, less those that another run has paid since. Throws a `Refusal`
 * where earlier runs cannot be compared.
 */
export async function readRetriable(
  runId: string,
  given: Pick<PastGiven, 'journal' | 'clock'>,
): Promise<RetriableRead> {
  const { journal } = given;
  if (journal.head(runId) === null) return { outcome: 'unknown_run' };
  try {
    const run = foldRun(journal.readRun(runId));
    if (isPlannedOnly(run)) return { outcome: 'not_started', run };
    const holder = journal.holder(runId);
    if (holder !== null) return { outcome: 'held', holder };
    if (run.finished === null) return { outcome: 'not_finished' };
    const family = familyOf(journal, runId);
    const all = retryableRows(journal, run, family);
    const paid = await paidElsewhere({ run, family, retryable: all }, given);
    const isPaid = new Set(paid.map(({ row }) => row));
    const rows = all.rows.filter(({ row }) => !isPaid.has(row));
    const leftOut = [...all.leftOut, ...paid];
    if (rows.length === 0) return { outcome: 'nothing', leftOut };
    return { outcome: 'retriable', run, family, retryable: { rows, leftOut } };
  } catch (error) {
    if (error instanceof JournalDamaged) return { outcome: 'damaged', error };
    throw error;
  }
}

/**
 * Of the rows to be retried, those that a run outside of their family has paid since, or may have, or is about to: the same
 * amount to the same account. Somebody put them into another file.
 */
async function paidElsewhere(
  { run: { header }, family, retryable }: Retriable,
  given: Pick<PastGiven, 'journal' | 'clock'>,
): Promise<LeftOut[]> {
  const { rows: rest } = retryable;
  if (header === null || rest.length === 0) return [];
  const { first, retries } = family;
  const ours = new Set([first, ...retries].map(({ run_id }) => run_id));
  const repeatWindowMs = given.clock.wallMs() - first.created_at;
  const compared = await compareWithPast(header, rest, { ...given, repeatWindowMs, coolingMs: null });
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
