import type { Entry } from '../../../domain/entry.ts';
import type { MovedRow } from '../rows/row-index.ts';

/** What happened lately; `at` in Unix ms. `moved`: the payout that it happened to; `count`: how many payouts, one after the other. */
export type Latest = { at: number; code: LatestCode; moved: MovedRow | null; count: number };

export type LatestCode =
  | 'started'
  | 'taken_up'
  | 'paused'
  | 'resumed'
  | 'stopped'
  | 'cancelled'
  | 'failed'
  | 'rejected'
  | 'unconfirmed'
  | 'unresolved';

const KEPT_MAX = 10;
const MINUTE_MS = 60_000;
/** More errors a minute are that many. */
const ERRORS_MAX = 10_000;

/** The newest of what people want to know at once of a run, and how often the service gave no answer, or one without effect. */
export class LatestOfRun {
  #kept: Latest[] = [];
  #errors: number[] = [];

  /** `isStarted`: whether the run was started before the entry. `moved`: the payout that the entry put into another state. */
  add(at: number, entry: Entry, { isStarted, moved }: { isStarted: boolean; moved: MovedRow | null }): void {
    if (ERRORS.has(entry.kind) && this.#errors.length < ERRORS_MAX) this.#errors.push(at);
    while (this.#errors[0] !== undefined && this.#errors[0] < at - MINUTE_MS) this.#errors.shift();
    const code = codeOf(entry, isStarted);
    if (code === null) return;
    const last = this.#kept.at(-1);
    const isSame = code === 'unconfirmed' && last?.code === code;
    if (isSame) this.#kept.pop();
    this.#kept.push({ at, code, moved, count: isSame ? last.count + 1 : 1 });
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
  }

  /** Newest first. */
  get newest(): readonly Latest[] {
    return this.#kept.toReversed();
  }

  errorsInMinuteBefore(nowMs: number): number {
    return this.#errors.filter((at) => at > nowMs - MINUTE_MS).length;
  }
}

const ERRORS: ReadonlySet<Entry['kind']> = new Set(['no_effect', 'doubt', 'ensure_no_effect', 'ensure_doubt']);

function codeOf(entry: Entry, isStarted: boolean): LatestCode | null {
  switch (entry.kind) {
    case 'lease_taken':
      return isStarted ? 'taken_up' : null;
    case 'final':
      return entry.status === 'FAILED' ? 'failed' : null;
    case 'doubt':
      return 'unconfirmed';
    case 'cancelled':
      return isStarted ? 'cancelled' : null;
    case 'started':
    case 'paused':
    case 'resumed':
    case 'stopped':
    case 'rejected':
    case 'unresolved':
      return entry.kind;
    default:
      return null;
  }
}
