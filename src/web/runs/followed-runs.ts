import type { Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import type { Journal } from '../../journal/journal.ts';
import { PaceMeter } from '../../report/model/pace.ts';
import { Recent } from '../once.ts';
import { FollowedRun } from './followed-run.ts';
import { snapshotOf, type WatchSnapshot } from './snapshot.ts';

/** How often the journal is read for what is new of a run that somebody watches. */
const TICK_MS = 500;
/** How long a run is kept that nobody looks at: people read a page before they turn it, and a large run is read slowly. */
export const LINGER_MS = 5 * 60_000;
/** Runs, and rows of them, that are kept without anybody who watches; of more the one that was looked at first goes. */
const IDLE_MAX = 8;
const IDLE_ROWS_MAX = 250_000;
const UNREAD_MAX = 100;

/** One browser that watches a run. */
export type Watching = {
  /** Resolves when the journal was read again; null where that is not possible any more. */
  next(): Promise<WatchSnapshot | null>;
  leave(): void;
};

/** How far a run is read, in entries. */
type Reading = { done: number; of: number };

type Wake = (snapshot: WatchSnapshot | null) => void;

type Watcher = {
  followed: FollowedRun;
  meter: PaceMeter;
  snapshot: WatchSnapshot | null;
  viewers: number;
  /** Those who wait for the next look. */
  waiting: Set<Wake>;
  isTicking: boolean;
  touchedAt: number;
};

/** The runs that are looked at, each read once however many browsers show it. */
export class FollowedRuns {
  readonly #deps: { journal: Journal; clock: Clock; log: Log };
  readonly #watchers = new Map<string, Watcher>();
  /** Why a run could not be read that nobody waited for any more: whoever asks next gets the error. */
  readonly #unread = new Recent<unknown>(UNREAD_MAX);
  readonly #closing = new AbortController();

  constructor(deps: { journal: Journal; clock: Clock; log: Log }) {
    this.#deps = deps;
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
    const { clock, journal } = this.#deps;
    const failure = this.#unread.get(runId);
    this.#unread.delete(runId);
    if (failure !== undefined) throw failure;
    const watcher = await this.#watcherOf(runId);
    if (watcher === null || watcher.followed.isRead) return null;
    let isWaitedFor = true;
    const read = this.read(runId).catch((error: unknown) => {
      if (isWaitedFor) throw error;
      this.#unread.set(runId, error);
    });
    await Promise.race([read, clock.sleep(waitMs)]);
    isWaitedFor = false;
    if (watcher.followed.isRead) return null;
    return { done: watcher.followed.n, of: (await journal.head(runId))?.n ?? 0 };
  }

  /** How the run stands now, or null where there is none. Throws like `read`. */
  async snapshot(runId: string): Promise<WatchSnapshot | null> {
    const followed = await this.read(runId);
    if (followed === null) return null;
    const watcher = this.#watchers.get(runId);
    const taken = await snapshotOf(this.#deps.journal, followed);
    return watcher?.isTicking && watcher.snapshot !== null ? { ...taken, pace: watcher.snapshot.pace } : taken;
  }

  /** Begins to watch; null where there is no such run. Whoever begins has to leave. */
  async watch(runId: string): Promise<Watching | null> {
    const watcher = await this.#watcherOf(runId);
    if (watcher === null) return null;
    watcher.viewers++;
    if (!watcher.isTicking) void this.#tick(runId, watcher);
    let hasLeft = false;
    let wake: Wake | null = null;
    return {
      next: () =>
        new Promise((resolve) => {
          if (hasLeft || this.#watchers.get(runId) !== watcher) return resolve(null);
          wake = resolve;
          watcher.waiting.add(resolve);
        }),
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        watcher.viewers--;
        if (wake !== null && watcher.waiting.delete(wake)) wake(null);
      },
    };
  }

  /** How many runs are kept in memory, and how many browsers watch. */
  get load(): { runs: number; viewers: number } {
    const viewers = this.#watchers.values().reduce((sum, watcher) => sum + watcher.viewers, 0);
    return { runs: this.#watchers.size, viewers };
  }

  /** Ends every watching. */
  close(): void {
    this.#closing.abort();
    for (const [runId, watcher] of this.#watchers) this.#drop(runId, watcher);
  }

  async #watcherOf(runId: string): Promise<Watcher | null> {
    const { journal, clock } = this.#deps;
    const known = this.#watchers.get(runId);
    if (known !== undefined) {
      known.touchedAt = clock.monotonicMs();
      return known;
    }
    if (this.#closing.signal.aborted || (await journal.head(runId)) === null) return null;
    // Somebody else may have begun to look at it meanwhile: it is read once.
    if (this.#closing.signal.aborted || this.#watchers.has(runId)) return this.#watchers.get(runId) ?? null;
    this.#makeRoom();
    const watcher: Watcher = {
      followed: new FollowedRun(journal, clock, runId),
      meter: new PaceMeter(),
      snapshot: null,
      viewers: 0,
      waiting: new Set(),
      isTicking: false,
      touchedAt: clock.monotonicMs(),
    };
    this.#watchers.set(runId, watcher);
    void this.#forget(runId, watcher);
    return watcher;
  }

  /** Looks again and again while somebody watches. */
  async #tick(runId: string, watcher: Watcher): Promise<void> {
    const { clock, log } = this.#deps;
    watcher.isTicking = true;
    try {
      while (watcher.viewers > 0 && this.#watchers.get(runId) === watcher) {
        await watcher.followed.refresh();
        wakeAll(watcher, await this.#measured(watcher));
        await clock.sleep(TICK_MS, this.#closing.signal);
        watcher.touchedAt = clock.monotonicMs();
      }
    } catch (error) {
      log.warn({ error, run: runId }, 'a run cannot be watched any more');
      this.#drop(runId, watcher);
    } finally {
      watcher.isTicking = false;
    }
  }

  async #measured(watcher: Watcher): Promise<WatchSnapshot> {
    const { followed, meter } = watcher;
    const snapshot = await snapshotOf(this.#deps.journal, followed);
    const { counts, total, sent, phase } = snapshot;
    if (phase === 'running') {
      // What waits to be sent has another pace than what waits for its outcome.
      const pacedAs = counts.waiting > 0 ? 'sending' : 'waiting for outcomes';
      meter.measure({ phase: pacedAs, counts, sent, total }, this.#deps.clock.monotonicMs());
      snapshot.pace = meter.pace();
    }
    watcher.snapshot = snapshot;
    return snapshot;
  }

  /** Gives the memory back when nobody has looked for a while. */
  async #forget(runId: string, watcher: Watcher): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      const leftMs = watcher.touchedAt + LINGER_MS - clock.monotonicMs();
      if (leftMs <= 0 && watcher.viewers === 0) return this.#drop(runId, watcher);
      await clock.sleep(Math.max(leftMs, TICK_MS), this.#closing.signal);
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
    wakeAll(watcher, null);
  }
}

function wakeAll({ waiting }: Watcher, snapshot: WatchSnapshot | null): void {
  const all = [...waiting];
  waiting.clear();
  for (const wake of all) wake(snapshot);
}
