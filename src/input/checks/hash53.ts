const HIGH = 2654435761;
const LOW = 1597334677;

/** Marks where a text or a hash ends, so that `ab` and `c` are not `a` and `bc`. No UTF-16 unit is as large. */
const END = 0x1ffff;

/**
 * A hash of texts, one after another: two lanes of 32 bits, mixed as in MurmurHash3, of which 53 bits are kept, so that
 * it is a whole number. One instance serves every row of a file.
 */
export class Hash53 {
  #high = 0;
  #low = 0;

  /** Begins anew. Texts hashed under two seeds have nothing to do with each other. */
  start(seed: number): this {
    this.#high = 0xdeadbeef ^ seed;
    this.#low = 0x41c6ce57 ^ Math.imul(seed, HIGH);
    return this;
  }

  add(text: string): this {
    let high = this.#high;
    let low = this.#low;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, HIGH);
      low = Math.imul(low ^ unit, LOW);
    }
    this.#high = Math.imul(high ^ END, HIGH);
    this.#low = Math.imul(low ^ END, LOW);
    return this;
  }

  addHash(hash: number): this {
    for (const part of [hash / 2 ** 32, hash]) {
      this.#high = Math.imul(this.#high ^ (this.#high >>> 15) ^ part, HIGH);
      this.#low = Math.imul(this.#low ^ (this.#low >>> 13) ^ part, LOW);
    }
    return this;
  }

  /** Never 0, which stands for nothing. */
  get value(): number {
    const [first, second] = [this.#high, this.#low];
    const high = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
    const low = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return 2 ** 32 * (2097151 & low) + (high >>> 0) || 1;
  }
}

const shared = new Hash53();

/** The hash of two things of which each was hashed before. */
export function combined(first: number, second: number): number {
  return shared.start(0).addHash(first).addHash(second).value;
}
