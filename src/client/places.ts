import { assert } from '../domain/refusal.ts';
import type { Clock } from '../platform/clock.ts';

/** `requests` in any window of `window_ms`; null for no limit. */
export type Rate = { requests: number; window_ms: number } | null;

/** Where requests get their places from, of which there are as many as the limit allows. */
export type Places = {
  /**
   * Until one more turn may begin, ms: 0 where it may now. Infinity where only something else that happens can make a place: a
   * request that leaves, or a change that the places report. `waiting`: requests that wait for their turn.
   */
  restMs(waiting: number): number;
  /** Keeps a place for a turn that begins; throws where no more places can be had. */
  begin(): Place;
  /** Nobody who shares the limit sends for so long. */
  pause(ms: number): void;
};

/** The place of one turn that has begun. */
export type Place = {
  /**
   * 0 where its request may leave, and then it has to leave soon; else when to look again, ms. Infinity: with the next change that
   * the places report.
   */
  restMs(): number;
  /** The request leaves now. False where that took too long, so that it may not, and `restMs` has to be waited for again. */
  leave(): boolean;
  /** The turn ends, and its request has not left. */
  giveBack(): void;
};

/** Requests do not all travel equally fast: two that leave a whole window apart can arrive a little closer. */
const WINDOW_MARGIN_MS = 10;

const LEAVES_AT_ONCE: Place = Object.freeze({ restMs: () => 0, leave: () => true, giveBack: () => {} });

/** Without a limit. */
export const UNLIMITED_PLACES: Places = Object.freeze({
  restMs: () => 0,
  begin: () => LEAVES_AT_ONCE,
  pause: () => {},
});

/**
 * The limit of one process alone: when the requests of the last window left, and how many have begun and not left, `requests` at
 * most in all. So a request that has begun may leave whenever it is ready.
 */
export class SendLog implements Places {
  readonly #requests: number;
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #leftAtMs: number[] = [];
  readonly #place: Place;
  #begun = 0;

  constructor({ requests, window_ms }: NonNullable<Rate>, clock: Clock) {
    this.#requests = requests;
    this.#windowMs = window_ms + WINDOW_MARGIN_MS;
    this.#clock = clock;
    const leave = (): boolean => {
      this.#begun--;
      this.#leftAtMs.push(this.#clock.monotonicMs());
      return true;
    };
    // A turn that ends without having left is counted all the same: that costs one place, and cannot be wrong.
    this.#place = { restMs: () => 0, leave, giveBack: leave };
  }

  begin(): Place {
    assert(this.#leftAtMs.length + this.#begun < this.#requests, 'a request began without a place in the rate');
    this.#begun++;
    return this.#place;
  }

  restMs(): number {
    const nowMs = this.#clock.monotonicMs();
    const isOver = (ms: number | undefined): ms is number => ms !== undefined && ms + this.#windowMs <= nowMs;
    while (isOver(this.#leftAtMs[0])) this.#leftAtMs.shift();
    if (this.#leftAtMs.length + this.#begun < this.#requests) return 0;
    const [oldestMs = Infinity] = this.#leftAtMs;
    return oldestMs + this.#windowMs - nowMs;
  }

  pause(): void {}
}
