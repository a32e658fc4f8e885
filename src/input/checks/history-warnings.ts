import { formatForPeople, type Money } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Fault } from '../cells/cell-facts.ts';
import type { RowCells } from '../cells/row-cells.ts';
import { type PastRun, runText } from './past-run.ts';
import type { PaidBefore, PastAccount, PayeeHistory } from './payee-history.ts';
import { accountColumn, maskedAccount, type RowMarks } from './row-marks.ts';

/** So many times the usual amount is remarked. */
const UNUSUAL_TIMES = 10n;

/** So many times the last run's total, or the last run's total so many times this one, is remarked. */
const UNUSUAL_TOTAL_TIMES = 2n;

/** Notes whether a row was paid already, and warns where its payee got much less before, or got it on another account. */
export function warnOfChange(cells: RowCells, order: PayoutOrder, marks: RowMarks, history: PayeeHistory): void {
  history.again?.take(marks, order.row);
  const before = history.paidBefore(marks);
  if (before === null) return;
  warnOfAmount(cells, order, before);
  warnOfAccount(cells, order, marks, before);
}

/** What is to be said of the history itself, and of the totals of a file that are far from those of the last run. */
export function pastProblems(
  totals: readonly Money[],
  header: readonly string[],
  history: PayeeHistory | undefined,
): Problem[] {
  if (history === undefined) return [];
  const ofTotals = totals.flatMap((total): Problem[] => {
    const last = history.lastTotal(header, total.currency);
    if (last === null || !isFar(total.minor, last.total.minor)) return [];
    return [totalUnusual(total, last)];
  });
  return [...history.problems, ...(history.again?.problems ?? []), ...ofTotals];
}

function totalUnusual(total: Money, last: { run: PastRun; total: Money }): Problem {
  const before = `${formatForPeople(last.total)} (${runText(last.run)})`;
  return {
    severity: 'warning',
    code: 'total_unusual',
    sheet: null,
    row: null,
    column: null,
    cell: null,
    value: null,
    message: `The payouts come to ${formatForPeople(total)}; the last run of such a file paid ${before}.`,
    remedy: 'Make sure that no payout is missing and that none is there twice.',
  };
}

function warnOfAmount(cells: RowCells, { amount_minor, currency }: PayoutOrder, { amounts }: PaidBefore): void {
  const minor = BigInt(amount_minor);
  const usual = median(amounts);
  if (usual <= 0n || minor < usual * UNUSUAL_TIMES) return;
  const of = amounts.length === 1 ? 'the one payout before' : `the median of the last ${amounts.length} payouts`;
  cells.warn('amount', {
    code: 'amount_unusual',
    message: `This is ${minor / usual} times what this payee is usually paid: ${formatForPeople({ minor: usual, currency })}, ${of}.`,
    remedy: 'Make sure that the decimal separator stands where it should, and that the amount is meant.',
  });
}

function warnOfAccount(cells: RowCells, order: PayoutOrder, marks: RowMarks, before: PaidBefore): void {
  const fault = accountChange(order, marks.account, before);
  if (fault !== null) cells.warn(accountColumn(order.destination), fault, maskedAccount(order.destination));
}

/** What is to be said where a row's payee was last paid on other accounts only; `account` is the mark of the row's. */
export function accountChange(
  { destination }: Pick<PayoutOrder, 'destination'>,
  account: number,
  { run, accounts }: { run: Pick<PastRun, 'id' | 'at' | 'isRehearsal'>; accounts: readonly PastAccount[] },
): Fault | null {
  if (accounts.some(({ mark }) => mark === account)) return null;
  const { kind } = destination;
  const [last] = accounts;
  const comparable = accounts.find((one) => one.kind === kind);
  const was = (comparable ?? last)?.masked ?? '';
  const how = comparable ? '' : `, named ${kind === 'existing' ? 'by its bank details' : 'as external_account_id'}`;
  return {
    code: 'account_changed',
    message: `Last time this payee was paid to ${was}${how} (${runText(run)}); now it is ${maskedAccount(destination)}.`,
    remedy: 'Ask the payee by a way that you know, not by the one that the change came by, before you pay.',
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
