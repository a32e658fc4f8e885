import type { Clock } from '../../platform/clock.ts';

/**
 * For how long a lease was given to this process, by its own clocks, from before it asked: the database counts from later. The
 * monotonic clock stands still while a machine sleeps, and the wall clock can be set, so the one that went further counts.
 */
export class Grant {
  readonly #untilMonotonicMs: number;
  readonly #untilWallMs: number;

  private constructor(untilMonotonicMs: number, untilWallMs: number) {
    this.#untilMonotonicMs = untilMonotonicMs;
    this.#untilWallMs = untilWallMs;
  }

  /** Of a lease that is asked for now. */
  static from(clock: Clock, leaseMs: number): Grant {
    return new Grant(clock.monotonicMs() + leaseMs, clock.wallMs() + leaseMs);
  }

  leftMs(clock: Clock): number {
    return Math.min(this.#untilMonotonicMs - clock.monotonicMs(), this.#untilWallMs - clock.wallMs());
  }
}
