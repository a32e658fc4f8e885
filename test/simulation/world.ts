import type { Clock } from '../../src/platform/clock.ts';
import { hashText, type Random } from './random.ts';

/** Somebody to whom things happen: a process of the runner, or of the service. Nothing happens to one that is gone. */
export type Actor = {
  readonly name: string;
  isGone: boolean;
  /** A frozen process goes on at this moment, and then everything that waited for it happens in order. */
  frozenUntilMs: number;
};

/** A machine, whose wall clock can be wrong, and is the same for every process on it. */
export type Machine = { readonly name: string; offsetMs: number };

type Event = {
  atMs: number;
  /** Events of one moment happen in the order of this, which the seed draws, and then of their making. */
  tie: number;
  nth: number;
  actor: Actor | null;
  label: string;
  work: () => void;
};

/** 2026-11-25T09:30:00.250Z: no whole second, so that rounding shows. */
const START_WALL_MS = 1_795_599_000_250;
/** More than any seed needs: a loop that makes no progress ends here. */
const EVENTS_MAX = 400_000;

/** Something that must never happen happened. */
export class Violation extends Error {
  readonly invariant: string;
  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`);
    this.name = 'Violation';
    this.invariant = invariant;
  }
}

/** Time, and what happens in it. One heap decides what happens next; nothing here waits for a real timer. */
export class World {
  readonly random: Random;
  nowMs = 0;
  events = 0;
  hash = 0x811c9dc5;
  /** Called after every event, when everything that could go on has gone on. */
  afterEvent: () => void = () => {};
  readonly #heap: Event[] = [];
  readonly #print: ((line: string) => void) | null;
  #made = 0;
  #violation: unknown = null;

  constructor(random: Random, print: ((line: string) => void) | null) {
    this.random = random;
    this.#print = print;
  }

  /** Does `work` in `afterMs`, unless `actor` is gone by then. `tie` 0 keeps the order of the making. */
  schedule(actor: Actor | null, afterMs: number, label: string, work: () => void, tie = this.random.next()): Event {
    const event = { atMs: this.nowMs + Math.max(afterMs, 0), tie, nth: this.#made++, actor, label, work };
    this.#push(event);
    return event;
  }

  cancel(event: Event): void {
    event.work = nothing;
    event.label = 'nothing';
  }

  /** A line of the trace. It is part of the hash, so that two runs of a seed are the same in all that is told. */
  note(text: string): void {
    this.hash = hashText(text, this.hash);
    this.trace(text);
  }

  /** A line of the trace alone: what costs time to tell is told only where somebody listens. */
  trace(text: string): void {
    this.#print?.(`${(this.nowMs / 1_000).toFixed(3).padStart(9)}  ${text}`);
  }

  /** Only for people: whether texts are worth making. */
  get isTraced(): boolean {
    return this.#print !== null;
  }

  /** Ends the world with what is thrown, wherever in it that was found. */
  fail(violation: unknown): void {
    this.#violation ??= violation;
  }

  /** Does `work`. What is found in the middle of somebody's work ends the world, and not that work. */
  judged(work: () => void): void {
    try {
      work();
    } catch (violation) {
      this.fail(violation);
    }
  }

  /** Lets things happen until `isOver`, or nothing is left to happen. Throws the first violation. */
  async until(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const event = this.#pop();
      if (!event) return;
      if (this.events++ > EVENTS_MAX) throw new Violation('liveness', `still going on after ${EVENTS_MAX} events`);
      this.nowMs = Math.max(this.nowMs, event.atMs);
      const { actor } = event;
      if (actor?.isGone || event.work === nothing) continue;
      if (actor && actor.frozenUntilMs > this.nowMs) {
        event.atMs = actor.frozenUntilMs;
        this.#push(event);
        continue;
      }
      this.hash = hashText(event.label, Math.imul(this.hash ^ Math.floor(this.nowMs * 1_000), 0x01000193));
      event.work();
      // Every promise that can go on goes on, and only then does the next thing happen.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#violation === null) this.afterEvent();
      if (this.#violation !== null) throw this.#violation;
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  return a.tie === b.tie ? a.nth < b.nth : a.tie < b.tie;
}

const nothing = (): void => {};

/** What time it really is: what every right clock shows, Unix ms. */
export function trueWallMs(world: World): number {
  return START_WALL_MS + world.nowMs;
}

/**
 * The clock that an actor sees. `turnMs` is the most that a turn of its event loop takes; a commit happens in such a
 * turn, so that it is also how slow its disk is.
 */
export function clockOf(world: World, actor: Actor, machine: Machine, turnMs: number): Clock {
  let turnAtMs = 0;
  return {
    wallMs: () => Math.floor(trueWallMs(world) + machine.offsetMs),
    monotonicMs: () => world.nowMs,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const wake = (): void => {
          signal?.removeEventListener('abort', abort);
          resolve();
        };
        const lateMs = world.random.next() * 2;
        const event = world.schedule(actor, signal?.aborted ? 0 : ms + lateMs, `${actor.name} wakes`, wake);
        const abort = (): void => {
          world.cancel(event);
          world.schedule(actor, 0, `${actor.name} is woken`, wake);
        };
        if (signal && !signal.aborted) signal.addEventListener('abort', abort, { once: true });
      });
    },
    soon(work) {
      // TimeSlice of one event loop keep their order.
      turnAtMs = Math.max(turnAtMs, world.nowMs + world.random.next() * turnMs);
      world.schedule(actor, turnAtMs - world.nowMs, `${actor.name} turns`, work, 0);
    },
  };
}
