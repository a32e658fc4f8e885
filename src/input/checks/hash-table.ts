import { ENTRIES_MAX, HashIndex } from './hash-index.ts';

const ENTRIES_AT_LEAST = 1_000;

/** The hash, then two of eight bytes that hold the four numbers. */
const STRIDE = 3;

/**
 * A table from hashes (53 bits, never 0) to four numbers of 32 bits each, in 30 bytes an entry. Entries lie one after
 * another as they came.
 */
export class HashTable {
  #capacity: number;
  #index: HashIndex;
  #hashes: Float64Array;
  /** The same bytes, as the four numbers. */
  #numbers: Uint32Array;
  #used = 0;

  constructor(entriesExpected: number) {
    this.#capacity = Math.min(Math.max(entriesExpected, ENTRIES_AT_LEAST), ENTRIES_MAX);
    this.#index = new HashIndex(this.#capacity, STRIDE, 0);
    this.#hashes = new Float64Array(STRIDE * this.#capacity);
    this.#numbers = new Uint32Array(this.#hashes.buffer);
  }

  /** The entry of `hash`, or -1. */
  find(hash: number): number {
    return Math.max(this.#index.look(hash, this.#hashes), -1);
  }

  /** The entry that `hash` has already; -1 where it gets one now, with these numbers. */
  claim(hash: number, a: number, b: number, c: number, d: number): number {
    let found = this.#index.look(hash, this.#hashes);
    if (found >= 0) return found;
    if (this.#used >= this.#capacity) {
      if (this.#capacity >= ENTRIES_MAX) return -1;
      this.#grow();
      found = this.#index.look(hash, this.#hashes);
    }
    const entry = this.#used++;
    this.#hashes[STRIDE * entry] = hash;
    this.#index.put(found, hash, entry);
    const at = 2 * STRIDE * entry + 2;
    this.#numbers[at] = a;
    this.#numbers[at + 1] = b;
    this.#numbers[at + 2] = c;
    this.#numbers[at + 3] = d;
    return -1;
  }

  /** One of an entry's four numbers. */
  at(entry: number, index: 0 | 1 | 2 | 3): number {
    return this.#numbers[2 * STRIDE * entry + 2 + index] ?? 0;
  }

  put(entry: number, index: 0 | 1 | 2 | 3, value: number): void {
    this.#numbers[2 * STRIDE * entry + 2 + index] = value;
  }

  #grow(): void {
    this.#capacity = Math.min(this.#capacity * 2, ENTRIES_MAX);
    this.#index = this.#index.grown(this.#capacity, this.#hashes);
    const larger = new Float64Array(STRIDE * this.#capacity);
    // As bytes: eight of them that are two numbers need not be the bytes of a number that is kept as it is.
    new Uint32Array(larger.buffer).set(this.#numbers);
    this.#hashes = larger;
    this.#numbers = new Uint32Array(larger.buffer);
  }
}
