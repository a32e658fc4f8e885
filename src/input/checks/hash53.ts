const HIGH = 2654435761;
const LOW = 1597334677;

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

  /** Adds a text, or its first `length` characters, and its end, so that `ab` and `c` are not `a` and `bc`. */
  add(text: string, length = text.length): this {
    let high = this.#high;
    let low = this.#low;
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, HIGH);
      low = Math.imul(low ^ unit, LOW);
    }
    this.#high = Math.imul(high ^ 0x1ffff, HIGH);
    this.#low = Math.imul(low ^ 0x1ffff, LOW);
    return this;
  }

  /** Adds a text as `add` does, its ASCII letters as if they were capitals. */
  addAnyCase(text: string): this {
    let high = this.#high;
    let low = this.#low;
    for (let at = 0; at < text.length; at++) {
      let unit = text.charCodeAt(at);
      if (unit >= 0x61 && unit <= 0x7a) unit -= 0x20;
      high = Math.imul(high ^ unit, HIGH);
      low = Math.imul(low ^ unit, LOW);
    }
    this.#high = Math.imul(high ^ 0x1ffff, HIGH);
    this.#low = Math.imul(low ^ 0x1ffff, LOW);
    return this;
  }

  /** Never 0, which marks an empty slot of a table. */
  get value(): number {
    return mixed(this.#high, this.#low);
  }
}

/** The hash of two things of which each was hashed before: their texts are not gone through again. */
export function combined(first: number, second: number): number {
  let high = Math.imul(0x9e3779b9 ^ (first / 4294967296), HIGH);
  let low = Math.imul(0x7f4a7c15 ^ (first / 4294967296), LOW);
  high = Math.imul(high ^ (high >>> 15) ^ first, HIGH);
  low = Math.imul(low ^ (low >>> 13) ^ first, LOW);
  high = Math.imul(high ^ (high >>> 15) ^ (second / 4294967296), HIGH);
  low = Math.imul(low ^ (low >>> 13) ^ (second / 4294967296), LOW);
  high = Math.imul(high ^ (high >>> 15) ^ second, HIGH);
  low = Math.imul(low ^ (low >>> 13) ^ second, LOW);
  return mixed(high ^ (high >>> 15), low ^ (low >>> 13));
}

function mixed(first: number, second: number): number {
  const high = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  const low = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0) || 1;
}
