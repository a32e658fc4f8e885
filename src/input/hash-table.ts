/** Hashes beyond this many are not remembered. A million rows are one sheet of a spreadsheet program. */
const ENTRIES_MAX = 8_000_000;

const ENTRIES_AT_LEAST = 1_000;

/** Slots per entry: at most four fifths of them are used, so that a hash is found within a few. */
const SLOTS_PER_ENTRY = 1.25;

/**
 * An open-addressing table from hashes (53 bits, never 0) to four numbers of 32 bits each. An entry takes 30 bytes, of
 * which those lie side by side that are read together, because memory is read by the line.
 */
export class HashTable {
  #capacity: number;
  /** Three of eight bytes a slot: the hash, then the four numbers, which the other view shows. */
  #hashes: Float64Array;
  #numbers: Uint32Array;
  #used = 0;

  constructor(entriesExpected: number) {
    this.#capacity = Math.min(Math.max(entriesExpected, ENTRIES_AT_LEAST), ENTRIES_MAX);
    const slots = Math.ceil(this.#capacity * SLOTS_PER_ENTRY);
    this.#hashes = new Float64Array(3 * slots);
    this.#numbers = new Uint32Array(this.#hashes.buffer);
  }

  /** The slot that holds `hash`, until the next `claim`; -1 where none does. */
  find(hash: number): number {
    const slot = slotOf(this.#hashes, hash);
    return this.#hashes[3 * slot] === hash ? slot : -1;
  }

  /** The slot that holds `hash` already, until the next `claim`; -1 where it is put in now, with its numbers. */
  claim(hash: number, a: number, b: number, c: number, d: number): number {
    let slot = slotOf(this.#hashes, hash);
    if (this.#hashes[3 * slot] === hash) return slot;
    if (this.#used >= this.#capacity) {
      if (this.#capacity >= ENTRIES_MAX) return -1;
      this.#grow();
      slot = slotOf(this.#hashes, hash);
    }
    this.#hashes[3 * slot] = hash;
    this.#used++;
    const at = 6 * slot + 2;
    this.#numbers[at] = a;
    this.#numbers[at + 1] = b;
    this.#numbers[at + 2] = c;
    this.#numbers[at + 3] = d;
    return -1;
  }

  /** One of a slot's four numbers. */
  at(slot: number, index: 0 | 1 | 2 | 3): number {
    return this.#numbers[6 * slot + 2 + index] ?? 0;
  }

  put(slot: number, index: 0 | 1 | 2 | 3, value: number): void {
    this.#numbers[6 * slot + 2 + index] = value;
  }

  #grow(): void {
    const larger = new HashTable(this.#capacity * 2);
    for (let slot = 0; 3 * slot < this.#hashes.length; slot++) {
      const hash = this.#hashes[3 * slot] ?? 0;
      if (hash !== 0) larger.claim(hash, this.at(slot, 0), this.at(slot, 1), this.at(slot, 2), this.at(slot, 3));
    }
    this.#capacity = larger.#capacity;
    this.#hashes = larger.#hashes;
    this.#numbers = larger.#numbers;
  }
}

/** Where `hash` is, or the empty slot where it belongs. A table is never full, so there is one. */
function slotOf(hashes: Float64Array, hash: number): number {
  const slots = hashes.length / 3;
  let slot = Math.floor(((hash >>> 0) / 4294967296) * slots);
  while (hashes[3 * slot] !== 0 && hashes[3 * slot] !== hash) slot = slot + 1 === slots ? 0 : slot + 1;
  return slot;
}
