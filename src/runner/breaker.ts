import type { HeldWhy } from '../domain/outcomes/stop-why.ts';
import type { PayoutState } from '../domain/run/payout.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { Tally } from '../domain/run/tally.ts';

/** A share is of so many at least, or of all payouts of the run where there are fewer: three of three show little. */
const COUNTED_MIN = 10;

type Failures = Extract<HeldWhy, { code: 'too_many_failures' }>;

/**
 * Stops a run in which more payouts fail than its job allows: of those that are final, or, together with those that were
 * rejected, of all that the service answered. A rejection is known at once and a success perhaps days later, so the two
 * are no share of each other. What counts is what came since the run last stopped for a person, who
 * has looked before resuming it.
 */
export class Breaker {
  /** Whether the run has a share at which it stops. */
  readonly isSet: boolean;
  readonly #percent: number;
  readonly #countedMin: number;
  readonly #tally: Tally;
  readonly #before: RunState['endedBefore'];
  readonly #onBroken: () => void;
  /** Rows that a listing shows as failed, and whose own record was not read yet. */
  readonly #seen = new Set<number>();
  #why: Failures | null = null;

  constructor({ plan, payouts, endedBefore }: RunState, tally: Tally, onBroken: () => void) {
    const percent = plan?.limits?.failures_percent ?? null;
    this.isSet = percent !== null;
    this.#percent = percent ?? 100;
    // So many that a single one is not more than the share.
    const single = percent ? Math.ceil(100 / percent) : 0;
    this.#countedMin = Math.min(Math.max(COUNTED_MIN, single), payouts.size);
    this.#tally = tally;
    this.#before = endedBefore;
    this.#onBroken = onBroken;
  }

  /** A listing shows that the accepted payouts of these rows failed. Each counts once, also when it is recorded later. */
  saw(rows: readonly number[]): void {
    if (!this.isSet) return;
    for (const row of rows) this.#seen.add(row);
    this.why();
  }

  /** The row's payout is in that state, on disk and in the tally. */
  recorded(row: number, state: PayoutState['state']): void {
    if (state !== 'accepted') this.#seen.delete(row);
    this.why();
  }

  /** Why nothing more is submitted; null while something may be, and where nothing waits. Once it is broken it stays so. */
  why(): Failures | null {
    if (!this.isSet || this.#tally.waiting === 0) return null;
    if (this.#why === null) {
      this.#why = this.#failures();
      if (this.#why !== null) this.#onBroken();
    }
    return this.#why;
  }

  #failures(): Failures | null {
    const { accepted } = this.#tally;
    const failed = this.#tally.failed + this.#seen.size - this.#before.failed;
    const rejected = this.#tally.rejected - this.#before.rejected;
    const final = failed + this.#tally.completed - this.#before.completed;
    const answered = final + rejected + accepted - this.#seen.size;
    const over = { code: 'too_many_failures', percent: this.#percent } as const;
    if (this.#isMore(failed, final)) return { ...over, bad: failed, of: final, among: 'final' };
    if (!this.#isMore(failed + rejected, answered)) return null;
    return { ...over, bad: failed + rejected, of: answered, among: 'answered' };
  }

  #isMore(some: number, all: number): boolean {
    return some * 100 > this.#percent * Math.max(all, this.#countedMin);
  }
}
