import type { RunCreated } from '../../domain/entry.ts';
import type { RowLeft } from '../../domain/outcomes/run-outcome.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { type Comparable, combined, RowMarks } from '../../input/checks/row-marks.ts';
import type { Journal } from '../../journal/journal.ts';
import { type Family, familyOf } from '../../runner/retries.ts';
import { earlierRuns, startTimes } from '../compare/compare-runs.ts';
import type { Standing } from '../compare/compared-payouts.ts';
import { whatIsWrong } from '../compare/past-payouts.ts';

/** What rows order, as far as the same payment is found by it. */
type Ordered = Comparable & { row: number };

/**
 * Of the rows of a run, those that a run outside of its family has paid since the family began, or may have, or is about to: the
 * same amount to the same account. Somebody put them into another file. Only runs that were started since then are read. Throws
 * a `Refusal` (`history_unreadable`).
 */
export async function paidElsewhere(
  { header, family, orders }: { header: RunCreated; family: Family; orders: Iterable<Ordered> },
  journal: Journal,
): Promise<RowLeft[]> {
  const marks = new RowMarks();
  const rows = new Map<number, number[]>();
  for (const order of orders) {
    const payment = paymentOf(order, marks);
    const same = rows.get(payment);
    if (same === undefined) rows.set(payment, [order.row]);
    else same.push(order.row);
  }
  if (rows.size === 0) return [];
  try {
    const left: RowLeft[] = [];
    for (const runId of await runsSince(header, family, journal))
      for await (const page of (await journal.payoutsOf(runId))?.pages() ?? [])
        for (const { order, standing } of page) {
          if (standing === 'unpaid') continue;
          const payment = paymentOf(order, marks);
          for (const row of rows.get(payment) ?? []) left.push({ row, how: HOW[standing], runId });
          // The newest run that paid it is named.
          rows.delete(payment);
        }
    return left;
  } catch (error) {
    throw new Refusal({ code: 'history_unreadable', cause: whatIsWrong(error) });
  }
}

/** The same of rows by their numbers, by what the journal has stored of the run: its entries are not read. */
export async function paidElsewhereOf(
  { runId, rows }: { runId: string; rows: readonly number[] },
  journal: Journal,
): Promise<RowLeft[]> {
  const family = await familyOf(journal, runId);
  const summary = [family.first, ...family.retries].find(({ run_id }) => run_id === runId);
  assert(summary, `${runId} is not of its own family`);
  const wanted = new Set(rows);
  const orders: Ordered[] = [];
  for await (const page of (await journal.payoutsOf(runId))?.pages() ?? [])
    for (const { order } of page) if (wanted.has(order.row)) orders.push(order);
  return paidElsewhere({ header: summary.header, family, orders }, journal);
}

/**
 * Other runs started since the family's first was created, newest first. A run started in the same millisecond counts
 * too.
 */
async function runsSince(header: RunCreated, { first, retries }: Family, journal: Journal): Promise<string[]> {
  const ours = new Set([first, ...retries].map(({ run_id }) => run_id));
  const startedAt = await startTimes(journal);
  const others = (await earlierRuns(header, journal)).filter(({ run_id, created_at }) => {
    return !ours.has(run_id) && (startedAt.get(run_id) ?? created_at) >= first.created_at;
  });
  return others.map(({ run_id }) => run_id);
}

function paymentOf(order: Comparable, marks: RowMarks): number {
  marks.load(order);
  return combined(marks.account, marks.amount);
}

const HOW: Readonly<Record<Standing, RowLeft['how']>> = {
  paid: 'paid_otherwise',
  perhaps: 'perhaps_paid_otherwise',
  waiting: 'to_be_paid_otherwise',
};
