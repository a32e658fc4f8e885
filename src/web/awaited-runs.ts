import type { Awaited } from '../domain/outcomes/awaited.ts';
import type { Clock } from '../platform/clock.ts';

/** What has said for so long that it waits, and not again, is gone. */
const STALE_MS = 10_000;

/** What the runs wait for that processes of this page work on. */
export class AwaitedRuns {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #byRun = new Map<string, { awaits: Awaited; atMs: number }>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Takes what the process says: null where the run goes on. */
  noting(runId: string): (awaits: Awaited | null) => void {
    return (awaits) => {
      if (awaits === null) this.#byRun.delete(runId);
      else this.#byRun.set(runId, { awaits, atMs: this.#clock.monotonicMs() });
    };
  }

  /** Null where it goes on, or another host works on it. */
  of(runId: string): Awaited | null {
    const said = this.#byRun.get(runId);
    return said === undefined || this.#clock.monotonicMs() - said.atMs > STALE_MS ? null : said.awaits;
  }
}
