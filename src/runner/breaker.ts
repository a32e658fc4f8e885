import type { RunState } from '../domain/run.ts';
import type { Tally } from './recorder.ts';

/** So many payouts have to have ended before their share says something; half of them where there are few. */
const ENDED_MIN = 10;

/**
 * Stops a run in which more payouts fail or are rejected than its job allows. What ended counts from when this process
 * began: whoever resumes the run has looked.
 */
export class Breaker {
  readonly #percent: number | null;
  readonly #endedMin: number;
  readonly #tally: Tally;
  readonly #before: { failed: number; completed: number };
  #why: string | null = null;

  constructor({ plan, payouts }: RunState, tally: Tally) {
    this.#percent = plan?.limits?.failures_percent ?? null;
    this.#endedMin = Math.min(ENDED_MIN, Math.ceil(payouts.size / 2));
    this.#tally = tally;
    this.#before = { failed: tally.failed + tally.rejected, completed: tally.completed };
  }

  /** Why nothing more is submitted; null while something may be, and where nothing waits. Once it is broken it stays so. */
  why(): string | null {
    if (this.#percent === null || this.#tally.waiting === 0) return null;
    const failed = this.#tally.failed + this.#tally.rejected - this.#before.failed;
    const ended = failed + this.#tally.completed - this.#before.completed;
    const isOver = ended >= this.#endedMin && failed * 100 > this.#percent * ended;
    if (isOver)
      this.#why ??= `${failed} of the ${ended} payouts that ended failed or were rejected, and limits.failures of the job allows ${this.#percent}%: nothing more is submitted`;
    return this.#why;
  }
}
