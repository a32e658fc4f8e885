import type { RunRow } from '../../domain/entry.ts';
import type { KindOfPayment } from '../../domain/kind-of-payment.ts';
import { currencyKey } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { Refusal } from '../../domain/refusal.ts';
import { PAID_BEFORE } from '../../domain/run/left-out.ts';
import { runText } from '../../input/checks/past-run.ts';
import type { ReadResult } from '../../input/input.ts';
import { ProblemLog } from '../../input/problem-log.ts';
import type { Journal } from '../../journal/journal.ts';
import { rowsOf } from '../../runner/plan/plan-digest.ts';
import { compareWithPast } from '../compare/compare-runs.ts';
import type { PlannedPayment } from '../compare/compared-payouts.ts';
import { lastPaid } from '../compare/warnings.ts';
import type { Gathered, Given } from './given.ts';
import { refusedWithin } from './paid-before.ts';

/**
 * The input without the rows whose amount earlier runs have paid to the same account, perhaps have, or are about to,
 * whatever `--allow-repeat` allows, where these are to be left out. Throws a `Refusal` (`refused`) where no row is left.
 */
export async function withoutPaid(
  given: Given,
  gathered: Gathered,
  { journal, kind }: { journal: Journal; kind: KindOfPayment },
): Promise<Gathered> {
  if (!given.settings.skipPaid) return gathered;
  const left = await paidRows(gathered, given, { journal, kind });
  const { read, entries } = gathered;
  if (left.size === 0) return gathered;
  if (left.size === read.payouts) throw nothingLeft(read, left);
  const orders = [...rowsOf(entries)].flatMap(({ row, order }) => (order && left.has(row) ? [order] : []));
  given.onLeftOut?.(orders.map(({ row }) => row));
  return {
    ...gathered,
    entries: entries.map((entry) => (entry.kind === 'rows' ? { ...entry, rows: without(entry.rows, left) } : entry)),
    read: readWithout(read, orders, left),
  };
}

/** Of each row that was paid before, why it is left out, as a sentence. */
async function paidRows(
  { entries }: Gathered,
  { job, clock }: Given,
  { journal, kind }: { journal: Journal; kind: KindOfPayment },
): Promise<Map<number, string>> {
  const header = { run_id: '', job: job?.name ?? null, ...kind };
  const past = { journal, clock, repeatWindowMs: refusedWithin(job), coolingMs: null };
  const left = new Map<number, string>();
  const { payments } = await compareWithPast(header, rowsOf(entries), past);
  for (const { rows, paid } of payments.values())
    for (const { order } of paid.length === 0 ? [] : rows) left.set(order.row, whyLeft(paid));
  return left;
}

function without(rows: readonly RunRow[], left: ReadonlyMap<number, string>): RunRow[] {
  return rows.map((row) => {
    const message = left.get(row.row);
    return message === undefined ? row : { ...row, order: null, problem: { code: PAID_BEFORE, message } };
  });
}

function whyLeft(paid: PlannedPayment['paid']): string {
  const last = lastPaid(paid);
  const by = last === null ? '' : ` by ${runText(last.run)}`;
  switch (last?.standing) {
    case 'waiting':
      return `The same amount is to be paid to the same account${by}.`;
    case 'perhaps':
      return `The same amount was perhaps paid to the same account${by}.`;
    default:
      return `The same amount was paid to the same account${by}.`;
  }
}

function nothingLeft({ input, payouts }: ReadResult, left: ReadonlyMap<number, string>): Refusal {
  const [why = ''] = left.values();
  return new Refusal({ code: 'nothing_left', name: input.name, payouts, why });
}

/** What was read, less the payouts that are left out, each with a warning. */
function readWithout(read: ReadResult, orders: readonly PayoutOrder[], left: ReadonlyMap<number, string>): ReadResult {
  const log = new ProblemLog();
  const totals = new Map(read.totals.map((total) => [currencyKey(total.currency), { ...total }]));
  for (const { row, currency, amount_minor } of orders) {
    const total = totals.get(currencyKey(currency));
    if (total !== undefined) {
      total.count--;
      total.minor -= BigInt(amount_minor);
    }
    log.add({ ...LEFT_OUT, sheet: read.sheet, row, message: `${left.get(row)} It is left out.` });
  }
  const { errors, warnings } = read.problemCounts;
  return {
    ...read,
    payouts: read.payouts - orders.length,
    totals: [...totals.values()].filter(({ count }) => count > 0),
    problems: [...read.problems, ...log.kept],
    problemGroups: [...read.problemGroups, ...log.groups],
    problemCounts: { errors, warnings: warnings + orders.length },
  };
}

const LEFT_OUT = {
  severity: 'warning',
  code: 'left_out_paid_before',
  column: null,
  cell: null,
  value: null,
  remedy: 'There is nothing to do, unless the payee is to be paid again.',
} as const;
