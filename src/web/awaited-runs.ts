import type { Awaited } from '../domain/outcomes/awaited.ts';
import type { Clock } from '../platform/clock.ts';

/** A wait that has not been reported again for this long is dropped. */
const STALE_MS = 10_000;

/** What runs are waiting for, if a process of this page executes them. */
export class AwaitedRuns {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #byRun = new Map<string, { awaits: Awaited; atMs: number }>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Returns the callback for the process's reports; null means the run continues. */
  noting(runId: string): (awaits: Awaited | null) => void {
    return (awaits) => {
      if (awaits === null) this.#byRun.delete(runId);
      else this.#byRun.set(runId, { awaits, atMs: this.#clock.monotonicMs() });
    };
  }

  /** Null if the run is not waiting, or if another host executes it. */
  of(runId: string): Awaited | null {
    const last = this.#byRun.get(runId);
    return last === undefined || this.#clock.monotonicMs() - last.atMs > STALE_MS ? null : last.awaits;
  }
}
