import type { RunRow } from '../../domain/entry.ts';
import { currencyKey, type Money } from '../../domain/money.ts';
import { type PayoutOrder, payeeKey } from '../../domain/payee.ts';
import type { PaidStanding } from '../../domain/run/paid-standing.ts';
import type { PastAccount } from '../../input/checks/payee-history.ts';
import { combined, maskedAccount, RowMarks } from '../../input/checks/row-marks.ts';
import type { PastOrder } from '../../journal/projections/run-payouts.ts';

/** An earlier run. `at` is when it was started, Unix ms. */
export type EarlierRun = {
  id: string;
  at: number;
  isRehearsal: boolean;
  /** Whether it paid through the same service: of others nothing is compared but who was paid what. */
  isHere: boolean;
  /** The last run of the same job. */
  isLastOfJob: boolean;
  /** Whether it is recent enough that the same payment again is suspicious. */
  isInWindow: boolean;
};

/** A row of the plan, and the mark of its account. */
export type PlannedRow = { order: PayoutOrder; account: number };

/** A payee of the plan, in whatever currency. */
export type PlannedPayee = { first: PlannedRow; isKnown: boolean; isInLast: boolean };

/** What a payee of the plan gets in one currency, and got before. */
export type PlannedPay = {
  currency: PayoutOrder['currency'];
  rows: PlannedRow[];
  minor: bigint;
  /** The last run that paid it, and on which accounts. */
  last: { run: EarlierRun; accounts: PastAccount[] } | null;
  /** In the last run of the job. */
  lastMinor: bigint;
};

/** Whether a row of an earlier run was paid: certainly, perhaps, or not yet. */
export type Standing = Exclude<PaidStanding, 'unpaid'>;

/** Rows of one account, amount and currency, and the recent runs that paid the same, or are about to. */
export type PlannedPayment = { rows: PlannedRow[]; paid: { run: EarlierRun; standing: Standing }[] };

/** Which earlier payments may be made again: those of some runs, all of them (`runIds` is null), or none (null). */
export type Allowed = { runIds: ReadonlySet<string> | null } | null;

/** Accounts of one run, and runs of one payment, that are remembered. */
const KEPT_MAX = 12;

/**
 * The rows of a plan, and what earlier runs have to do with them. Its size is that of the plan and of the last run of the
 * job: of everything else that was paid it keeps nothing.
 */
export class ComparedPayouts {
  readonly payees = new Map<string, PlannedPayee>();
  readonly pays = new Map<string, PlannedPay>();
  readonly payments = new Map<number, PlannedPayment>();
  /** By its mark, whether somebody was paid on it before. */
  readonly accounts = new Map<number, boolean>();
  /** Per payee and account, in whatever currency, the first run that paid the one on the other, of those that are compared. */
  readonly #firstPaid = new Map<string, EarlierRun>();
  /** Payees of the job's last run who are not in the plan, and what they got, by currency. */
  readonly missing = new Map<string, { name: string; payee_id: string | null; sums: Money[] }>();
  readonly lastTotals = new Map<string, Money>();
  lastOfJob: EarlierRun | null = null;
  /** Whether anybody was paid before. */
  hasPast = false;
  readonly #marks = new RowMarks();

  constructor(rows: Iterable<RunRow>) {
    for (const { order } of rows) if (order !== null) this.#plan(order);
  }

  beginRun(run: EarlierRun): void {
    if (run.isLastOfJob) this.lastOfJob = run;
  }

  /** A payout of an earlier run, the newest run first. */
  add(order: PastOrder, run: EarlierRun, standing: Standing): void {
    this.#marks.load(order);
    const { account, amount } = this.#marks;
    const payment = run.isInWindow ? this.payments.get(combined(account, amount)) : undefined;
    if (payment && payment.paid.length < KEPT_MAX && payment.paid.at(-1)?.run !== run)
      payment.paid.push({ run, standing });
    if (standing !== 'paid' || !run.isHere) return;
    this.hasPast = true;
    const key = payeeKey(order.payee);
    const payee = this.payees.get(key);
    if (payee) payee.isKnown = true;
    if (this.accounts.has(account)) {
      this.accounts.set(account, true);
      if (payee) this.#noteFirst(`${account} ${key}`, run);
    }
    const pay = payee && this.pays.get(`${key} ${currencyKey(order.currency)}`);
    if (pay) notePaid(pay, order, run, account);
    if (!run.isLastOfJob) return;
    const sum = { minor: BigInt(order.amount_minor), currency: order.currency };
    addTo(this.lastTotals, sum);
    if (payee) payee.isInLast = true;
    else this.#miss(key, order.payee, sum);
    if (pay) pay.lastMinor += BigInt(order.amount_minor);
  }

  /** The first run that paid the row's payee on its account. An account that others were paid on is new for this one. */
  firstPaid({ order, account }: PlannedRow): EarlierRun | undefined {
    return this.#firstPaid.get(`${account} ${payeeKey(order.payee)}`);
  }

  /**
   * Whether each row's payee was paid on its account at `since` or before, and each payee in its currency at all: then no
   * older run makes an account new or changed, or takes that away.
   */
  areAccountsOld(since: number): boolean {
    for (const { rows, last } of this.pays.values()) {
      if (last === null) return false;
      for (const row of rows) if ((this.firstPaid(row)?.at ?? Number.POSITIVE_INFINITY) > since) return false;
    }
    return true;
  }

  #miss(key: string, { name, payee_id }: PastOrder['payee'], sum: Money): void {
    const known = this.missing.get(key);
    if (known === undefined) {
      this.missing.set(key, { name, payee_id, sums: [sum] });
      return;
    }
    const at = known.sums.findIndex(({ currency }) => currencyKey(currency) === currencyKey(sum.currency));
    known.sums[at < 0 ? known.sums.length : at] = { ...sum, minor: sum.minor + (known.sums[at]?.minor ?? 0n) };
  }

  #noteFirst(key: string, run: EarlierRun): void {
    const first = this.#firstPaid.get(key);
    if (first === undefined || run.at < first.at) this.#firstPaid.set(key, run);
  }

  #plan(order: PayoutOrder): void {
    this.#marks.load(order);
    const { account, amount } = this.#marks;
    const row = { order, account };
    const key = payeeKey(order.payee);
    if (!this.payees.has(key)) this.payees.set(key, { first: row, isKnown: false, isInLast: false });
    const payKey = `${key} ${currencyKey(order.currency)}`;
    const minor = BigInt(order.amount_minor);
    const pay = this.pays.get(payKey);
    // An array that is made with its one row takes an eighth of what one takes to which it is added.
    if (pay === undefined)
      this.pays.set(payKey, { currency: order.currency, rows: [row], minor, last: null, lastMinor: 0n });
    else {
      pay.rows.push(row);
      pay.minor += minor;
    }
    const payment = this.payments.get(combined(account, amount));
    if (payment === undefined) this.payments.set(combined(account, amount), { rows: [row], paid: [] });
    else payment.rows.push(row);
    this.accounts.set(account, false);
  }
}

function notePaid(pay: PlannedPay, { destination }: PastOrder, run: EarlierRun, mark: number): void {
  pay.last ??= { run, accounts: [] };
  const { accounts } = pay.last;
  if (pay.last.run !== run || accounts.length >= KEPT_MAX || accounts.some((one) => one.mark === mark)) return;
  accounts.push({ mark, masked: maskedAccount(destination), kind: destination.kind });
}

function addTo(totals: Map<string, Money>, amount: Money): void {
  const key = currencyKey(amount.currency);
  totals.set(key, { ...amount, minor: amount.minor + (totals.get(key)?.minor ?? 0n) });
}
