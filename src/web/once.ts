import type { FollowedRun } from './runs/followed-run.ts';
import type { TimeSlice } from './time-slice.ts';

/** Whoever asks for what is under way already waits for the same. */
export class UnderWay<Value> {
  readonly #under = new Map<string, Promise<Value>>();

  /** What `work` gives; it is begun only where nobody waits for that key. */
  of(key: string, work: () => Promise<Value>): Promise<Value> {
    const known = this.#under.get(key);
    if (known !== undefined) return known;
    const under = work().finally(() => this.#under.delete(key));
    this.#under.set(key, under);
    return under;
  }
}

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
