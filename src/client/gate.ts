import type { Clock } from '../platform/clock.ts';
import type { Place } from './places.ts';

/** Where turns wait that are ready to send: for the end of a pause, and for their place. */
export class Gate {
  readonly #clock: Clock;
  #pausedUntilMs = -Infinity;
  #change = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A longer pause stands. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.monotonicMs() + ms);
  }

  /** Until the end of the pause; 0 or less without one. */
  restMs(): number {
    return this.#pausedUntilMs - this.#clock.monotonicMs();
  }

  /** The places have changed. */
  look(): void {
    this.#change.abort();
    this.#change = new AbortController();
  }

  /** As `Turn.gate` has it. */
  async opens(place: Place, limitMs = Infinity): Promise<boolean> {
    const untilMs = this.#clock.monotonicMs() + limitMs;
    for (;;) {
      if (this.#pausedUntilMs > untilMs) return false;
      const pausedMs = this.restMs();
      if (pausedMs > 0) await this.#clock.sleep(pausedMs);
      else {
        const restMs = place.restMs();
        if (restMs <= 0) return true;
        const leftMs = untilMs - this.#clock.monotonicMs();
        if (leftMs <= 0) return false;
        await this.#clock.sleep(Math.min(restMs, leftMs), this.#change.signal);
      }
    }
  }
}
