/** A slot of this process: one request may leave from the one moment to the other, on its monotonic clock. */
export type Slot = { fromMs: number; untilMs: number };

/**
 * The slots that this process has and that no request has taken yet, in order. Whichever requests take them, no window sees more
 * than the limit: as many slots touch any window as the limit allows, and each lets one request leave while it lasts.
 *
 * A slot that passed unused lets one request leave before the slot that it takes in its stead. Every window in which that request
 * then is has one of the two in it, as long as less than a window lies between the end of the first and the beginning of the second.
 */
export class Slots {
  readonly #slots: Slot[] = [];
  /** The ends of those that passed unused, in order. Each takes part in one exchange at most. */
  readonly #unused: number[] = [];

  add(slot: Slot): void {
    const at = this.#slots.findLastIndex(({ fromMs }) => fromMs <= slot.fromMs);
    this.#slots.splice(at + 1, 0, slot);
  }

  /** Those that have not passed. */
  count(nowMs: number): number {
    this.#pass(nowMs);
    return this.#slots.length;
  }

  /** When slot `nth`, from 0 on, begins; Infinity where there is none. */
  fromMs(nth: number): number {
    return this.#slots[nth]?.fromMs ?? Infinity;
  }

  /** When the last one begins; -Infinity where there is none. */
  lastFromMs(): number {
    return this.#slots.at(-1)?.fromMs ?? -Infinity;
  }

  /** Takes the slot with which a request may leave now; null where there is none. */
  take(nowMs: number, windowMs: number): Slot | null {
    this.#pass(nowMs);
    const [first] = this.#slots;
    if (first === undefined) return null;
    if (first.fromMs > nowMs) {
      const newest = this.#unused.at(-1);
      if (newest === undefined || first.fromMs >= newest + windowMs) return null;
      this.#unused.pop();
    }
    this.#slots.shift();
    return first;
  }

  /** Forgets the slots that have passed so long ago that they count nowhere. */
  forget(beforeMs: number): void {
    while ((this.#unused[0] ?? Infinity) <= beforeMs) this.#unused.shift();
  }

  #pass(nowMs: number): void {
    while ((this.#slots[0]?.untilMs ?? Infinity) < nowMs) {
      const { untilMs } = this.#slots.shift() as Slot;
      const at = this.#unused.findLastIndex((ms) => ms <= untilMs);
      this.#unused.splice(at + 1, 0, untilMs);
    }
  }
}
