/** Uploads that arrive at once: of one person, and of all. */
const OF_ONE_MAX = 3;
const OF_ALL_MAX = 12;

/** The uploads that are arriving, so that nobody takes all the room for themselves by sending slowly. */
export class Arriving {
  readonly #of = new Map<string, number>();

  /** A place, to be left when the file is there or is not; null where none is free. */
  enter(personId: string): (() => void) | null {
    const own = this.#of.get(personId) ?? 0;
    const all = this.#of.values().reduce((sum, count) => sum + count, 0);
    if (own >= OF_ONE_MAX || all >= OF_ALL_MAX) return null;
    this.#of.set(personId, own + 1);
    return () => {
      const left = (this.#of.get(personId) ?? 1) - 1;
      if (left > 0) this.#of.set(personId, left);
      else this.#of.delete(personId);
    };
  }
}
