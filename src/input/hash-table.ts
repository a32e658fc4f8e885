/** Hashes beyond this many are not remembered. A million rows are one sheet of a spreadsheet program. */
const ENTRIES_MAX = 8_000_000;

const ENTRIES_AT_LEAST = 1_000;

/** At most two thirds of the slots are used, so that a hash is found within a few. */
const SLOTS_PER_ENTRY = 1.5;

/** A slot holds the number of its entry, from 1, in so many bits, and above them a tag: nine bits of the hash. */
const NUMBER_BITS = 23;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/**
 * An open-addressing table from hashes (53 bits, never 0) to four numbers of 32 bits each, in 30 bytes an entry. Entries
 * lie one after another as they came. What is looked up lies apart from them, six bytes for each, so that a processor's
 * cache holds it: to go to memory for each row took most of the time. The tag tells nearly all other hashes apart.
 */
export class HashTable {
  #capacity: number;
  #slots: Uint32Array;
  /** Three of eight bytes an entry: the hash, then the four numbers, which the other view shows. */
  #hashes: Float64Array;
  #numbers: Uint32Array;
  #used = 0;

  constructor(entriesExpected: number) {
    this.#capacity = Math.min(Math.max(entriesExpected, ENTRIES_AT_LEAST), ENTRIES_MAX);
    this.#slots = new Uint32Array(Math.ceil(this.#capacity * SLOTS_PER_ENTRY));
    this.#hashes = new Float64Array(3 * this.#capacity);
    this.#numbers = new Uint32Array(this.#hashes.buffer);
  }

  /** The entry of `hash`, or -1. */
  find(hash: number): number {
    return Math.max(this.#look(hash), -1);
  }

  /** The entry that `hash` has already; -1 where it gets one now, with these numbers. */
  claim(hash: number, a: number, b: number, c: number, d: number): number {
    let found = this.#look(hash);
    if (found >= 0) return found;
    if (this.#used >= this.#capacity) {
      if (this.#capacity >= ENTRIES_MAX) return -1;
      this.#grow();
      found = this.#look(hash);
    }
    const entry = this.#used++;
    this.#slots[~found] = (tagOf(hash) << NUMBER_BITS) | this.#used;
    this.#hashes[3 * entry] = hash;
    const at = 6 * entry + 2;
    this.#numbers[at] = a;
    this.#numbers[at + 1] = b;
    this.#numbers[at + 2] = c;
    this.#numbers[at + 3] = d;
    return -1;
  }

  /** One of an entry's four numbers. */
  at(entry: number, index: 0 | 1 | 2 | 3): number {
    return this.#numbers[6 * entry + 2 + index] ?? 0;
  }

  put(entry: number, index: 0 | 1 | 2 | 3, value: number): void {
    this.#numbers[6 * entry + 2 + index] = value;
  }

  /** The entry of `hash`, or the slot where it belongs, inverted. Slots are never all used, so there is one. */
  #look(hash: number): number {
    const slots = this.#slots;
    const tag = tagOf(hash);
    let slot = Math.floor(((hash >>> 0) / 4294967296) * slots.length);
    for (;;) {
      const held = slots[slot] ?? 0;
      if (held === 0) return ~slot;
      const entry = (held & NUMBER_MASK) - 1;
      if (held >>> NUMBER_BITS === tag && this.#hashes[3 * entry] === hash) return entry;
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
  }

  #grow(): void {
    const larger = new HashTable(this.#capacity * 2);
    for (let entry = 0; entry < this.#used; entry++) {
      const [a, b, c, d] = [this.at(entry, 0), this.at(entry, 1), this.at(entry, 2), this.at(entry, 3)];
      larger.claim(this.#hashes[3 * entry] ?? 0, a, b, c, d);
    }
    this.#capacity = larger.#capacity;
    this.#slots = larger.#slots;
    this.#hashes = larger.#hashes;
    this.#numbers = larger.#numbers;
  }
}

function tagOf(hash: number): number {
  return (hash / 4294967296) & 0x1ff;
}
