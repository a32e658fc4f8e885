/** A slot holds the number of its entry, from 1, in so many bits, and above them a tag: nine bits of the hash. */
const NUMBER_BITS = 23;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/** Hashes beyond this many are not remembered. A million rows are one sheet of a spreadsheet program. */
export const ENTRIES_MAX = 8_000_000;

/** At most two thirds of the slots are used, so that a hash is found within a few. */
const SLOTS_PER_ENTRY = 1.5;

/**
 * Finds entries by one of their hashes (53 bits, never 0) by open addressing, in six bytes an entry. The hashes lie with
 * the entries, one in every `stride` numbers from `offset` on. What is looked up lies apart from them, so that a
 * processor's cache holds it: to go to memory for each row took most of the time. The tag tells nearly all other hashes
 * apart.
 */
export class HashIndex {
  readonly #stride: number;
  readonly #offset: number;
  readonly #slots: Uint32Array;

  constructor(capacity: number, stride: number, offset: number) {
    this.#stride = stride;
    this.#offset = offset;
    this.#slots = new Uint32Array(Math.ceil(capacity * SLOTS_PER_ENTRY));
  }

  /** The entry of `hash`, or the slot where it belongs, inverted. Slots are never all used, so there is one. */
  look(hash: number, hashes: Float64Array): number {
    const slots = this.#slots;
    const tag = tagOf(hash);
    let slot = Math.floor(((hash >>> 0) / 4294967296) * slots.length);
    for (;;) {
      const held = slots[slot] ?? 0;
      if (held === 0) return ~slot;
      const entry = (held & NUMBER_MASK) - 1;
      if (held >>> NUMBER_BITS === tag && hashes[this.#stride * entry + this.#offset] === hash) return entry;
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
  }

  /** Lets `hash` be found, at the slot that `look` gave for it, inverted. */
  put(inverted: number, hash: number, entry: number): void {
    this.#slots[~inverted] = (tagOf(hash) << NUMBER_BITS) | (entry + 1);
  }

  /** The same with room for `capacity` entries. */
  grown(capacity: number, hashes: Float64Array): HashIndex {
    const larger = new HashIndex(capacity, this.#stride, this.#offset);
    for (const held of this.#slots) {
      if (held === 0) continue;
      const entry = (held & NUMBER_MASK) - 1;
      const hash = hashes[this.#stride * entry + this.#offset] ?? 0;
      larger.put(larger.look(hash, hashes), hash, entry);
    }
    return larger;
  }
}

function tagOf(hash: number): number {
  return (hash / 4294967296) & 0x1ff;
}
