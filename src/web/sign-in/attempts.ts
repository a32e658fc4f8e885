import type { Clock } from '../../domain/clock.ts';

/** So often a password may be wrong before there are pauses: for one name, and for everybody behind one address. */
const FREE = { name: 3, address: 20 } as const;
const PAUSE_MAX_MS = 15 * 60_000;
/** After so long without an attempt it is forgotten. */
const FORGOTTEN_MS = 60 * 60_000;
/** More are somebody who makes names up; the oldest are forgotten. */
const KEPT_MAX = 10_000;

type Tried = { failures: number; atMs: number };

/**
 * Wrong passwords per name or person and per address, with pauses that double: a second after the free ones, a quarter of an hour
 * at most. An attempt counts as wrong when it begins, so that many at once are no way around.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #tried = new Map<string, Tried>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Begins an attempt: 0 where it may be made, else how long to wait (ms); then it does not count. `whom` is whose password
   * it is and how that is known, such as `name anna` and `again 0123456789abcdef`; `address` is null where others behind the
   * same address are not to count.
   */
  begin(whom: string, address: string | null): number {
    const kinds = [
      { key: whom, free: FREE.name },
      ...(address === null ? [] : [{ key: `address ${address}`, free: FREE.address }]),
    ];
    const waitMs = Math.max(...kinds.map(({ key, free }) => this.#waitMs(key, free)));
    if (waitMs > 0) return waitMs;
    for (const { key } of kinds) this.#count(key);
    return 0;
  }

  /** It was right: nothing is held against `whom` any more, and this one not against the address. */
  succeeded(whom: string, address: string | null): void {
    this.#tried.delete(whom);
    const tried = this.#tried.get(`address ${address}`);
    if (tried !== undefined) tried.failures = Math.max(0, tried.failures - 1);
  }

  #waitMs(key: string, free: number): number {
    const tried = this.#tried.get(key);
    if (tried === undefined || tried.failures < free) return 0;
    const pauseMs = Math.min(PAUSE_MAX_MS, 1_000 * 2 ** Math.min(tried.failures - free, 20));
    return Math.max(0, tried.atMs + pauseMs - this.#clock.monotonicMs());
  }

  #count(key: string): void {
    const atMs = this.#clock.monotonicMs();
    const before = this.#tried.get(key);
    const failures = before === undefined || atMs - before.atMs > FORGOTTEN_MS ? 0 : before.failures;
    this.#tried.delete(key);
    this.#tried.set(key, { failures: failures + 1, atMs });
    const [oldest] = this.#tried.keys();
    if (this.#tried.size > KEPT_MAX && oldest !== undefined) this.#tried.delete(oldest);
  }
}
