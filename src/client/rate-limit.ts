import PQueue from 'p-queue';
import type { SharedLimit } from '../domain/shared-limit.ts';
import type { Clock } from '../platform/clock.ts';
import { measure } from '../platform/measures.ts';
import { Gate } from './gate.ts';
import { Line, type Priority } from './line.ts';
import { type Places, type Rate, SendLog, UNLIMITED_PLACES } from './places.ts';
import { SharedPlaces } from './shared-places.ts';

/**
 * Every request of the process goes through one of these, so that the limit holds for all kinds together.
 * A turn begins when there is a place for one more request, and keeps that place until its request leaves.
 */
export type RequestQueue = {
  /** With `stop`: rejects with `NotBegun` when it aborts before the turn has begun. What has begun goes on to its end. */
  run<T>(priority: Priority, work: (turn: Turn) => Promise<T>, stop?: AbortSignal): Promise<T>;
  /** Nothing begins or leaves for `ms`; a longer pause that is already there stands. The queue goes on on its own. */
  pauseFor(ms: number): void;
  /** Requests that wait for their turn. */
  readonly waiting: number;
  /** Why no request can begin now, while some wait: a pause or the limit; null where they can. */
  readonly rest: Rest | null;
};

/** For how long nothing begins by now, and for how long it will not, ms; null where that is not known. */
export type Rest = { code: 'pause' | 'limit'; forMs: number; leftMs: number | null };

/** A stop came while the request still waited for its turn: nothing of it has left, nothing is durable. */
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
  /** To be called at the moment when the first byte leaves. False where its place is lost: it may not leave, and `gate` comes again. */
  leaves(): boolean;
};

export type QueueOptions = {
  rate: Rate;
  concurrency: number;
  clock: Clock;
  /** Where other processes send to the same service with the same key, the limit that all of them keep together. */
  limit?: SharedLimit | null | undefined;
};

/**
 * A p-queue for priorities and concurrency, started and paused by a sliding log of our own.
 *
 * p-queue's limits count when a task starts, and its clock is `Date`, which can be set back: then it would wait for as
 * long as it was set back. Here the log counts when the bytes leave, after a commit and perhaps a TLS handshake, on the
 * monotonic clock. A turn that has begun keeps a place, so `requests` are never exceeded in any window, and a request
 * whose intent is durable never waits for the limit while its deadline comes nearer. Where other processes share the limit,
 * a place is a slot of it (`SharedPlaces`), and it is waited for a moment at most.
 */
export function requestQueue({ rate, concurrency, clock, limit = null }: QueueOptions): RequestQueue {
  const queue = new PQueue({ concurrency });
  const waiting = new Waiting();
  const line = new Line(queue, clock.monotonicMs);
  const gate = new Gate(clock);
  const places = limit === null ? ownPlaces(rate, clock) : sharedPlaces(limit);
  const regulate = regulator(queue, clock, () => Math.max(gate.restMs(), places.restMs(wanted())));
  regulate();

  return {
    run(priority, work, stop) {
      const turn = () => takeTurn(work, priority === 'watch');
      const result = stop ? waiting.run(stop, turn, (task) => void line.add(priority, task)) : line.add(priority, turn);
      if (limit !== null) regulate();
      return result;
    },
    pauseFor(ms) {
      pause(ms);
      places.pause(ms);
    },
    get waiting() {
      return queue.size;
    },
    get rest() {
      return restNow({ queue, gate, sinceMs: regulate.restsSinceMs(), clock, placesMs: () => places.restMs(wanted()) });
    },
  };

  /** Requests that wait and could begin soon: no more than have room beside those that are under way, and one in any case. */
  function wanted(): number {
    return Math.min(queue.size, Math.max(concurrency - queue.pending, 1));
  }

  function sharedPlaces(given: SharedLimit): Places {
    const onChange = (): void => {
      gate.look();
      regulate();
    };
    return new SharedPlaces({ limit: given, rate, clock, onChange, onPause: pause });
  }

  function pause(ms: number): void {
    gate.pause(ms);
    regulate();
  }

  /** p-queue calls this when it starts a task, and looks whether it is paused before it starts the next. */
  async function takeTurn<T>(work: (turn: Turn) => Promise<T>, isWatch: boolean): Promise<T> {
    let leftMs: number | null = null;
    const place = places.begin();
    const leaves = (): boolean => {
      if (leftMs !== null) return true;
      if (!place.leave()) return false;
      leftMs = clock.monotonicMs();
      regulate();
      return true;
    };
    regulate();
    try {
      return await work({ gate: (limitMs) => gate.opens(place, limitMs), leaves });
    } finally {
      if (leftMs === null) {
        leftMs = clock.monotonicMs();
        place.giveBack();
        regulate();
      }
      if (isWatch) line.watched(clock.monotonicMs() - leftMs);
    }
  }
}

type Resting = { queue: PQueue; gate: Gate; sinceMs: number | null; clock: Clock; placesMs(): number };

function restNow({ queue, gate, sinceMs, clock, placesMs }: Resting): Rest | null {
  if (sinceMs === null) return null;
  const forMs = clock.monotonicMs() - sinceMs;
  const pausedMs = gate.restMs();
  // What is under way waits for the end of a pause too, and has its place in the limit.
  if (pausedMs > 0) return queue.size + queue.pending > 0 ? { code: 'pause', forMs, leftMs: pausedMs } : null;
  if (queue.size === 0) return null;
  const leftMs = placesMs();
  return { code: 'limit', forMs, leftMs: leftMs > 0 && leftMs < Infinity ? leftMs : null };
}

/** `restsSinceMs`: since when nothing may begin, on the monotonic clock; null where it may. */
type Regulate = { (): void; restsSinceMs(): number | null };

/** Lets p-queue start tasks where there is no rest left, else not, and looks again when the rest is over. */
function regulator(queue: PQueue, clock: Clock, restMsNow: () => number): Regulate {
  let wakesAtMs = Infinity;
  let sinceMs: number | null = null;
  let limitedSinceMs: number | null = null;
  /** Since the last look requests have waited for the limit, or now begin to. */
  const note = (isLimited: boolean, nowMs: number): void => {
    if (limitedSinceMs !== null) measure({ kind: 'rate_limit_wait', seconds: (nowMs - limitedSinceMs) / 1_000 });
    limitedSinceMs = isLimited ? nowMs : null;
  };
  const regulate = async (): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const restMs = restMsNow();
    note(restMs > 0 && queue.size > 0, nowMs);
    if (restMs <= 0) {
      sinceMs = null;
      queue.start();
      return;
    }
    sinceMs ??= nowMs;
    queue.pause();
    const atMs = nowMs + restMs;
    if (atMs >= wakesAtMs || atMs === Infinity) return;
    wakesAtMs = atMs;
    await clock.sleep(restMs);
    if (wakesAtMs === atMs) wakesAtMs = Infinity;
    void regulate();
  };
  return Object.assign(() => void regulate(), { restsSinceMs: () => sinceMs });
}

function ownPlaces(rate: Rate, clock: Clock): Places {
  return rate === null ? UNLIMITED_PLACES : new SendLog(rate, clock);
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
      add(async () => {
        if (waiting.delete(giveUp)) await turn().then(resolve, reject);
      });
    });
  }

  #of(stop: AbortSignal): Set<() => void> {
    const known = this.#giveUp.get(stop);
    if (known) return known;
    const waiting = new Set<() => void>();
    this.#giveUp.set(stop, waiting);
    const giveAllUp = (): void => {
      for (const giveUp of waiting) giveUp();
      waiting.clear();
    };
    stop.addEventListener('abort', giveAllUp, { once: true });
    return waiting;
  }
}
