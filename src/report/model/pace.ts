import type { Awaited } from '../../domain/outcomes/awaited.ts';
import type { RunStep } from '../../domain/outcomes/run-outcome.ts';
export type ProgressCounts = Record<
  | 'waiting'
  | 'sending'
  | 'in_doubt'
  | 'accepted'
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'unresolved'
  | 'not_submitted',
  number
>;

/** How a run stands. `total` is its payouts, each in one of the counts; `sent` are those that the service accepted. */
export type ProgressSnapshot = {
  phase: RunStep;
  counts: ProgressCounts;
  total: number;
  sent: number;
  /** What the process that works on it waits for; absent where it does not, or where another process works on it. */
  awaits?: Awaited;
};

/** What the last seconds allow to say; null where they do not. */
export type Pace = { perSecond: number | null; secondsLeft: number | null };

/** Long enough to be steady, short enough to follow a service that slows down. */
const WINDOW_MS = 15_000;
const SAMPLE_EVERY_MS = 250;
/** A shorter time says nothing about a rate. */
const SPAN_MIN_MS = 1_000;

type Sample = { atMs: number; waiting: number; sent: number; settled: number; total: number };

/** How fast a run goes, over the last seconds. Holds 61 samples at most, and the newest one. */
export class PaceMeter {
  #samples: Sample[] = [];
  #newest: Sample | null = null;
  #phase: string | null = null;

  /** `atMs` is the monotonic clock's. A new phase has a pace of its own: preparing says nothing about submitting. */
  measure({ phase, counts, sent, total }: Omit<ProgressSnapshot, 'phase'> & { phase: string }, atMs: number): void {
    if (phase !== this.#phase) this.#samples = [];
    this.#phase = phase;
    this.#newest = { atMs, waiting: counts.waiting, sent, settled: settledOf(counts), total };
    const last = this.#samples.at(-1);
    if (last && atMs - last.atMs < SAMPLE_EVERY_MS) return;
    this.#samples.push(this.#newest);
    this.#samples = this.#samples.filter((sample) => sample.atMs >= atMs - WINDOW_MS);
  }

  /** While payouts wait to be sent, how fast they are sent; after that, how fast they become final. */
  pace(): Pace {
    const newest = this.#newest;
    const oldest = this.#samples[0];
    if (!newest || !oldest || newest.atMs - oldest.atMs < SPAN_MIN_MS || newest.sent === 0)
      return { perSecond: null, secondsLeft: null };
    const seconds = (newest.atMs - oldest.atMs) / 1_000;
    const settling = (newest.settled - oldest.settled) / seconds;
    if (newest.waiting > 0) {
      const perSecond = (newest.sent - oldest.sent) / seconds;
      return { perSecond, secondsLeft: estimate(newest.waiting, (oldest.waiting - newest.waiting) / seconds) };
    }
    if (newest.settled >= newest.total) return { perSecond: null, secondsLeft: null };
    return { perSecond: settling, secondsLeft: estimate(newest.total - newest.settled, settling) };
  }
}

function estimate(left: number, perSecond: number): number | null {
  return perSecond > 0 ? left / perSecond : null;
}

/** Payouts with which the run is done, `unresolved` ones among them: those wait for a person. */
export function settledOf({ completed, failed, rejected, unresolved, not_submitted }: ProgressCounts): number {
  return completed + failed + rejected + unresolved + not_submitted;
}
