import { sumOf } from '../../domain/money.ts';
import { type Payee, type PayoutOrder, payeeKey } from '../../domain/payee.ts';
import { type Fault, fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { Holds } from '../../domain/run/holds.ts';
import { accountChange, heldFault } from '../../input/checks/history-warnings.ts';
import { mentionOf } from '../../input/checks/payee-history.ts';
import { accountColumn, maskedAccount } from '../../input/checks/row-marks.ts';
import type { ColumnName } from '../../input/header/synonyms.ts';
import { ProblemLog } from '../../input/problem-log.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import type { Allowed, ComparedPayouts, PlannedPay, PlannedPayment } from './compared-payouts.ts';
import { type Corrected, correctionOf } from './corrected-rows.ts';

/** Payees and transactions that are named in one sentence. */
const NAMED_MAX = 5;

/** How many per cent of a payee's last pay another amount may differ by, where a job says nothing else. */
export const AMOUNT_CHANGE_DEFAULT = 25;

/** What of the input tells where a row's cells are. */
export type Places = { sheet: string | null; columns: readonly (string | null)[] };

/** The warnings of a plan, by their code; the most important last. */
export type Warnings = {
  payee_missing: ProblemLog;
  amount_changed: ProblemLog;
  payee_first_time: ProblemLog;
  account_first_time: ProblemLog;
  paid_before: ProblemLog;
  unknown_payment: ProblemLog;
  account_changed: ProblemLog;
  payee_on_hold: ProblemLog;
};

export type WarnOf = {
  compared: ComparedPayouts;
  /** How many per cent a payee's pay may differ from that of the job's last run. */
  amountChange: number;
  allowed: Allowed;
  /** By row, payments at the service that look like it and that the journal does not know. */
  unknown: ReadonlyMap<number, readonly string[]>;
  /** The rows that those of the plan correct; null where it is of no corrected rows. */
  corrected: Corrected | null;
  places: Places;
  /** Payees that must not be paid: their rows are left out when the plan is run. */
  holds: Holds;
};

export function warningsOf({ compared, amountChange, allowed, unknown, corrected, places, holds }: WarnOf): Warnings {
  const warnings: Warnings = {
    payee_missing: new ProblemLog(),
    amount_changed: new ProblemLog(),
    payee_first_time: new ProblemLog(),
    account_first_time: new ProblemLog(),
    paid_before: new ProblemLog(),
    unknown_payment: new ProblemLog(),
    account_changed: new ProblemLog(),
    payee_on_hold: new ProblemLog(),
  };
  const warn: Warn = (order, column, what) =>
    warnings[what.code as keyof Warnings].add(atCell(order, column, what, places));
  if (compared.missing.size > 0) warnings.payee_missing.add(missing(compared));
  for (const { first, isKnown } of compared.payees.values())
    if (compared.hasPast && !isKnown) warn(first.order, 'name', firstTime(first.order));
  for (const pay of compared.pays.values()) {
    const [first] = pay.rows;
    if (first && isAmountChanged(pay, amountChange)) warn(first.order, 'amount', amountChanged(pay, first.order));
    warnOfAccounts(pay, { compared, corrected }, warn);
  }
  for (const payment of compared.payments.values()) {
    const paid = notAllowed(payment, allowed);
    if (paid.length === 0) continue;
    for (const { order } of payment.rows) warn(order, accountColumn(order.destination), paidBefore(order, paid));
  }
  for (const { rows } of compared.payments.values())
    for (const { order } of rows) {
      const held = heldFault(order, holds);
      if (held !== null) warn(order, held.column, held.fault);
      const transactions = unknown.get(order.row);
      if (transactions) warn(order, accountColumn(order.destination), unknownPayment(order, transactions));
    }
  return warnings;
}

/**
 * The runs that made a payment, less those that a person lets be made again. A person who names the last of them knows that it
 * was made, however often before that.
 */
export function notAllowed({ paid }: PlannedPayment, allowed: Allowed): PlannedPayment['paid'] {
  const last = lastPaid(paid);
  if (allowed === null || last === null) return paid;
  const { runIds } = allowed;
  return runIds === null || runIds.has(last.run.id) ? [] : paid.filter(({ run }) => !runIds.has(run.id));
}

/** The one of these that was started last. */
export function lastPaid(paid: PlannedPayment['paid']): PlannedPayment['paid'][number] | null {
  return paid.reduce<(typeof paid)[number] | null>(
    (last, one) => (last && last.run.at >= one.run.at ? last : one),
    null,
  );
}

type Warn = (order: PayoutOrder, column: ColumnName, what: Fault) => void;

function warnOfAccounts(
  { rows, last }: PlannedPay,
  { compared, corrected }: Pick<WarnOf, 'compared' | 'corrected'>,
  warn: Warn,
): void {
  const { accounts, payees, hasPast } = compared;
  const seen = new Set<number>();
  for (const { order, account } of rows) {
    const correction = correctionOf(order, corrected);
    const change = hasPast && last !== null ? accountChange(order.destination, account, last) : null;
    const column = accountColumn(order.destination);
    const payee = payeeText(order.payee);
    // A corrected row has one warning, also where the payee was last paid elsewhere too.
    if (correction !== null) {
      const { runId, changes } = correction;
      const was = payeeText(corrected?.orders.get(order.row)?.payee ?? order.payee);
      warn(order, correction.column, fault('account_changed', { payee: was, change, corrected: { runId, changes } }));
    } else if (change !== null) warn(order, column, fault('account_changed', { payee, change, corrected: null }));
    else if (hasPast && last === null && !seen.has(account) && !accounts.get(account) && isKnown(order, payees))
      warn(order, column, fault('account_first_time', { payee, account: maskedAccount(order.destination) }));
    seen.add(account);
  }
}

/** `Ada Byron (E1)`. */
export function payeeText({ name, payee_id }: Pick<Payee, 'name' | 'payee_id'>): string {
  return payee_id === null ? name : `${name} (${payee_id})`;
}

function isKnown(order: PayoutOrder, payees: ComparedPayouts['payees']): boolean {
  return payees.get(payeeKey(order.payee))?.isKnown ?? false;
}

function isAmountChanged({ minor, lastMinor }: PlannedPay, percent: number): boolean {
  const difference = minor > lastMinor ? minor - lastMinor : lastMinor - minor;
  return lastMinor > 0n && difference * 100n > lastMinor * BigInt(percent);
}

function amountChanged({ minor, lastMinor, currency }: PlannedPay, { payee }: PayoutOrder): Fault {
  const [now, before] = [sumOf({ minor, currency }), sumOf({ minor: lastMinor, currency })];
  return fault('amount_changed', { payee: payeeText(payee), now, before });
}

function firstTime({ payee, destination }: PayoutOrder): Fault {
  return fault('payee_first_time', { payee: payeeText(payee), account: maskedAccount(destination) });
}

function paidBefore({ payee }: PayoutOrder, paid: PlannedPayment['paid']): Fault {
  const last = lastPaid(paid);
  const standing = paid.every((one) => one.standing === 'waiting')
    ? 'waiting'
    : paid.some((one) => one.standing === 'paid')
      ? 'paid'
      : 'perhaps';
  const run = last === null ? null : mentionOf(last.run);
  const before = fault('paid_before', { payee: payeeText(payee), run, more: paid.length - 1, standing });
  return last === null ? before : { ...before, paid_by: { run_id: last.run.id, how: standing } };
}

function unknownPayment({ payee }: PayoutOrder, transactions: readonly string[]): Fault {
  const named = transactions.slice(0, NAMED_MAX);
  const more = transactions.length - named.length;
  return fault('unknown_payment', { payee: payeeText(payee), transactions: named, more });
}

function missing({ missing: payees, lastOfJob }: ComparedPayouts): Problem {
  const named = [...payees.values()].slice(0, NAMED_MAX).map(payeeText);
  const run = lastOfJob === null ? null : mentionOf(lastOfJob);
  return problemAt('warning', fault('payee_missing', { count: payees.size, payees: named, run }));
}

function atCell(order: PayoutOrder, column: ColumnName, what: Fault, { sheet, columns }: Places): Problem {
  const { row, destination } = order;
  const at = columns.indexOf(column);
  const cell = at === -1 ? null : cellName(at, row);
  const value = column === accountColumn(destination) ? maskedAccount(destination) : null;
  return problemAt('warning', what, { sheet, row, column, cell, value });
}
