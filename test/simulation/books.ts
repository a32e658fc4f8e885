import type { Intent } from '../../src/domain/entry.ts';
import { currencyKey } from '../../src/domain/money.ts';
import type { PlannedConversions, PlannedPair } from '../../src/domain/plan.ts';
import type { Store } from '../../src/service/store/database.ts';
import type { Attempt, Attempts } from './attempts.ts';
import type { Judge } from './judge.ts';
import type { Ordered } from './payroll.ts';
import { Violation } from './world.ts';

/** A transaction in the service's own books. */
export type Booked = {
  id: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  description: string;
  code: string;
  chain: string | null;
  value: string;
  /** What the payee receives, or is to receive. */
  inCode: string;
  inChain: string | null;
  inValue: string;
  fingerprint: string;
  accountId: string;
  /** ISO 8601, by the service's clock. */
  created_at: string;
  /** When it was made, and how late it is listed. */
  madeAtMs: number;
  lagMs: number;
};

/** The service's own books, against what was ordered and what the journal says was attempted. */
export class Books {
  booked: Booked[] = [];
  /** Transactions that somebody else made. */
  readonly foreign = new Set<string>();
  /** Records that are made twice are litter, and no money: where this is set, they may be. */
  isLitterAllowed = false;
  /** What the plan says of conversions. */
  conversions: PlannedConversions | null = null;
  /** Whether an old copy of the journal was put back. */
  isCopy = false;
  /** Says what is excused. */
  judge: Judge | null = null;
  readonly #store: Store;
  readonly #attempts: Attempts;
  readonly #nowMs: () => number;
  readonly #lagOf: (id: string) => number;
  readonly #madeAtMs = new Map<string, number>();
  #ordered = new Map<number, Ordered>();
  /** Recipients and accounts that were there before the run. */
  #madeBefore = { recipients: 0, accounts: 0 };
  #isDirty = true;

  constructor(options: { store: Store; attempts: Attempts; nowMs: () => number; lagOf: (id: string) => number }) {
    this.#store = options.store;
    this.#attempts = options.attempts;
    this.#nowMs = options.nowMs;
    this.#lagOf = options.lagOf;
  }

  begin(ordered: Map<number, Ordered>): void {
    this.#ordered = ordered;
    this.#madeBefore = {
      recipients: Number(this.#store.get('SELECT count(*) AS made FROM recipient')?.made),
      accounts: Number(this.#store.get('SELECT count(*) AS made FROM external_account')?.made),
    };
  }

  /** They, or what is known of attempts, may have changed since the last check. */
  changed(): void {
    this.#isDirty = true;
  }

  /** After every event. */
  check(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.read();
    this.#checkBooked();
    this.#checkRecords();
  }

  read(): void {
    this.booked = this.#store.all(BOOKED).map((row) => {
      const booked = row as Omit<Booked, 'madeAtMs' | 'lagMs' | 'created_at'> & { createdAt: number };
      const madeAtMs = this.#madeAtMs.get(booked.id) ?? this.#nowMs();
      this.#madeAtMs.set(booked.id, madeAtMs);
      const created_at = new Date(booked.createdAt).toISOString();
      return { ...booked, created_at, madeAtMs, lagMs: this.#lagOf(booked.id) };
    });
  }

  /** When a transaction was made. */
  madeAtMs(id: string): number | undefined {
    return this.#madeAtMs.get(id);
  }

  /** What one transaction of the books is to the run. */
  attemptOf({ id, description }: Booked): Attempt | undefined {
    return this.foreign.has(id) ? undefined : this.#attempts.quotedIn(description);
  }

  /** The transactions of a row that are in the books, whichever attempt made them. */
  bookedFor(row: number): Booked[] {
    return this.booked.filter((transaction) => this.attemptOf(transaction)?.row === row);
  }

  /** The transactions that move money for a row. */
  livingFor(row: number): Booked[] {
    return this.bookedFor(row).filter(({ status }) => status !== 'FAILED');
  }

  /** Invariant 1, and that what was called dead is dead, and that money goes where it was ordered to go. */
  #checkBooked(): void {
    const living = new Map<number, [Booked, Attempt]>();
    for (const transaction of this.booked) {
      if (this.foreign.has(transaction.id)) continue;
      const attempt = this.attemptOf(transaction);
      if (!attempt) throw new Violation('write ahead', `${transaction.id} is in the books, and in no intent`);
      const { row, intent, dead } = attempt;
      // One that failed moved no money: a service that hides its description may make it look as if it never was.
      if (dead !== null && transaction.status !== 'FAILED') this.judge?.dead(attempt, transaction);
      const ordered = this.#ordered.get(row);
      const isAmount = isOrdered(transaction, intent, ordered);
      const isAccount = transaction.accountId === intent.external_account_id;
      const isPlace = (ordered?.fingerprint ?? transaction.fingerprint) === transaction.fingerprint;
      if (!isAmount || !isAccount || !isPlace)
        throw new Violation('never twice', `row ${row}: ${transaction.id} is not what was ordered`);
      if (transaction.status === 'FAILED') continue;
      const other = living.get(row);
      if (other) this.judge?.twice(row, other, [transaction, attempt]);
      living.set(row, [transaction, attempt]);
      this.#checkCeiling(transaction, ordered);
    }
    this.#checkRunCeilings(living);
  }

  /** No payout costs more than the plan says and its ceiling allows. */
  #checkCeiling({ id, value }: Booked, ordered: Ordered | undefined): void {
    const pair = ordered && this.#pairOf(ordered);
    if (!pair || !this.conversions) return;
    const planned = up(BigInt(ordered.order.amount_minor) * BigInt(pair.quoted_minor), BigInt(pair.planned_minor));
    const most = (planned * BigInt(10_000 + this.conversions.ceilings.payout_bps)) / 10_000n;
    if (BigInt(value) > most) throw new Violation('ceiling', `${id} sent ${value}, and ${most} were the most`);
  }

  /** Nor do all of a pair together. An old copy of the journal does not know what it has forgotten. */
  #checkRunCeilings(living: ReadonlyMap<number, [Booked, Attempt]>): void {
    if (!this.conversions || this.isCopy) return;
    const sums = new Map<PlannedPair, bigint>();
    for (const [row, [{ value }]] of living) {
      const ordered = this.#ordered.get(row);
      const pair = ordered && this.#pairOf(ordered);
      if (pair) sums.set(pair, (sums.get(pair) ?? 0n) + BigInt(value));
    }
    for (const [pair, sum] of sums) {
      const most = (BigInt(pair.sent_minor) * BigInt(10_000 + this.conversions.ceilings.run_bps)) / 10_000n;
      if (sum > most)
        throw new Violation('ceiling', `the run sent ${sum} ${pair.source.code}, and ${most} were the most`);
    }
  }

  #pairOf({ order }: Ordered): PlannedPair | undefined {
    const { source, currency } = order;
    if (source === null) return undefined;
    return this.conversions?.pairs.find(
      (pair) =>
        currencyKey(pair.source) === currencyKey(source) && currencyKey(pair.currency) === currencyKey(currency),
    );
  }

  /** The same for what is made for payees: one recipient for each, and one of each of its accounts. */
  #checkRecords(): void {
    if (this.isLitterAllowed) return;
    const { recipients, accounts } = this.#madeBefore;
    const payees = new Map<string, Set<string>>();
    for (const { order } of this.#ordered.values()) {
      const { payee } = order;
      const like = `${payee.name}|${payee.email ?? ''}`;
      const keys = payees.get(like) ?? new Set();
      payees.set(like, keys.add(payee.payee_id ?? 'name'));
    }
    const alike = new Map<string, number>();
    for (const made of this.#store.all(MADE_RECIPIENTS, recipients)) {
      const like = `${made.name}|${made.email ?? ''}`;
      const count = (alike.get(like) ?? 0) + 1;
      alike.set(like, count);
      const allowed = payees.get(like)?.size ?? 0;
      if (count > allowed)
        throw new Violation('never twice', `${count} recipients were made for ${allowed} payees named ${made.name}`);
    }
    const twice = this.#store.get(TWICE_ACCOUNTS, accounts);
    if (twice) throw new Violation('never twice', `the account ${twice.id} was made beside another that is the same`);
  }
}

/** To the very amounts: what is sent is what the intent says, and what is received what the order says. */
function isOrdered(transaction: Booked, intent: Intent, ordered: Ordered | undefined): boolean {
  if (ordered === undefined) return false;
  const { amount_minor, currency, source } = ordered.order;
  const received = intent.received ?? intent;
  return (
    transaction.value === intent.amount_minor &&
    currencyKey({ ...intent.currency, code: transaction.code, chain: transaction.chain }) ===
      currencyKey(source ?? currency) &&
    transaction.inValue === amount_minor &&
    received.amount_minor === amount_minor &&
    currencyKey({ ...currency, code: transaction.inCode, chain: transaction.inChain }) === currencyKey(currency)
  );
}

function up(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

const BOOKED = `SELECT t.id, t.status, coalesce(t.description, '') AS description, t.out_code AS code, t.out_chain AS chain,
  t.out_value AS value, t.in_code AS inCode, t.in_chain AS inChain, t.in_value AS inValue, a.fingerprint, a.id AS accountId,
  t.created_at AS createdAt FROM transfer t JOIN external_account a ON a.account = t.account
  WHERE t.kind = 'withdraw'`;
const MADE_RECIPIENTS = `SELECT name, json_extract(details, '$.email') AS email FROM recipient WHERE recipient > ?`;
const TWICE_ACCOUNTS = `SELECT a.id FROM external_account a JOIN external_account b
  ON b.recipient IS a.recipient AND b.fingerprint = a.fingerprint AND b.account < a.account WHERE a.account > ? LIMIT 1`;
