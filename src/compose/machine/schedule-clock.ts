import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { machineClock } from '../../platform/machine.ts';

/** What the way to a database and back may take is no difference between two clocks. */
const DIFFERENCE_MIN_MS = 1_000;

/**
 * The clock of a schedule: that of the journal's database, so that schedules on hosts whose clocks differ find the same times due
 * at the same moment. Over a file it is this machine's.
 */
export class ScheduleClock implements Clock {
  #aheadMs = 0;

  /** Goes by the clock of the journal from now on. */
  async follow({ scheduling }: Pick<Journal, 'scheduling'>): Promise<void> {
    const aheadMs = (await scheduling.now()) - machineClock.wallMs();
    this.#aheadMs = Math.abs(aheadMs) < DIFFERENCE_MIN_MS ? 0 : aheadMs;
  }

  wallMs(): number {
    return machineClock.wallMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return machineClock.monotonicMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return machineClock.sleep(ms, signal);
  }

  soon(work: () => void): void {
    machineClock.soon(work);
  }
}
