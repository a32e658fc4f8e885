import type { Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import type { Journal } from '../../journal/journal.ts';
import { PaceMeter } from '../../report/model/pace.ts';
import { FollowedRun } from './followed-run.ts';
import { snapshotOf, type WatchSnapshot } from './snapshot.ts';

/** How often the journal is asked for what is new of a run that somebody watches. */
const TICK_MS = 500;
/** How long a run is kept that nobody looks at: people read a page before they turn it, and a large run is read slowly. */
export const LINGER_MS = 5 * 60_000;
/** Runs, and rows of them, that are kept without anybody who watches; of more the one that was looked at first goes. */
const IDLE_MAX = 8;
const IDLE_ROWS_MAX = 250_000;
const UNREAD_MAX = 100;

/** One browser that watches a run. */
export type Watching = {
  /** Resolves when the journal was looked at again; null where that is not possible any more. */
  next(): Promise<WatchSnapshot | null>;
  leave(): void;
};

/** How far a run is read, in entries. */
export type Reading = { done: number; of: number };

type Watcher = {
  followed: FollowedRun;
  meter: PaceMeter;
  snapshot: WatchSnapshot | null;
  viewers: number;
  /** Those who wait for the next look. */
  waiting: Set<(snapshot: WatchSnapshot | null) => void>;
  isTicking: boolean;
  touchedAt: number;
};

/** The runs that are looked at, each read once however many browsers show it. */
export class FollowedRuns {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #watchers = new Map<string, Watcher>();
  /** Why a run could not be read that nobody waited for any more: whoever asks next is told. */
  readonly #unread = new Map<string, unknown>();
  readonly #closing = new AbortController();

  constructor(journal: Journal, clock: Clock, log: Log) {
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
  }

  /** The run as it stands now, or null where there is none. It is not to be changed. Throws a `Refusal` where it is damaged. */
  async read(runId: string): Promise<FollowedRun | null> {
    const watcher = await this.#watcherOf(runId);
    if (watcher === null) return null;
    try {
      await watcher.followed.refresh();
    } catch (error) {
      this.#drop(runId, watcher);
      throw error;
    }
    return watcher.followed;
  }

  /**
   * How far the run is read, after `waitMs`; null where it was read, or there is none. What is written meanwhile is read by
   * `read`. Throws like `read`.
   */
  async reading(runId: string, waitMs: number): Promise<Reading | null> {
    const error = this.#unread.get(runId);
    this.#unread.delete(runId);
    if (error !== undefined) throw error;
    const watcher = await this.#watcherOf(runId);
    if (watcher === null || watcher.followed.isRead) return null;
    let isWaitedFor = true;
    const read = this.read(runId).catch((error: unknown) => {
      if (isWaitedFor) throw error;
      if (this.#unread.size < UNREAD_MAX) this.#unread.set(runId, error);
    });
    await Promise.race([read, this.#clock.sleep(waitMs)]);
    isWaitedFor = false;
    if (watcher.followed.isRead) return null;
    return { done: watcher.followed.n, of: (await this.#journal.head(runId))?.n ?? 0 };
  }

  /** How the run stands now, or null where there is none. Throws like `read`. */
  async snapshot(runId: string): Promise<WatchSnapshot | null> {
    const followed = await this.read(runId);
    if (followed === null) return null;
    const watcher = this.#watchers.get(runId);
    const taken = await snapshotOf(this.#journal, followed);
    return watcher?.isTicking && watcher.snapshot !== null ? { ...taken, pace: watcher.snapshot.pace } : taken;
  }

  /** Begins to watch; null where there is no such run. Whoever begins has to leave. */
  async watch(runId: string): Promise<Watching | null> {
    const watcher = await this.#watcherOf(runId);
    if (watcher === null) return null;
    watcher.viewers++;
    if (!watcher.isTicking) void this.#tick(runId, watcher);
    let hasLeft = false;
    let waits: ((snapshot: WatchSnapshot | null) => void) | null = null;
    return {
      next: () =>
        new Promise((resolve) => {
          if (hasLeft || this.#watchers.get(runId) !== watcher) return resolve(null);
          waits = resolve;
          watcher.waiting.add(resolve);
        }),
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        watcher.viewers--;
        if (waits !== null && watcher.waiting.delete(waits)) waits(null);
      },
    };
  }

  /** How many runs are kept in memory, and how many browsers watch. */
  get load(): { runs: number; viewers: number } {
    const all = [...this.#watchers.values()];
    return { runs: all.length, viewers: all.reduce((sum, { viewers }) => sum + viewers, 0) };
  }

  /** Ends every watching. */
  close(): void {
    this.#closing.abort();
    for (const [runId, watcher] of this.#watchers) this.#drop(runId, watcher);
  }

  async #watcherOf(runId: string): Promise<Watcher | null> {
    const known = this.#watchers.get(runId);
    if (known !== undefined) {
      known.touchedAt = this.#clock.monotonicMs();
      return known;
    }
    if (this.#closing.signal.aborted || (await this.#journal.head(runId)) === null) return null;
    // Somebody else may have begun to look at it meanwhile: it is read once.
    if (this.#closing.signal.aborted || this.#watchers.has(runId)) return this.#watchers.get(runId) ?? null;
    this.#makeRoom();
    const watcher: Watcher = {
      followed: new FollowedRun(this.#journal, this.#clock, runId),
      meter: new PaceMeter(),
      snapshot: null,
      viewers: 0,
      waiting: new Set(),
      isTicking: false,
      touchedAt: this.#clock.monotonicMs(),
    };
    this.#watchers.set(runId, watcher);
    void this.#forget(runId, watcher);
    return watcher;
  }

  /** Looks again and again while somebody watches. */
  async #tick(runId: string, watcher: Watcher): Promise<void> {
    watcher.isTicking = true;
    try {
      while (watcher.viewers > 0 && this.#watchers.get(runId) === watcher) {
        await watcher.followed.refresh();
        this.#tell(watcher, await this.#measured(watcher));
        await this.#clock.sleep(TICK_MS, this.#closing.signal);
        watcher.touchedAt = this.#clock.monotonicMs();
      }
    } catch (error) {
      this.#log.warn({ error, run: runId }, 'a run cannot be watched any more');
      this.#drop(runId, watcher);
    } finally {
      watcher.isTicking = false;
    }
  }

  async #measured(watcher: Watcher): Promise<WatchSnapshot> {
    const { followed, meter } = watcher;
    const snapshot = await snapshotOf(this.#journal, followed);
    const { counts, total, sent, phase } = snapshot;
    if (phase === 'running') {
      // What waits to be sent has another pace than what waits for its outcome.
      const pacedAs = counts.waiting > 0 ? 'sending' : 'waiting for outcomes';
      meter.measure({ phase: pacedAs, counts, sent, total }, this.#clock.monotonicMs());
      snapshot.pace = meter.pace();
    }
    watcher.snapshot = snapshot;
    return snapshot;
  }

  #tell(watcher: Watcher, snapshot: WatchSnapshot | null): void {
    const waiting = [...watcher.waiting];
    watcher.waiting.clear();
    for (const wake of waiting) wake(snapshot);
  }

  /** Gives the memory back when nobody has looked for a while. */
  async #forget(runId: string, watcher: Watcher): Promise<void> {
    for (;;) {
      const leftMs = watcher.touchedAt + LINGER_MS - this.#clock.monotonicMs();
      if (leftMs <= 0 && watcher.viewers === 0) return this.#drop(runId, watcher);
      await this.#clock.sleep(Math.max(leftMs, TICK_MS), this.#closing.signal);
      if (this.#closing.signal.aborted || this.#watchers.get(runId) !== watcher) return;
    }
  }

  #makeRoom(): void {
    const idle = [...this.#watchers].filter(([, { viewers }]) => viewers === 0);
    idle.sort(([, one], [, other]) => other.touchedAt - one.touchedAt);
    let rows = 0;
    for (const [at, [runId, watcher]] of idle.entries()) {
      rows += watcher.followed.run.rows.length;
      if (at + 1 >= IDLE_MAX || rows > IDLE_ROWS_MAX) this.#drop(runId, watcher);
    }
  }

  #drop(runId: string, watcher: Watcher): void {
    if (this.#watchers.get(runId) === watcher) this.#watchers.delete(runId);
    this.#tell(watcher, null);
  }
}
