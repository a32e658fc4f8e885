import { type Currency, sameCurrency } from '../../domain/currencies.ts';
import { currencyKey, type Money } from '../../domain/money.ts';
import type { Destination } from '../../domain/payee.ts';
import type { Problem } from '../../domain/problem.ts';
import { combined } from './hash53.ts';
import type { PaidAgain } from './paid-again.ts';
import type { PastRun } from './past-run.ts';
import { type Comparable, maskedAccount, RowMarks } from './row-marks.ts';

/** What earlier runs paid, as far as a file is compared with it. */
export type PayeeHistory = {
  /** What is to be said of it, such as that it could not be read. */
  readonly problems: readonly Problem[];
  /** What hears of each row, where it is asked which were paid already. */
  readonly again?: PaidAgain | null;
  /**
   * What the payee of a row got before in the row's currency: by its payee_id, else by its account. Null where nothing is
   * known.
   */
  paidBefore(marks: RowMarks): PaidBefore | null;
  /** What the last finished run of a file with this header paid in a currency, or null. */
  lastTotal(header: readonly string[], currency: Currency): { run: PastRun; total: Money } | null;
};

export type PaidBefore = {
  /** In minor units, of the newest payouts. */
  amounts: bigint[];
  /** The last run that paid the payee, and the accounts it went to. */
  run: PastRun;
  accounts: PastAccount[];
};

export type PastAccount = { mark: number; masked: string; kind: Destination['kind'] };

/** A payee's payouts that are remembered. */
const PAYOUTS_OF_PAYEE = 12;

/** The empty history, of which `problems` are to be said. */
export function noHistory(problems: readonly Problem[]): PayeeHistory {
  return { problems, paidBefore: () => null, lastTotal: () => null };
}

/**
 * The payouts of past runs, given newest run first: for each payee and currency the last twelve, under the hash of the
 * payee_id and under that of the account. Some 200 bytes a payout, so they are kept in columns and not as objects.
 */
export class PastPayouts implements PayeeHistory {
  readonly problems: Problem[] = [];
  readonly again: PaidAgain | null;
  readonly #marks = new RowMarks();
  readonly #runs: PastRun[] = [];
  readonly #totals: Map<string, Money>[] = [];
  /** From payee and currency to the newest of its links, and how many there are. */
  readonly #first = new Map<number, { link: number; count: number }>();
  /** Of each payout: minor units, where a number holds them exactly, else a bigint. */
  readonly #amounts: number[] = [];
  readonly #largeAmounts = new Map<number, bigint>();
  readonly #runOf: number[] = [];
  readonly #accountMarks: number[] = [];
  readonly #masked: string[] = [];
  readonly #isExisting: boolean[] = [];
  /** Of each link: a payout of a payee, and the next link of the same payee, -1 for the last. */
  readonly #linked: number[] = [];
  readonly #next: number[] = [];

  constructor(again: PaidAgain | null = null) {
    this.again = again;
  }

  beginRun(run: PastRun): void {
    this.#runs.push(run);
    this.#totals.push(new Map());
  }

  /** A payout of the run that was begun last. */
  add(order: Comparable): void {
    const marks = this.#marks;
    marks.load(order);
    this.again?.add(marks);
    const minor = BigInt(order.amount_minor);
    this.#addToTotal({ minor, currency: order.currency });
    const keys = [payeeKey(marks), accountKey(marks)].filter((key) => key !== 0 && this.#hasRoom(key));
    if (keys.length === 0) return;
    const payout = this.#amounts.length;
    const isExact = minor <= Number.MAX_SAFE_INTEGER;
    if (!isExact) this.#largeAmounts.set(payout, minor);
    this.#amounts.push(isExact ? Number(minor) : 0);
    this.#runOf.push(this.#runs.length - 1);
    this.#accountMarks.push(marks.account);
    this.#masked.push(maskedAccount(order.destination));
    this.#isExisting.push(order.destination.kind === 'existing');
    for (const key of keys) this.#link(key, payout);
  }

  paidBefore(marks: RowMarks): PaidBefore | null {
    const ofPayee = marks.payee === 0 ? undefined : this.#first.get(payeeKey(marks));
    const found = ofPayee ?? this.#first.get(accountKey(marks));
    if (found === undefined) return null;
    const payouts = this.#payoutsFrom(found.link);
    const runs = payouts.map((payout) => this.#runOf[payout] ?? 0);
    const last = Math.min(...runs);
    const run = this.#runs[last];
    if (run === undefined) return null;
    return {
      amounts: payouts.map((payout) => this.#largeAmounts.get(payout) ?? BigInt(this.#amounts[payout] ?? 0)),
      run,
      accounts: payouts.filter((_, at) => runs[at] === last).map((payout) => this.#accountOf(payout)),
    };
  }

  lastTotal(header: readonly string[], currency: Currency): { run: PastRun; total: Money } | null {
    const at = this.#runs.findIndex((run) => run.isFinished && sameTexts(run.header, header));
    const run = this.#runs[at];
    const total = this.#totals[at]?.get(currencyKey(currency));
    return run && total && sameCurrency(total.currency, currency) ? { run, total } : null;
  }

  #addToTotal(amount: Money): void {
    const totals = this.#totals.at(-1);
    const key = currencyKey(amount.currency);
    totals?.set(key, { ...amount, minor: amount.minor + (totals.get(key)?.minor ?? 0n) });
  }

  #hasRoom(key: number): boolean {
    return (this.#first.get(key)?.count ?? 0) < PAYOUTS_OF_PAYEE;
  }

  #link(key: number, payout: number): void {
    const link = this.#linked.length;
    const before = this.#first.get(key);
    this.#linked.push(payout);
    this.#next.push(before?.link ?? -1);
    this.#first.set(key, { link, count: (before?.count ?? 0) + 1 });
  }

  #payoutsFrom(first: number): number[] {
    const found: number[] = [];
    for (let at = first; at !== -1; at = this.#next[at] ?? -1) found.push(this.#linked[at] ?? 0);
    return found;
  }

  #accountOf(payout: number): PastAccount {
    return {
      mark: this.#accountMarks[payout] ?? 0,
      masked: this.#masked[payout] ?? '',
      kind: this.#isExisting[payout] ? 'existing' : 'account',
    };
  }
}

function payeeKey(marks: RowMarks): number {
  return marks.payee === 0 ? 0 : combined(marks.payee, marks.currency);
}

function accountKey(marks: RowMarks): number {
  return combined(marks.account, marks.currency);
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}
