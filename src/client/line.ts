import type PQueue from 'p-queue';

/** What goes first when both wait: payouts, then the settling of doubts, then polls. A watch is a poll that has its turns. */
export type Priority = 'submit' | 'settle' | 'poll' | 'watch';

const RANK: Record<Priority, number> = { submit: 2, settle: 1, poll: 0, watch: 0 };
/** Of a watch whose turn it is. */
const RANK_RAISED = 3;

/** Of so many turns that begin one is a watch's, where one waits. */
const TURNS_TO_EACH_WATCH = 5;
/** After an answer to a watch, payouts have so many times as long as it took, whatever the concurrency. */
const TIMES_ITS_LENGTH = 4;

/**
 * In which order what waits in a p-queue has its turn. A watch neither waits for ever behind payouts nor takes more than a
 * fifth of their places, nor of their time where answers are slow. Where nothing else waits it begins on its own.
 */
export class Line {
  readonly #queue: PQueue;
  readonly #nowMs: () => number;
  readonly #watches = new Set<string>();
  #made = 0;
  #othersBegun = 0;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(queue: PQueue, nowMs: () => number) {
    this.#queue = queue;
    this.#nowMs = nowMs;
  }

  add<T>(priority: Priority, task: () => Promise<T>): Promise<T> {
    const id = `${priority} ${this.#made++}`;
    const begin = (): Promise<T> => {
      if (this.#watches.delete(id)) this.#othersBegun = 0;
      else {
        this.#othersBegun++;
        this.#raise();
      }
      return task();
    };
    if (priority === 'watch') this.#watches.add(id);
    const added = this.#queue.add(begin, { priority: RANK[priority], id });
    this.#raise();
    return added;
  }

  /** A watch was answered, or given up, so long after its first byte left. */
  watched(ms: number): void {
    this.#notBeforeMs = this.#nowMs() + TIMES_ITS_LENGTH * ms;
  }

  /** Puts the first watch that waits before everything else, if it is time. */
  #raise(): void {
    if (this.#othersBegun < TURNS_TO_EACH_WATCH - 1 || this.#nowMs() < this.#notBeforeMs) return;
    const [first] = this.#watches;
    if (first !== undefined) this.#queue.setPriority(first, RANK_RAISED);
  }
}
