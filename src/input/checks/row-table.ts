import { ENTRIES_MAX, HashIndex } from './hash-index.ts';
import type { RowMarks } from './row-marks.ts';

const ENTRIES_AT_LEAST = 1_000;

/** Two hashes, then two of eight bytes that hold four numbers: row, name, amount and currency. */
const STRIDE = 4;
const ACCOUNT = 0;
const PAYEE = 1;
const ROW = 4;
const NAME = 5;
const AMOUNT = 6;
const CURRENCY = 7;

/**
 * What is remembered of rows: the first one of each account, of each payee, and of what a caller combines with these, in
 * 44 bytes a row. A row that is the first of both is one entry, found by either hash.
 */
export class RowTable {
  #capacity: number;
  #byAccount: HashIndex;
  #byPayee: HashIndex;
  #hashes: Float64Array;
  /** The same bytes, as the four numbers. */
  #numbers: Uint32Array;
  #used = 0;

  constructor(rowsExpected: number) {
    this.#capacity = Math.min(Math.max(rowsExpected, ENTRIES_AT_LEAST), ENTRIES_MAX);
    this.#byAccount = new HashIndex(this.#capacity, STRIDE, ACCOUNT);
    this.#byPayee = new HashIndex(this.#capacity, STRIDE, PAYEE);
    this.#hashes = new Float64Array(STRIDE * this.#capacity);
    this.#numbers = new Uint32Array(this.#hashes.buffer);
  }

  /** The entry of an account, or a negative number. */
  ofAccount(hash: number): number {
    return this.#byAccount.look(hash, this.#hashes);
  }

  /** The entry of a payee, or a negative number. */
  ofPayee(hash: number): number {
    return this.#byPayee.look(hash, this.#hashes);
  }

  /**
   * Remembers a row under the hash `account`, `payee`, or both: where `accountAt` or `payeeAt` is negative, which is what
   * `ofAccount` and `ofPayee` gave for it. Rows beyond the most that are remembered are not.
   */
  add(row: number, marks: RowMarks, account: number, accountAt: number, payee: number, payeeAt: number): void {
    let [atAccount, atPayee] = [accountAt, payeeAt];
    if (this.#used >= this.#capacity) {
      if (this.#capacity >= ENTRIES_MAX) return;
      this.#grow();
      if (atAccount < 0) atAccount = this.ofAccount(account);
      if (atPayee < 0) atPayee = this.ofPayee(payee);
    }
    const entry = this.#used++;
    this.#hashes[STRIDE * entry + ACCOUNT] = account;
    this.#hashes[STRIDE * entry + PAYEE] = payee;
    if (atAccount < 0) this.#byAccount.put(atAccount, account, entry);
    if (atPayee < 0) this.#byPayee.put(atPayee, payee, entry);
    const at = 2 * STRIDE * entry;
    this.#numbers[at + ROW] = row;
    this.#numbers[at + NAME] = marks.name;
    this.#numbers[at + AMOUNT] = marks.amount;
    this.#numbers[at + CURRENCY] = marks.currency;
  }

  row(entry: number): number {
    return this.#numbers[2 * STRIDE * entry + ROW] ?? 0;
  }

  isNamed(entry: number, name: number): boolean {
    return this.#numbers[2 * STRIDE * entry + NAME] === name >>> 0;
  }

  /** By 32 bits, as the following. */
  isAmount(entry: number, amount: number): boolean {
    return this.#numbers[2 * STRIDE * entry + AMOUNT] === amount >>> 0;
  }

  isCurrency(entry: number, currency: number): boolean {
    return this.#numbers[2 * STRIDE * entry + CURRENCY] === currency >>> 0;
  }

  isAccount(entry: number, account: number): boolean {
    return (this.#hashes[STRIDE * entry + ACCOUNT] ?? 0) >>> 0 === account >>> 0;
  }

  /** Of an entry that was added under its account: 0 where its row has no payee_id. */
  payee(entry: number): number {
    return (this.#hashes[STRIDE * entry + PAYEE] ?? 0) >>> 0;
  }

  #grow(): void {
    this.#capacity = Math.min(this.#capacity * 2, ENTRIES_MAX);
    this.#byAccount = this.#byAccount.grown(this.#capacity, this.#hashes);
    this.#byPayee = this.#byPayee.grown(this.#capacity, this.#hashes);
    const larger = new Float64Array(STRIDE * this.#capacity);
    // As bytes: eight of them that are two numbers need not be the bytes of a number that is kept as it is.
    new Uint32Array(larger.buffer).set(this.#numbers);
    this.#hashes = larger;
    this.#numbers = new Uint32Array(larger.buffer);
  }
}
