import { type Currency, sameCurrency } from '../../domain/currencies.ts';
import { currencyKey, type Money } from '../../domain/money.ts';
import type { Destination } from '../../domain/payee.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { RunMention } from '../../domain/problems/payment-problems.ts';
import { Holds } from '../../domain/run/holds.ts';
import { type Comparable, combined, maskedAccount, RowMarks } from './row-marks.ts';

/** A run of the past. `isSeen`: everybody who may see the file may see the run, so warnings may show its amounts. */
export type PastRun = RunMention & { header: readonly string[]; isFinished: boolean; isSeen: boolean };

/** What earlier runs paid, as far as a file is compared with it. */
export type PayeeHistory = {
  /** Of the history itself, such as that it could not be read. */
  readonly problems: readonly Problem[];
  /** Payees that must not be paid; absent where none are known. */
  readonly holds?: Holds;
  /** Finds the rows that were paid already; absent where they are not wanted. */
  readonly again?: PaidAgain | null;
  /**
   * What the payee of a row got before in the row's currency: by its payee_id, else by its account. Null where nothing is
   * known.
   */
  paidBefore(marks: RowMarks): PaidBefore | null;
  /** The total, in a currency, of the last finished run with this header, among runs whose amounts may be shown; null if there is none. */
  lastTotal(header: readonly string[], currency: Currency): { run: PastRun; total: Money } | null;
};

export type PaidBefore = {
  /** In minor units, of the newest payouts whose amounts may be shown. */
  amounts: bigint[];
  /** The last run that paid the payee, and the accounts it went to. */
  run: PastRun;
  accounts: PastAccount[];
};

export type PastAccount = { mark: number; masked: string; kind: Destination['kind'] };

/** A payee's payouts that are remembered. */
const PAYOUTS_OF_PAYEE = 12;

/** An empty history with these problems. */
export function noHistory(problems: readonly Problem[]): PayeeHistory {
  return { problems, paidBefore: () => null, lastTotal: () => null };
}

/** The payouts of past runs, given newest run first: for each payee, and for each account, the last twelve in a currency. */
export class PastPayouts implements PayeeHistory {
  readonly problems: Problem[] = [];
  readonly again: PaidAgain | null;
  readonly holds: Holds;
  readonly #marks = new RowMarks();
  readonly #runs: { run: PastRun; totals: Map<string, Money> }[] = [];
  /** By payee and currency, and by account and currency. */
  readonly #payouts = new Map<number, PaidBefore>();

  constructor(again: PaidAgain | null = null, holds = new Holds()) {
    this.again = again;
    this.holds = holds;
  }

  beginRun(run: PastRun): void {
    this.#runs.push({ run, totals: new Map() });
  }

  /** A payout of the run that was begun last. */
  add(order: Comparable): void {
    const newest = this.#runs.at(-1);
    if (newest === undefined) return;
    const marks = this.#marks;
    marks.load(order);
    this.again?.add(marks);
    const { run, totals } = newest;
    const { destination, currency } = order;
    const minor = BigInt(order.amount_minor);
    const key = currencyKey(currency);
    totals.set(key, { minor: minor + (totals.get(key)?.minor ?? 0n), currency });
    const account = { mark: marks.account, masked: maskedAccount(destination), kind: destination.kind };
    if (marks.payee !== 0) this.#keep(combined(marks.payee, marks.currency), run, account, minor);
    this.#keep(combined(marks.account, marks.currency), run, account, minor);
  }

  #keep(key: number, run: PastRun, account: PastAccount, minor: bigint): void {
    const known = this.#payouts.get(key);
    if (known === undefined) {
      this.#payouts.set(key, { run, accounts: [account], amounts: run.isSeen ? [minor] : [] });
      return;
    }
    const { accounts, amounts } = known;
    if (known.run === run && accounts.length < PAYOUTS_OF_PAYEE) accounts.push(account);
    if (run.isSeen && amounts.length < PAYOUTS_OF_PAYEE) amounts.push(minor);
  }

  paidBefore({ payee, account, currency }: RowMarks): PaidBefore | null {
    const ofPayee = payee === 0 ? undefined : this.#payouts.get(combined(payee, currency));
    return ofPayee ?? this.#payouts.get(combined(account, currency)) ?? null;
  }

  lastTotal(header: readonly string[], currency: Currency): { run: PastRun; total: Money } | null {
    const last = this.#runs.find(({ run }) => run.isSeen && run.isFinished && sameTexts(run.header, header));
    const total = last?.totals.get(currencyKey(currency));
    return last && total && sameCurrency(total.currency, currency) ? { run: last.run, total } : null;
  }
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** Rows that are named in one sentence. */
const NAMED_MAX = 5;

/** A run of the past: how many of its payouts were not paid, where it has ended. */
type Earlier = RunMention & { unpaid: number };

type Found = { run: Earlier; count: number; rows: number[] };

/** Which rows of a file pay the same amount to the same account as a recent run did. */
export class PaidAgain {
  readonly #since: number;
  readonly #runs: Found[] = [];
  /** From account and amount to the newest run that paid it. */
  readonly #runOf = new Map<number, Found>();
  #isInWindow = false;
  #others = 0;
  readonly #otherRows: number[] = [];

  /** What was paid before `since`, Unix ms, is not the same payment any more. */
  constructor(since: number) {
    this.#since = since;
  }

  /** The newest run first. */
  beginRun(run: Earlier): void {
    this.#isInWindow = run.at > this.#since;
    if (this.#isInWindow) this.#runs.push({ run, count: 0, rows: [] });
  }

  /** What the run that was begun last has paid. */
  add({ account, amount }: RowMarks): void {
    const run = this.#runs.at(-1);
    const key = combined(account, amount);
    if (this.#isInWindow && run !== undefined && !this.#runOf.has(key)) this.#runOf.set(key, run);
  }

  /** A payable row of the file. */
  take({ account, amount }: RowMarks, row: number): void {
    const found = this.#runOf.size === 0 ? undefined : this.#runOf.get(combined(account, amount));
    const rows = found?.rows ?? this.#otherRows;
    if (found === undefined) this.#others++;
    else found.count++;
    if (rows.length < NAMED_MAX) rows.push(row);
  }

  /** One for each run, the newest first. */
  get problems(): Problem[] {
    const found = this.#runs.filter(({ count }) => count > 0);
    const all = found.reduce((sum, { count }) => sum + count, this.#others);
    const others = found.length > 1 || this.#others === 0 ? null : { count: this.#others, rows: this.#otherRows };
    return found.map(({ run, count, rows }) => {
      const isRetriable = this.#others > 0 && run.unpaid > 0;
      const paid = { run: mentionOf(run), all, count, rows, others, isRetriable };
      return problemAt('warning', fault('paid_before', paid));
    });
  }
}

/** What words need of a run. */
export function mentionOf({ id, at, isRehearsal }: RunMention): RunMention {
  return { id, at, isRehearsal };
}
