import type { RunRow } from '../../domain/entry.ts';
import { currencyKey, formatForPeople } from '../../domain/money.ts';
import type { CorrectionMismatch } from '../../domain/outcomes/run-outcome.ts';
import { type PayoutOrder, payeeKey } from '../../domain/payee.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { RetryReason } from '../../domain/refusals/run-reasons.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import type { Retriable } from './retriable.ts';

/** Rows that a refusal names. */
const NAMED_MAX = 20;

/**
 * The rows of a run that can be corrected, of which a sheet takes each once: the same payee, the same amount. A corrected
 * row stands under the number of the row that it corrects.
 */
export class Corrections {
  readonly #retried: Retriable;
  readonly #open = new Map<string, RunRow[]>();
  /** By the number of a row that is corrected, that of the sheet's row which corrects it. */
  readonly #taken = new Map<number, number>();

  constructor(retried: Retriable) {
    this.#retried = retried;
    for (const row of retried.retryable.rows) {
      const same = this.#open.get(keyOf(orderOf(row)));
      if (same) same.push(row);
      else this.#open.set(keyOf(orderOf(row)), [row]);
    }
  }

  /** The row as it is paid, or why it corrects none. */
  take(row: number, cells: string[], order: PayoutOrder): { ok: true; row: RunRow } | Mismatch {
    const old = this.#open.get(keyOf(order))?.shift();
    if (old === undefined) return this.#mismatch(order);
    this.#taken.set(old.row, row);
    return { ok: true, row: { row: old.row, cells, order: { ...order, row: old.row }, problem: null } };
  }

  #mismatch(order: PayoutOrder): Mismatch {
    const { run, retryable } = this.#retried;
    const none = (column: Mismatch['column'], mismatch: CorrectionMismatch): Mismatch => ({
      ok: false,
      column,
      mismatch,
    });
    const ofPayee = run.rows
      .values()
      .filter((row) => row.order && payeeKey(row.order.payee) === payeeKey(order.payee))
      .toArray();
    if (ofPayee.length === 0) return none('payee_id', { why: 'no_such_payee' });
    const same = ofPayee.filter((row) => keyOf(orderOf(row)) === keyOf(order));
    const left = retryable.leftOut.find((one) => same.some(({ row }) => row === one.row));
    if (left) return none(null, { why: 'left_out', left });
    for (const { row } of same) {
      const by = this.#taken.get(row);
      if (by !== undefined) return none(null, { why: 'corrected_before', row, by });
    }
    const open = ofPayee.find(({ row }) => retryable.rows.some((one) => one.row === row));
    if (open === undefined) return none(null, { why: 'no_open_row' });
    const { amount_minor, currency } = orderOf(open);
    const amount = formatForPeople({ minor: BigInt(amount_minor), currency });
    return none('amount', { why: 'other_amount', amount });
  }
}

/** Why a row corrects none, and the column that it is about; null where it is the row as a whole. */
export type Mismatch = { ok: false; column: 'payee_id' | 'amount' | null; mismatch: CorrectionMismatch };

/**
 * The corrected rows, each under the number of the row that it corrects: same payee, same amount, each row once. Throws a
 * `Refusal` (`rows_correct_none`) that names the rows which correct none.
 */
export function matchRows(corrected: Iterable<RunRow>, retried: Retriable): RunRow[] {
  const corrections = new Corrections(retried);
  const taken: RunRow[] = [];
  const wrong: { row: number; name: string; mismatch: CorrectionMismatch }[] = [];
  for (const { row, cells, order } of corrected) {
    if (order === null) continue;
    const match = corrections.take(row, cells, order);
    if (match.ok) taken.push(match.row);
    else wrong.push({ row, name: order.payee.name, mismatch: match.mismatch });
  }
  if (wrong.length === 0) return taken.sort((one, other) => one.row - other.row);
  const rows = wrong.slice(0, NAMED_MAX);
  const runId = retried.run.header?.run_id ?? '';
  throw new Refusal({ code: 'rows_correct_none', runId, rows, more: wrong.length - rows.length });
}

function keyOf({ payee, amount_minor, currency }: PayoutOrder): string {
  return `${payeeKey(payee)}\n${amount_minor} ${currencyKey(currency)}`;
}

function orderOf({ order, row }: RunRow): PayoutOrder {
  assert(order !== null, `row ${row} has no order`);
  return order;
}

type Found = Pick<RunRow, 'row' | 'cells'> & Mismatch;

/**
 * How a sheet is read that corrects rows of a run, by the rule of `retry --from`: each row of it that corrects none is an
 * error. Where the run has no such row any more, that is one error of the whole file.
 */
export function correctionProblems(
  retried: Retriable | RetryReason,
): Required<Pick<ReadOptions, 'onRow' | 'corrects'>> {
  if ('code' in retried) return { onRow: () => {}, corrects: () => [ofFile(retried)] };
  const corrections = new Corrections(retried);
  const runId = retried.run.header?.run_id ?? '';
  const found: Found[] = [];
  return {
    onRow: ({ row, cells, order }) => {
      const match = order === null ? null : corrections.take(row, cells, order);
      if (match !== null && !match.ok) found.push({ row, cells, ...match });
    },
    corrects: ({ sheet, columns }) => found.map((one) => problemOf(one, sheet, columns, runId)),
  };
}

function problemOf(
  { row, cells, column, mismatch }: Found,
  sheet: string | null,
  columns: readonly (string | null)[],
  runId: string,
): Problem {
  const at = column === null ? -1 : columns.indexOf(column);
  const isThere = at >= 0;
  const place = isThere ? { column, cell: cellName(at, row), value: cells[at] ?? null } : {};
  return problemAt('error', fault('corrects_no_row', { runId, mismatch }), { sheet, row, ...place });
}

function ofFile(reason: RetryReason): Problem {
  return problemAt('error', fault('nothing_to_correct', { reason }));
}
