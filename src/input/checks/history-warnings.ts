import { type Money, sumOf } from '../../domain/money.ts';
import type { Destination, PayoutOrder } from '../../domain/payee.ts';
import { type Fault, fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { AccountChange, RunMention } from '../../domain/problems/payment-problems.ts';
import type { Holds } from '../../domain/run/holds.ts';
import type { RowCells } from '../cells/row-cells.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { mentionOf, type PaidBefore, type PastAccount, type PayeeHistory } from './payee-history.ts';
import { accountColumn, maskedAccount, type RowMarks } from './row-marks.ts';

/** An amount so many times the usual one gets a warning. */
const UNUSUAL_TIMES = 10n;

/** A total so many times that of the last run, or the other way round, gets a warning. */
const UNUSUAL_TOTAL_TIMES = 2n;

/** An error where the payee of a row, or somebody else who was paid on its account, is on hold. */
export function refuseHeld(cells: RowCells, order: PayoutOrder, holds: Holds | undefined): void {
  const held = holds === undefined ? null : heldFault(order, holds);
  if (held !== null) cells.error(held.column, held.fault);
}

/** Why an order must not be paid, and the column that shows it; null where it may. */
export function heldFault(
  order: PayoutOrder,
  holds: Holds,
): { column: ColumnName; fault: Fault<'payee_on_hold'> } | null {
  const held = holds.of(order);
  if (held === null) return null;
  const { hold, matched } = held;
  const { name: payee, by, at: heldAt, reason } = hold;
  const column = matched === 'payee' ? 'name' : accountColumn(order.destination);
  return { column, fault: fault('payee_on_hold', { payee, by, heldAt, reason, matched }) };
}

/** Notes whether a row was paid already, and warns where its payee got much less before, or got it on another account. */
export function warnOfChange(cells: RowCells, order: PayoutOrder, marks: RowMarks, history: PayeeHistory): void {
  history.again?.take(marks, order.row);
  const before = history.paidBefore(marks);
  if (before === null) return;
  warnOfAmount(cells, order, before);
  warnOfAccount(cells, order, marks, before);
}

/** Problems of the history itself, and of the totals of a file that are far from those of the last run. */
export function pastProblems(
  totals: readonly Money[],
  header: readonly string[],
  history: PayeeHistory | undefined,
): Problem[] {
  if (history === undefined) return [];
  const ofTotals = totals.flatMap((total): Problem[] => {
    const last = history.lastTotal(header, total.currency);
    if (last === null || !isFar(total.minor, last.total.minor)) return [];
    const params = { total: sumOf(total), last: sumOf(last.total), run: mentionOf(last.run) };
    return [problemAt('warning', fault('total_unusual', params))];
  });
  return [...history.problems, ...(history.again?.problems ?? []), ...ofTotals];
}

function warnOfAmount(cells: RowCells, { amount_minor, currency }: PayoutOrder, { amounts }: PaidBefore): void {
  const minor = BigInt(amount_minor);
  const usual = median(amounts);
  if (usual <= 0n || minor < usual * UNUSUAL_TIMES) return;
  const params = { times: String(minor / usual), usual: sumOf({ minor: usual, currency }), payouts: amounts.length };
  cells.warn('amount', fault('amount_unusual', params));
}

function warnOfAccount(cells: RowCells, { destination }: PayoutOrder, marks: RowMarks, before: PaidBefore): void {
  const change = accountChange(destination, marks.account, before);
  if (change === null) return;
  const changed = fault('account_changed', { payee: null, change, corrected: null });
  cells.warn(accountColumn(destination), changed, maskedAccount(destination));
}

/** Where a row's payee was last paid on other accounts only; `account` is the mark of the row's. */
export function accountChange(
  destination: Destination,
  account: number,
  { run, accounts }: { run: RunMention; accounts: readonly PastAccount[] },
): AccountChange | null {
  if (accounts.some(({ mark }) => mark === account)) return null;
  const { kind } = destination;
  const comparable = accounts.find((one) => one.kind === kind);
  return {
    was: (comparable ?? accounts[0])?.masked ?? '',
    now: maskedAccount(destination),
    wasNamed: comparable ? null : kind === 'existing' ? 'bank_details' : 'external_account_id',
    run: mentionOf(run),
  };
}

function isFar(now: bigint, before: bigint): boolean {
  return now >= before * UNUSUAL_TOTAL_TIMES || before >= now * UNUSUAL_TOTAL_TIMES;
}

/** The mean of the two in the middle, rounded down, where there is no middle one. */
function median(amounts: readonly bigint[]): bigint {
  const sorted = amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0n;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0n)) / 2n;
}
