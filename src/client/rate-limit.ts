import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';

/** What goes first when both wait: payouts, then the settling of doubts, then polls. */
export type Priority = 'submit' | 'settle' | 'poll';

const RANK: Record<Priority, number> = { submit: 2, settle: 1, poll: 0 };

/**
 * Every request of the process goes through one of these, so that the limit holds for all kinds together.
 * `work` gets a gate, and awaits it immediately before its bytes leave.
 */
export type RequestQueue = {
  run<T>(priority: Priority, work: (gate: () => Promise<void>) => Promise<T>): Promise<T>;
  /** Starts nothing for `ms`; a longer pause that is already there stands. The queue goes on by itself. */
  pauseFor(ms: number): void;
  /** Requests that wait for a place. */
  readonly waiting: number;
};

/**
 * A p-queue with a strict sliding window, and a gate behind it.
 *
 * p-queue counts when a task starts; the bytes leave later, after a commit whose duration varies. Two windows' tasks
 * could so come together. The gate holds a log of the last `requests` send times and lets the next one pass only when
 * the oldest is a whole window old: no sliding window ever sees more, at the moment of sending.
 * The window is 10 ms longer than the limit's, because an exact one let up to twice the limit through in measurements.
 */
export function requestQueue(options: {
  rate: { requests: number; window_ms: number } | null;
  concurrency: number;
  clock: Clock;
}): RequestQueue {
  const { rate, concurrency, clock } = options;
  const queue = new PQueue(
    rate === null
      ? { concurrency }
      : { concurrency, strict: true, intervalCap: rate.requests, interval: rate.window_ms + WINDOW_MARGIN_MS },
  );
  const gate = rate === null ? open : sendLog(rate.requests, rate.window_ms + GATE_MARGIN_MS, clock);
  let pausedUntilMs = 0;
  return {
    run: (priority, work) => queue.add(() => work(gate), { priority: RANK[priority] }),
    pauseFor(ms) {
      const untilMs = clock.monotonicMs() + ms;
      if (untilMs <= pausedUntilMs) return;
      const isPaused = pausedUntilMs > 0;
      pausedUntilMs = untilMs;
      if (!isPaused) void goOnLater();
    },
    get waiting() {
      return queue.size;
    },
  };

  async function goOnLater(): Promise<void> {
    queue.pause();
    for (;;) {
      const restMs = pausedUntilMs - clock.monotonicMs();
      if (restMs <= 0) break;
      await clock.sleep(restMs);
    }
    pausedUntilMs = 0;
    queue.start();
  }
}

const WINDOW_MARGIN_MS = 10;
const GATE_MARGIN_MS = 5;

const open = (): Promise<void> => OPEN;
const OPEN = Promise.resolve();

/** A ring of the last `requests` send times. Callers pass in the order in which they came. */
function sendLog(requests: number, windowMs: number, clock: Clock): () => Promise<void> {
  const times = new Float64Array(requests).fill(-Infinity);
  let next = 0;
  let last: Promise<void> = OPEN;
  const pass = async (): Promise<void> => {
    for (;;) {
      const restMs = (times[next] as number) + windowMs - clock.monotonicMs();
      if (restMs <= 0) break;
      await clock.sleep(restMs);
    }
    times[next] = clock.monotonicMs();
    next = (next + 1) % requests;
  };
  return () => {
    last = last.then(pass);
    return last;
  };
}
