import { setMaxListeners } from 'node:events';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

/** Each keeps a body of at most 1 MiB. */
const WAITING_MAX = 1_000;

/** Requests whose connection has ended and that take effect later. */
export class LateRequests {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    // Every one of them listens to it.
    setMaxListeners(WAITING_MAX + 1, this.#ending.signal);
  }

  /** Carries `work` out after `ms`. Where too many are waiting it is carried out now. */
  begin(ms: number, work: () => Promise<unknown>): void {
    const waitMs = this.#underWay.size < WAITING_MAX ? ms : 0;
    const done = this.#carryOut(waitMs, work).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Those that still wait never happen; resolves when the others are done. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#underWay);
  }

  async #carryOut(ms: number, work: () => Promise<unknown>): Promise<void> {
    if (ms > 0) await this.#clock.sleep(ms, this.#ending.signal);
    if (this.#ending.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      this.#log.error({ error }, 'a late request failed');
    }
  }
}
