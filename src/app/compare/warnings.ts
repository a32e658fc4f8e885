import { formatForPeople } from '../../domain/money.ts';
import { type Payee, type PayoutOrder, payeeKey } from '../../domain/payee.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Fault } from '../../input/cells/cell-facts.ts';
import { accountChange } from '../../input/checks/history-warnings.ts';
import { runText } from '../../input/checks/past-run.ts';
import { accountColumn, maskedAccount } from '../../input/checks/row-marks.ts';
import { cellName } from '../../input/header/columns.ts';
import type { ColumnName } from '../../input/header/synonyms.ts';
import { ProblemLog } from '../../input/problem-log.ts';
import type { Allowed, ComparedPayouts, PlannedPay, PlannedPayment } from './compared-payouts.ts';
import { type Corrected, correctionOf } from './corrected-rows.ts';

/** Payees and transactions that are named in one sentence. */
const NAMED_MAX = 5;

/** How many per cent of a payee's last pay another amount may differ by, where a job says nothing else. */
export const AMOUNT_CHANGE_DEFAULT = 25;

/** What of the input tells where a row's cells are. */
export type Places = { sheet: string | null; columns: readonly (string | null)[] };

/** What is said of a plan, by its code; the most important last. */
export type Warnings = {
  payee_missing: ProblemLog;
  amount_changed: ProblemLog;
  payee_first_time: ProblemLog;
  account_first_time: ProblemLog;
  paid_before: ProblemLog;
  unknown_payment: ProblemLog;
  account_changed: ProblemLog;
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
};

export function warningsOf({ compared, amountChange, allowed, unknown, corrected, places }: WarnOf): Warnings {
  const warnings: Warnings = {
    payee_missing: new ProblemLog(),
    amount_changed: new ProblemLog(),
    payee_first_time: new ProblemLog(),
    account_first_time: new ProblemLog(),
    paid_before: new ProblemLog(),
    unknown_payment: new ProblemLog(),
    account_changed: new ProblemLog(),
  };
  const warn = (order: PayoutOrder, column: ColumnName, fault: Fault) =>
    warnings[fault.code as keyof Warnings].add(atCell(order, column, fault, places));
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
      const transactions = unknown.get(order.row);
      if (transactions) warn(order, accountColumn(order.destination), unknownPayment(order, transactions));
    }
  return warnings;
}

/**
 * The runs that made a payment, less those that a person lets be made again. Whoever names the last of them knows that it
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

type Warn = (order: PayoutOrder, column: ColumnName, fault: Fault) => void;

function warnOfAccounts(
  { rows, last }: PlannedPay,
  { compared, corrected }: Pick<WarnOf, 'compared' | 'corrected'>,
  warn: Warn,
): void {
  const { accounts, payees, hasPast } = compared;
  const seen = new Set<number>();
  for (const { order, account } of rows) {
    const correction = correctionOf(order, corrected);
    const changed = hasPast && last !== null ? accountChange(order, account, last) : null;
    const column = accountColumn(order.destination);
    if (correction !== null) warn(order, correction.column, withLast(correction.fault, changed));
    else if (changed !== null) warn(order, column, { ...changed, message: `${who(order.payee)}: ${changed.message}` });
    else if (hasPast && last === null && !seen.has(account) && !accounts.get(account) && isKnown(order, payees))
      warn(order, column, accountFirstTime(order));
    seen.add(account);
  }
}

/** A row is said once, also where the payee was last paid elsewhere too. */
function withLast(fault: Fault, changed: Fault | null): Fault {
  return changed === null ? fault : { ...fault, message: `${fault.message} ${changed.message}` };
}

/** `Ada Byron (E1)`. */
function who({ name, payee_id }: Pick<Payee, 'name' | 'payee_id'>): string {
  return payee_id === null ? name : `${name} (${payee_id})`;
}

function isKnown(order: PayoutOrder, payees: ComparedPayouts['payees']): boolean {
  return payees.get(payeeKey(order.payee))?.isKnown ?? false;
}

function isAmountChanged({ minor, lastMinor }: PlannedPay, percent: number): boolean {
  const difference = minor > lastMinor ? minor - lastMinor : lastMinor - minor;
  return lastMinor > 0n && difference * 100n > lastMinor * BigInt(percent);
}

function amountChanged({ minor, lastMinor, currency }: PlannedPay, order: PayoutOrder): Fault {
  const [now, before] = [minor, lastMinor].map((one) => formatForPeople({ minor: one, currency }));
  return {
    code: 'amount_changed',
    message: `${who(order.payee)} gets ${now}; in the last run of the job it was ${before}.`,
    remedy: 'Make sure that the new amount is meant.',
  };
}

function firstTime(order: PayoutOrder): Fault {
  return {
    code: 'payee_first_time',
    message: `${who(order.payee)} was never paid before, as far as this journal knows; the payout goes to ${maskedAccount(order.destination)}.`,
    remedy: 'Make sure that somebody who knows the payee has asked for the payment.',
  };
}

function accountFirstTime(order: PayoutOrder): Fault {
  return {
    code: 'account_first_time',
    message: `${who(order.payee)} was paid before, but nobody was ever paid to ${maskedAccount(order.destination)}.`,
    remedy: 'Make sure that the account is of this payee.',
  };
}

function paidBefore(order: PayoutOrder, paid: PlannedPayment['paid']): Fault {
  const last = lastPaid(paid);
  const also = paid.length === 1 ? '' : `, and ${paid.length - 1} more`;
  const by = `by ${last ? runText(last.run) : ''}${also}`;
  const isWaiting = paid.every(({ standing }) => standing === 'waiting');
  const isCertain = paid.some(({ standing }) => standing === 'paid');
  return {
    code: 'paid_before',
    message: isWaiting
      ? `${who(order.payee)} is to get the same amount on the same account ${by}: it waits there.`
      : `${who(order.payee)} got the same amount on the same account before: ${isCertain ? '' : 'perhaps, '}${by}.`,
    remedy: { code: 'remove_paid_row' },
    ...(last !== null && {
      paid_by: { run_id: last.run.id, how: isWaiting ? 'waiting' : isCertain ? 'paid' : 'perhaps' },
    }),
  };
}

function unknownPayment(order: PayoutOrder, transactions: readonly string[]): Fault {
  const named = transactions.slice(0, NAMED_MAX).join(', ');
  const more = transactions.length > NAMED_MAX ? ` and ${transactions.length - NAMED_MAX} more` : '';
  return {
    code: 'unknown_payment',
    message: `${who(order.payee)} was perhaps paid already: the service holds ${named}${more} of the last two weeks, of the same amount, which this journal does not know.`,
    remedy: 'Look at it at the service, and remove the row where it was paid by hand or from another machine.',
  };
}

function missing({ missing: payees, lastOfJob }: ComparedPayouts): Problem {
  const names = [...payees.values()].slice(0, NAMED_MAX).map(who);
  const more = payees.size > NAMED_MAX ? ` and ${(payees.size - NAMED_MAX).toLocaleString('en')} more` : '';
  const run = lastOfJob === null ? 'the last run' : runText(lastOfJob);
  return {
    severity: 'warning',
    code: 'payee_missing',
    sheet: null,
    row: null,
    column: null,
    cell: null,
    value: null,
    message: `${payees.size.toLocaleString('en')} of those who were paid by ${run}, the last one of the job, are not in this file: ${names.join(', ')}${more}.`,
    remedy: 'Make sure that nobody was forgotten.',
  };
}

function atCell(order: PayoutOrder, column: ColumnName, fault: Fault, { sheet, columns }: Places): Problem {
  const at = columns.indexOf(column);
  const isAccount = column === accountColumn(order.destination);
  return {
    severity: 'warning',
    code: fault.code,
    sheet,
    row: order.row,
    column,
    cell: at === -1 ? null : cellName(at, order.row),
    value: isAccount ? maskedAccount(order.destination) : null,
    message: fault.message,
    remedy: fault.remedy,
    ...(fault.paid_by !== undefined && { paid_by: fault.paid_by }),
  };
}
