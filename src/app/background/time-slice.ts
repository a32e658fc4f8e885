import type { Clock } from '../../platform/clock.ts';

/** Longer work keeps the other requests of this process waiting. */
const SLICE_MS = 10;

/** Shares this thread between long work and the other requests: the work asks often whether its slice is over. */
export class TimeSlice {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  #sinceMs: number;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'soon'>) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Whether the others are to go on now. */
  get isOver(): boolean {
    return this.#clock.monotonicMs() - this.#sinceMs >= SLICE_MS;
  }

  /** Resolves when the others went on; a new slice begins. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.soon(resolve));
    this.#sinceMs = this.#clock.monotonicMs();
  }
}
