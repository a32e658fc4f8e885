import type { RunRow } from '../../domain/entry.ts';
import { currencyKey, formatForPeople } from '../../domain/money.ts';
import { type PayoutOrder, payeeKey } from '../../domain/payee.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { leftClause } from '../../messages/refusals/run-words.ts';
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

  /** The row as it is paid, or why it corrects none, as a sentence. */
  take(row: number, cells: string[], order: PayoutOrder): { ok: true; row: RunRow } | Mismatch {
    const old = this.#open.get(keyOf(order))?.shift();
    if (old === undefined) return this.#mismatch(order);
    this.#taken.set(old.row, row);
    return { ok: true, row: { row: old.row, cells, order: { ...order, row: old.row }, problem: null } };
  }

  #mismatch(order: PayoutOrder): Mismatch {
    const { run, retryable } = this.#retried;
    const runId = run.header?.run_id ?? '';
    const none = (column: Mismatch['column'], why: string): Mismatch => ({ ok: false, column, why });
    const ofPayee = run.rows.filter((row) => row.order && payeeKey(row.order.payee) === payeeKey(order.payee));
    if (ofPayee.length === 0) return none('payee_id', `${runId} pays no such payee.`);
    const same = ofPayee.filter((row) => keyOf(orderOf(row)) === keyOf(order));
    const left = retryable.leftOut.find((one) => same.some(({ row }) => row === one.row));
    if (left) return none(null, `row ${left.row} of ${runId}, which it would correct, ${leftClause(left)}.`);
    const taken = same.find(({ row }) => this.#taken.has(row));
    if (taken !== undefined)
      return none(
        null,
        `row ${this.#taken.get(taken.row)} of your sheet corrects row ${taken.row} of ${runId} already.`,
      );
    const open = ofPayee.find((row) => retryable.rows.includes(row));
    if (open === undefined) return none(null, `the payee has no failed or rejected row in ${runId}.`);
    const { amount_minor, currency } = orderOf(open);
    const amount = formatForPeople({ minor: BigInt(amount_minor), currency });
    return none(
      'amount',
      `the payee's failed or rejected row of ${runId} is of another amount or currency: ${amount}.`,
    );
  }
}

/** Why a row corrects none, and the column that it is about; null where it is the row as a whole. */
export type Mismatch = { ok: false; column: 'payee_id' | 'amount' | null; why: string };

export function mismatchRemedy({ run }: Retriable): string {
  return `Leave those rows out, or mend them: the same payee_id, amount and currency as in ${run.header?.run_id ?? ''}.`;
}

/**
 * The corrected rows, each under the number of the row that it corrects: same payee, same amount, each row once. Throws a
 * `Refusal` (`input`) that names every row which corrects none.
 */
export function matchRows(corrected: Iterable<RunRow>, retried: Retriable): RunRow[] {
  const corrections = new Corrections(retried);
  const taken: RunRow[] = [];
  const wrong: string[] = [];
  for (const { row, cells, order } of corrected) {
    if (order === null) continue;
    const match = corrections.take(row, cells, order);
    if (match.ok) taken.push(match.row);
    else wrong.push(`Row ${row} (${order.payee.name}): ${match.why}`);
  }
  if (wrong.length === 0) return taken.sort((one, other) => one.row - other.row);
  const rest = wrong.length > NAMED_MAX ? [`… and ${wrong.length - NAMED_MAX} more`] : [];
  const runId = retried.run.header?.run_id ?? null;
  throw new Refusal(
    'input',
    ['Nothing was sent: the file has rows that correct none.', ...wrong.slice(0, NAMED_MAX), ...rest].join('\n'),
    mismatchRemedy(retried),
    { run_id: runId },
  );
}

function keyOf({ payee, amount_minor, currency }: PayoutOrder): string {
  return `${payeeKey(payee)}\n${amount_minor} ${currencyKey(currency)}`;
}

function orderOf({ order, row }: RunRow): PayoutOrder {
  assert(order !== null, `row ${row} has no order`);
  return order;
}
