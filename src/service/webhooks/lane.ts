import type { Core } from '../core.ts';
import type { Endpoint } from '../outbox.ts';
import { type Due, dueEvents, nextDueMs, readDue } from './deliveries.ts';
import { CONNECTIONS_MAX, type Post } from './post.ts';

/** Numbers of events that are read ahead. */
const PAGE = 256;

/** Deliveries of one endpoint that are under way, held, or not written yet. */
const TAKEN_MAX = 256;

/**
 * The deliveries of one endpoint: which are due, and how many are under way. Each endpoint has its own, so one that
 * hangs holds up nobody else.
 */
export class Lane {
  /** As it is now: its secret may be exchanged. */
  endpoint: Endpoint;
  readonly post: Post;
  /** Taken for going out in reverse. */
  held: Due[] = [];
  readonly #core: Core;
  /** Due, in order, and not taken. */
  #waiting: number[] = [];
  /** Taken, and their results not yet in the database: there they are due still. */
  readonly #taken = new Set<number>();
  #busy = 0;
  /** Nothing that is not taken is due before `#nextDueMs`. */
  #isDrained = false;
  #nextDueMs: number | null = null;

  constructor(core: Core, endpoint: Endpoint, post: Post) {
    this.#core = core;
    this.endpoint = endpoint;
    this.post = post;
  }

  /** Something may have become due. */
  wake(): void {
    this.#isDrained = false;
  }

  /** The next delivery that is due, or null where there is none or no connection is free. It is taken with that. */
  take(): Due | null {
    if (this.#busy >= CONNECTIONS_MAX || this.#taken.size >= TAKEN_MAX) return null;
    while (this.#waiting.length > 0 || this.#read()) {
      const event = this.#waiting.shift() as number;
      // It may have been given up since the page was read.
      const due = readDue(this.#core, event, this.endpoint.endpoint);
      if (!due) continue;
      this.#taken.add(event);
      this.#busy += 1;
      return due;
    }
    return null;
  }

  /** The connection is free again. */
  freed(): void {
    this.#busy -= 1;
  }

  /** What became of it is in the database, or nothing ever will be. */
  settled(event: number): void {
    this.#taken.delete(event);
    this.wake();
  }

  /** When to look again if nothing happens before: Unix ms of the service's clock, or null. */
  nextDueMs(): number | null {
    return this.#isDrained ? this.#nextDueMs : null;
  }

  #read(): boolean {
    const nowMs = this.#core.clock.wallMs();
    if (this.#isDrained && (this.#nextDueMs === null || this.#nextDueMs > nowMs)) return false;
    const { endpoint } = this.endpoint;
    const due = dueEvents(this.#core, endpoint, nowMs, PAGE + this.#taken.size);
    this.#waiting = due.filter((event) => !this.#taken.has(event)).slice(0, PAGE);
    this.#isDrained = this.#waiting.length === 0;
    if (this.#isDrained) this.#nextDueMs = nextDueMs(this.#core, endpoint, nowMs);
    return !this.#isDrained;
  }
}
