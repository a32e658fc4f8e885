/** No place, and no hash at it. */
export const NONE = -1;

/** A slot holds a place, from 1, in so many bits, and above them nine bits of its hash. */
const PLACE_BITS = 23;
const PLACE_MASK = 2 ** PLACE_BITS - 1;

/** At most two thirds of the slots are used, so that a hash is found within a few. */
const SLOTS_PER_PLACE = 1.5;

/**
 * A list of hashes (53 bits, never 0) that finds the first place of each, by open addressing in 14 bytes a place: a Map
 * takes several times as much. The slots are apart from the hashes, so that a processor's cache holds them, and their
 * nine bits of the hash tell nearly all others apart.
 */
export class FirstPlaces {
  #hashes: Float64Array;
  #slots: Uint32Array;

  constructor(placesExpected: number) {
    this.#hashes = new Float64Array(placesExpected);
    this.#slots = new Uint32Array(Math.ceil(placesExpected * SLOTS_PER_PLACE));
  }

  /** The hash at a place; 0 where it has none. */
  at(place: number): number {
    return this.#hashes[place] ?? 0;
  }

  /** The first place of a hash; NONE where that is `place`, at which it is put. Where `place` is NONE it is only looked for. */
  firstOf(hash: number, place: number): number {
    if (place >= this.#hashes.length) this.#grow(place);
    if (place !== NONE) this.#hashes[place] = hash;
    const slot = this.#slotOf(hash);
    const held = this.#slots[slot] ?? 0;
    if (held !== 0) return placeIn(held);
    if (place !== NONE) this.#slots[slot] = (tagOf(hash) << PLACE_BITS) | (place + 1);
    return NONE;
  }

  /** Where the hash is, or the empty slot where it belongs. Slots are never all used, so there is one. */
  #slotOf(hash: number): number {
    const slots = this.#slots;
    const tag = tagOf(hash);
    let slot = Math.floor(((hash >>> 0) / 2 ** 32) * slots.length);
    for (;;) {
      const held = slots[slot] ?? 0;
      if (held === 0 || (held >>> PLACE_BITS === tag && this.#hashes[placeIn(held)] === hash)) return slot;
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
  }

  #grow(place: number): void {
    const hashes = new Float64Array(Math.max(2 * this.#hashes.length, place + 1));
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const held = this.#slots;
    this.#slots = new Uint32Array(Math.ceil(hashes.length * SLOTS_PER_PLACE));
    for (const slot of held) if (slot !== 0) this.#slots[this.#slotOf(this.at(placeIn(slot)))] = slot;
  }
}

function placeIn(slot: number): number {
  return (slot & PLACE_MASK) - 1;
}

function tagOf(hash: number): number {
  return (hash / 2 ** 32) & 0x1ff;
}
