import { setMaxListeners } from 'node:events';
import type { Clock, Log } from '../time/clock.ts';

/** Requests whose connection has ended and that take effect later. */
export type LateRequests = {
  /** Carries `work` out after `ms`. Where too many are waiting it is carried out now. */
  begin(ms: number, work: () => Promise<unknown>): void;
  /** Those that still wait never happen; resolves when the others are done. */
  stop(): Promise<void>;
};

/** Each keeps a body of at most 1 MiB. */
const WAITING_MAX = 1_000;

export function createLateRequests(clock: Clock, log: Log): LateRequests {
  const ending = new AbortController();
  // Every one of them listens to it.
  setMaxListeners(WAITING_MAX + 1, ending.signal);
  const underWay = new Set<Promise<void>>();

  async function carryOut(ms: number, work: () => Promise<unknown>): Promise<void> {
    if (ms > 0) await clock.sleep(ms, ending.signal);
    if (ending.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      log.error({ error }, 'a late request failed');
    }
  }

  return {
    begin(ms, work) {
      const done = carryOut(underWay.size < WAITING_MAX ? ms : 0, work).finally(() => underWay.delete(done));
      underWay.add(done);
    },
    async stop() {
      ending.abort();
      await Promise.all(underWay);
    },
  };
}
