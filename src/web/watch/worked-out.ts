import type { TimeSlice } from '../time-slice.ts';
import type { FollowedRun } from './followed-run.ts';

/** What is worked out of a run, once for all who look, until something more is written to it. */
export class WorkedOut<Value> {
  readonly #work: (followed: FollowedRun, turns: TimeSlice) => Promise<Value>;
  readonly #known = new WeakMap<FollowedRun, { n: number; value: Promise<Value> }>();

  constructor(work: (followed: FollowedRun, turns: TimeSlice) => Promise<Value>) {
    this.#work = work;
  }

  of(followed: FollowedRun, turns: TimeSlice): Promise<Value> {
    const known = this.#known.get(followed);
    if (known?.n === followed.n) return known.value;
    const value = this.#work(followed, turns);
    this.#known.set(followed, { n: followed.n, value });
    return value;
  }
}
