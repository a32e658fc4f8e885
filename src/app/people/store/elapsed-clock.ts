import type { Clock } from '../../../platform/clock.ts';

/** By the clock that goes further: one can be set back, the other stands still while the machine sleeps. */
export class ElapsedClock {
  readonly #clock: Clock;
  #seen: { wallMs: number; monotonicMs: number };
  #elapsedMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#seen = { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
  }

  now(): number {
    const now = { wallMs: this.#clock.wallMs(), monotonicMs: this.#clock.monotonicMs() };
    this.#elapsedMs += Math.max(0, now.wallMs - this.#seen.wallMs, now.monotonicMs - this.#seen.monotonicMs);
    this.#seen = now;
    return Math.floor(this.#elapsedMs);
  }
}
