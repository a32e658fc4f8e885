import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import { assert } from '../domain/refusal.ts';
import { Line, type Priority } from './line.ts';

export type { Priority } from './line.ts';

/**
 * Every request of the process goes through one of these, so that the limit holds for all kinds together.
 * A turn begins when there is a place for one more request, and keeps that place until its request leaves.
 */
export type RequestQueue = {
  /** With `stop`: rejects with `NotBegun` when it aborts before the turn has begun. What has begun goes on to its end. */
  run<T>(priority: Priority, work: (turn: Turn) => Promise<T>, stop?: AbortSignal): Promise<T>;
  /** Nothing begins or leaves for `ms`; a longer pause that is already there stands. The queue goes on by itself. */
  pauseFor(ms: number): void;
  /** Requests that wait for their turn. */
  readonly waiting: number;
};

/** We were told to stop while the request still waited for its turn: nothing of it has left, nothing is durable. */
export class NotBegun extends Error {
  constructor() {
    super('stopped before its turn began');
    this.name = 'NotBegun';
  }
}

/** One request's turn. */
export type Turn = {
  /**
   * Resolves true as soon as no pause forbids that bytes leave, and false as soon as it is plain that this takes longer
   * than `limitMs`. To be awaited after everything else that takes time.
   */
  gate(limitMs?: number): Promise<boolean>;
  /** To be called at the moment when the first byte leaves. */
  leaves(): void;
};

export type QueueOptions = {
  rate: { requests: number; window_ms: number } | null;
  concurrency: number;
  clock: Clock;
};

/**
 * A p-queue for priorities and concurrency, started and paused by a sliding log of our own.
 *
 * p-queue's limits count when a task starts, and its clock is `Date`, which can be set back: then it would wait for as
 * long as it was set back. Here the log counts when the bytes leave, after a commit and perhaps a TLS handshake, on the
 * monotonic clock. A turn that has begun keeps a place, so `requests` are never exceeded in any window, and a request
 * whose intent is durable never waits for the limit while its deadline comes nearer.
 */
export function requestQueue({ rate, concurrency, clock }: QueueOptions): RequestQueue {
  const queue = new PQueue({ concurrency });
  const log = rate === null ? null : sendLog(rate.requests, rate.window_ms + WINDOW_MARGIN_MS, clock);
  const waiting = new Waiting();
  const line = new Line(queue, clock.monotonicMs);
  let pausedUntilMs = -Infinity;
  let isWaking = false;

  return {
    run(priority, work, stop) {
      const turn = () => takeTurn(work, priority === 'watch');
      return stop ? waiting.run(stop, turn, (task) => void line.add(priority, task)) : line.add(priority, turn);
    },
    pauseFor(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + ms);
      regulate();
    },
    get waiting() {
      return queue.size;
    },
  };

  /** p-queue calls this when it starts a task, and looks whether it is paused before it starts the next. */
  async function takeTurn<T>(work: (turn: Turn) => Promise<T>, isWatch: boolean): Promise<T> {
    let leftMs: number | null = null;
    const leaves = (): void => {
      if (leftMs !== null) return;
      leftMs = clock.monotonicMs();
      log?.leave();
      regulate();
    };
    log?.begin();
    regulate();
    try {
      return await work({ gate, leaves });
    } finally {
      // A turn that ends without having left is counted all the same: that costs one place, and cannot be wrong.
      leaves();
      if (isWatch && leftMs !== null) line.watched(clock.monotonicMs() - leftMs);
    }
  }

  async function gate(limitMs = Infinity): Promise<boolean> {
    const untilMs = clock.monotonicMs() + limitMs;
    for (;;) {
      if (pausedUntilMs > untilMs) return false;
      const restMs = pausedUntilMs - clock.monotonicMs();
      if (restMs <= 0) return true;
      await clock.sleep(restMs);
    }
  }

  /** Lets p-queue start tasks or not, and sees to it that it is asked again when that can change. */
  function regulate(): void {
    const restMs = Math.max(pausedUntilMs - clock.monotonicMs(), log?.restMs() ?? 0);
    if (restMs <= 0) {
      queue.start();
      return;
    }
    queue.pause();
    if (!isWaking && restMs < Infinity) void wakeAfter(restMs);
  }

  async function wakeAfter(restMs: number): Promise<void> {
    isWaking = true;
    await clock.sleep(restMs);
    isWaking = false;
    regulate();
  }
}

/**
 * What waits for its turn and is to be given up when a signal aborts. p-queue's own signals cost a listener for each
 * task, and forget tasks that have begun, whose outcome must be awaited all the same.
 */
class Waiting {
  readonly #giveUp = new Map<AbortSignal, Set<() => void>>();

  /** Runs `turn` through `add`, unless `stop` aborts before it begins. */
  run<T>(stop: AbortSignal, turn: () => Promise<T>, add: (task: () => Promise<void>) => void): Promise<T> {
    if (stop.aborted) return Promise.reject(new NotBegun());
    const waiting = this.#of(stop);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new NotBegun());
      waiting.add(giveUp);
      add(() => (waiting.delete(giveUp) ? turn().then(resolve, reject) : DONE));
    });
  }

  #of(stop: AbortSignal): Set<() => void> {
    let waiting = this.#giveUp.get(stop);
    if (!waiting) {
      const set = new Set<() => void>();
      waiting = set;
      this.#giveUp.set(stop, set);
      const giveAllUp = (): void => {
        for (const giveUp of set) giveUp();
        set.clear();
      };
      stop.addEventListener('abort', giveAllUp, { once: true });
    }
    return waiting;
  }
}

const DONE = Promise.resolve();

/** Requests do not all travel equally fast: two that leave a whole window apart can arrive a little closer. */
const WINDOW_MARGIN_MS = 10;

type SendLog = {
  /** Keeps a place. */
  begin(): void;
  /** The place's request leaves now. */
  leave(): void;
  /** Until there is a place; 0 where there is one, Infinity where only a request that leaves can make one. */
  restMs(): number;
};

/** The times when the last `requests` left, in a ring, and the number of those that have begun and not left. */
function sendLog(requests: number, windowMs: number, clock: Clock): SendLog {
  const times = new Float64Array(requests);
  let oldest = 0;
  let count = 0;
  let begun = 0;
  return {
    begin() {
      assert(count + begun < requests, 'a request began without a place in the rate');
      begun++;
    },
    leave() {
      begun--;
      times[(oldest + count) % requests] = clock.monotonicMs();
      count++;
    },
    restMs() {
      const nowMs = clock.monotonicMs();
      while (count > 0 && (times[oldest] as number) + windowMs <= nowMs) {
        oldest = (oldest + 1) % requests;
        count--;
      }
      if (count + begun < requests) return 0;
      return count === 0 ? Infinity : (times[oldest] as number) + windowMs - nowMs;
    },
  };
}
