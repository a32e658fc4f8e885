import type { Clock } from '../../src/platform/clock.ts';

export type VirtualClock = Clock & {
  /** Sets the wall clock by so much, as somebody with the rights to do so would. The monotonic one does not move. */
  setWallBy(ms: number): void;
  /** Lets time pass, by itself from one sleeper to the next, until the promise is settled. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Lets exactly so much time pass. */
  pass(ms: number): Promise<void>;
};

type Sleeper = { atMs: number; nth: number; wake: () => void };

/** 2026-11-25T09:30:00.250Z: no whole second, so that rounding shows. */
const START_WALL_MS = 1_795_599_000_250;
/** TimeSlice of the real event loop in which everything that is ready runs, before time passes. */
const TURNS = 3;
const WAKES_MAX = 1_000_000;

/** Time that passes only when nobody has anything left to do. Sleepers of the same moment wake in the order they lay down. */
export function virtualClock(): VirtualClock {
  let nowMs = 5_000;
  let wallOffsetMs = START_WALL_MS - nowMs;
  let nth = 0;
  const sleepers: Sleeper[] = [];
  return {
    wallMs: () => nowMs + wallOffsetMs,
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const giveUp = () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          resolve();
        };
        // A signal that outlives thousands of sleeps must not keep them.
        const wake = () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        };
        const sleeper = { atMs: nowMs + Math.max(ms, 0), nth: nth++, wake };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', giveUp);
      }),
    soon(work) {
      setImmediate(work);
    },
    setWallBy(ms) {
      wallOffsetMs += ms;
    },
    async until(promise) {
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      promise.then(settle, settle);
      for (let wakes = 0; wakes < WAKES_MAX; wakes++) {
        await settleDown();
        if (isSettled) return promise;
        if (!wakeNext(Infinity)) throw new Error('everybody waits, and nobody for time');
      }
      throw new Error(`not settled after ${WAKES_MAX} wakes`);
    },
    async pass(ms) {
      const untilMs = nowMs + ms;
      do await settleDown();
      while (wakeNext(untilMs));
      nowMs = untilMs;
      await settleDown();
    },
  };

  function wakeNext(untilMs: number): boolean {
    let next = 0;
    for (const [at, sleeper] of sleepers.entries()) {
      const first = sleepers[next] as Sleeper;
      if (sleeper.atMs < first.atMs || (sleeper.atMs === first.atMs && sleeper.nth < first.nth)) next = at;
    }
    const sleeper = sleepers[next];
    if (!sleeper || sleeper.atMs > untilMs) return false;
    sleepers.splice(next, 1);
    nowMs = Math.max(nowMs, sleeper.atMs);
    sleeper.wake();
    return true;
  }
}

async function settleDown(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}
