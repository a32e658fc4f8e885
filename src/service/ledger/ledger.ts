import assert from 'node:assert/strict';
import type { Currency } from '../../domain/currencies.ts';
import type { Row, Store } from '../store/database.ts';
import { FIRST_HASH, postingHash } from './posting-hash.ts';

/** Minor units moved from `debit` to `credit`, of one currency. */
export type Leg = { debit: LedgerAccount; credit: LedgerAccount; amountMinor: bigint };

/**
 * One owner's account in one currency. A customer's balance is what we owe it: credits less debits. Only the ledger
 * changes these numbers.
 */
export type LedgerAccount = {
  readonly number: number;
  readonly owner: string;
  readonly code: string;
  readonly chain: string | null;
  debitsPending: bigint;
  creditsPending: bigint;
  debitsPosted: bigint;
  creditsPosted: bigint;
};

/**
 * `world` is everything outside; a rail's account is money on its way out through that rail; `liquidity` is the other
 * side of conversions, and may owe.
 */
export type Owner = `customer:${number}` | `rail:${string}` | 'liquidity' | 'fees' | 'world';

/** By how many times its amount each kind of posting changes its two accounts. */
const EFFECTS = {
  reserve: { pending: 1n, posted: 0n },
  post: { pending: -1n, posted: 1n },
  release: { pending: -1n, posted: 0n },
  move: { pending: 0n, posted: 1n },
} as const;

type PostingKind = keyof typeof EFFECTS;

/**
 * Double-entry bookkeeping in two phases, after TigerBeetle's model: postings are never changed, a reserve is resolved
 * exactly once by a later post or release, linked legs happen all or none. Balances are kept in memory and written with
 * the postings of the same database transaction, once for each account however many postings it had. Each posting has
 * a hash over itself and the one before (`posting-hash.ts`).
 *
 * Every call belongs inside a transaction of the committer.
 */
export class Ledger {
  readonly #store: Store;
  readonly #accounts = new Map<string, LedgerAccount>();
  readonly #byNumber = new Map<number, LedgerAccount>();
  readonly #changed = new Set<LedgerAccount>();
  /** What undoes each change since the transaction began, the newest last. */
  readonly #undo: (() => void)[] = [];
  /** The newest posting: the end of the chain of hashes. */
  #head: { readonly posting: number; readonly hash: string };

  constructor(store: Store) {
    this.#store = store;
    const newest = store.get('SELECT posting, hash FROM posting ORDER BY posting DESC LIMIT 1');
    this.#head = newest
      ? { posting: Number(newest.posting), hash: String(newest.hash) }
      : { posting: 0, hash: FIRST_HASH };
    for (const row of store.iterate('SELECT * FROM ledger_account')) this.#keep(accountOf(row));
  }

  /** The owner's account in a currency, made where there is none. */
  account(owner: Owner, currency: Pick<Currency, 'code' | 'chain'>): LedgerAccount {
    const found = this.#accounts.get(keyOf(owner, currency));
    if (found) return found;
    const { lastId } = this.#store.run(INSERT_ACCOUNT, owner, currency.code, currency.chain ?? '');
    const made: LedgerAccount = { number: lastId, owner, code: currency.code, chain: currency.chain, ...NOTHING };
    this.#keep(made);
    this.#undo.push(() => this.#forget(made));
    return made;
  }

  /** All accounts of an owner, in the order of their creation. */
  accountsOf(owner: Owner): LedgerAccount[] {
    return [...this.#accounts.values()].filter((account) => account.owner === owner);
  }

  /** Reserves all legs, or none where a customer's balance does not cover its debits; says which. */
  reserve(transfer: number, atMs: number, legs: readonly Leg[]): boolean {
    if (!isCovered(legs)) return false;
    for (const leg of legs) this.#write('reserve', transfer, atMs, leg, null);
    return true;
  }

  /** Posts what the transfer has reserved. Returns whether it had reserved anything. */
  post(transfer: number, atMs: number): boolean {
    return this.#resolve(transfer, atMs, 'post');
  }

  /** Gives back what the transfer has reserved, if anything. */
  release(transfer: number, atMs: number): boolean {
    return this.#resolve(transfer, atMs, 'release');
  }

  /** Moves at once. The caller has made sure that a customer's balance covers it. */
  move(transfer: number | null, atMs: number, legs: readonly Leg[]): void {
    assert(isCovered(legs), 'a customer was to be debited beyond its balance');
    for (const leg of legs) this.#write('move', transfer, atMs, leg, null);
  }

  /** A place to come back to within the transaction. */
  mark(): number {
    return this.#undo.length;
  }

  /** Undoes with the transaction what others keep in memory of it. The database is back where it was by then. */
  whenUndone(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Forgets what was done since `mark`; the database does the same by its savepoint. */
  undoTo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }

  /** Writes the balances that changed. The last thing before COMMIT. */
  writeBalances(): void {
    for (const account of this.#changed) {
      this.#store.run(
        UPDATE_ACCOUNT,
        String(account.debitsPending),
        String(account.creditsPending),
        String(account.debitsPosted),
        String(account.creditsPosted),
        account.number,
      );
    }
  }

  /** After COMMIT: nothing can be undone any more. */
  committed(): void {
    this.#changed.clear();
    this.#undo.length = 0;
  }

  #resolve(transfer: number, atMs: number, kind: 'post' | 'release'): boolean {
    const reserved = this.#store.all(RESERVED, transfer);
    for (const { posting, debit, credit, amount } of reserved) {
      const leg = { debit: this.#numbered(debit), credit: this.#numbered(credit), amountMinor: BigInt(String(amount)) };
      this.#write(kind, transfer, atMs, leg, Number(posting));
    }
    return reserved.length > 0;
  }

  #write(kind: PostingKind, transfer: number | null, atMs: number, leg: Leg, resolves: number | null): void {
    const { debit, credit, amountMinor } = leg;
    assert(amountMinor > 0n, 'a posting moves more than nothing');
    assert(debit.code === credit.code && debit.chain === credit.chain, 'a posting has one currency');
    const before = this.#head;
    const posting = before.posting + 1;
    const amount = String(amountMinor);
    const row = { posting, at: atMs, kind, transfer, debit: debit.number, credit: credit.number, amount, resolves };
    const hash = postingHash(before.hash, row);
    this.#store.run(INSERT_POSTING, posting, atMs, kind, transfer, row.debit, row.credit, amount, resolves, hash);
    this.#head = { posting, hash };
    this.#undo.push(() => {
      this.#head = before;
    });
    const pending = EFFECTS[kind].pending * amountMinor;
    const posted = EFFECTS[kind].posted * amountMinor;
    this.#change(debit, { debitsPending: debit.debitsPending + pending, debitsPosted: debit.debitsPosted + posted });
    this.#change(credit, {
      creditsPending: credit.creditsPending + pending,
      creditsPosted: credit.creditsPosted + posted,
    });
  }

  #change(account: LedgerAccount, to: Partial<LedgerAccount>): void {
    const { debitsPending, creditsPending, debitsPosted, creditsPosted } = account;
    this.#undo.push(() => Object.assign(account, { debitsPending, creditsPending, debitsPosted, creditsPosted }));
    Object.assign(account, to);
    this.#changed.add(account);
  }

  #numbered(value: unknown): LedgerAccount {
    const account = this.#byNumber.get(Number(value));
    assert(account, 'a posting names an account that is not there');
    return account;
  }

  #keep(account: LedgerAccount): void {
    this.#accounts.set(keyOf(account.owner, account), account);
    this.#byNumber.set(account.number, account);
  }

  #forget(account: LedgerAccount): void {
    this.#accounts.delete(keyOf(account.owner, account));
    this.#byNumber.delete(account.number);
    this.#changed.delete(account);
  }
}

/** What the owner can still spend: posted credits less posted and pending debits. Pending credits are not there yet. */
export function availableMinor(account: LedgerAccount): bigint {
  return account.creditsPosted - account.debitsPosted - account.debitsPending;
}

const NOTHING = { debitsPending: 0n, creditsPending: 0n, debitsPosted: 0n, creditsPosted: 0n };

const INSERT_ACCOUNT = `INSERT INTO ledger_account
  (owner, code, chain, debits_pending, credits_pending, debits_posted, credits_posted) VALUES (?, ?, ?, '0', '0', '0', '0')`;
const UPDATE_ACCOUNT = `UPDATE ledger_account
  SET debits_pending = ?, credits_pending = ?, debits_posted = ?, credits_posted = ? WHERE ledger_account = ?`;
const INSERT_POSTING = `INSERT INTO posting (posting, at, kind, transfer, debit, credit, amount, resolves, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const RESERVED = "SELECT posting, debit, credit, amount FROM posting WHERE transfer = ? AND kind = 'reserve'";

/** Whether every customer among the debits can pay all its legs together. */
function isCovered(legs: readonly Leg[]): boolean {
  return legs.every(({ debit }) => {
    if (!debit.owner.startsWith('customer:')) return true;
    let total = 0n;
    for (const leg of legs) if (leg.debit === debit) total += leg.amountMinor;
    return total <= availableMinor(debit);
  });
}

function keyOf(owner: string, currency: { code: string; chain: string | null }): string {
  return `${owner}|${currency.code}|${currency.chain ?? ''}`;
}

function accountOf(row: Row): LedgerAccount {
  return {
    ...emptyAccount(row),
    debitsPending: BigInt(String(row.debits_pending)),
    creditsPending: BigInt(String(row.credits_pending)),
    debitsPosted: BigInt(String(row.debits_posted)),
    creditsPosted: BigInt(String(row.credits_posted)),
  };
}

/** The account of a row, with nothing on it. */
export function emptyAccount(row: Row): LedgerAccount {
  const { ledger_account, owner, code, chain } = row;
  return {
    number: Number(ledger_account),
    owner: String(owner),
    code: String(code),
    chain: chain === '' ? null : String(chain),
    ...NOTHING,
  };
}
