/** Numbers from a seed (sfc32). Each actor has a stream of its own, so that one's draws do not shift another's. */
export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    [this.#a, this.#b, this.#c] = [hashText(`${seed}|a`), hashText(`${seed}|b`), hashText(`${seed}|c`)];
    for (let turn = 0; turn < 12; turn++) this.#draw();
  }

  /** A stream of its own. */
  fork(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  /** From 0 up to, and not including, 1. */
  next(): number {
    return this.#draw() / 4_294_967_296;
  }

  /** Whole, both ends included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from');
    return list[this.whole(0, list.length - 1)] as T;
  }

  /** By weights. */
  weighted<T>(list: readonly (readonly [T, number])[]): T {
    let rest = this.next() * list.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of list) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return (list.at(-1) as readonly [T, number])[0];
  }

  /** Exponentially distributed: gaps between things that happen at any moment alike. */
  gap(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; at++) bytes[at] = this.#draw() & 255;
    return bytes;
  }

  #draw(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}

/** FNV-1a, 32 bits. `from` continues an earlier hash. */
export function hashText(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
