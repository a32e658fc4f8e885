import type { RunReads } from '../../app/runs/run-reads.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { type Clock, within } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { PaceMeter } from '../../report/model/pace.ts';
import { FollowedRun, snapshotOf, type WatchSnapshot } from './followed-run.ts';

/** How often the journal is read for what is new of a run that somebody watches. */
const TICK_MS = 500;
/** How long a run is kept that nobody looks at: people read a page before they turn it, and a large run is read slowly. */
export const LINGER_MS = 5 * 60_000;
/** Runs, and rows of them, that are kept while nobody watches them; the one that was looked at first goes first. */
const IDLE_MAX = 8;
const IDLE_ROWS_MAX = 250_000;

/** How far a run is read, in entries, and its header where that was read. */
type Reading = { done: number; of: number; header: RunCreated | null };

/** `look` is the last one that was taken for those who watch, begun at `lookedAt`; `pace` is what was measured by then. */
type Kept = {
  followed: FollowedRun;
  meter: PaceMeter;
  look: Promise<WatchSnapshot> | null;
  lookedAt: number;
  viewers: number;
  touchedAt: number;
};

/** The runs that are looked at, each read once however many browsers show it. */
export class FollowedRuns {
  readonly #deps: { reads: RunReads; clock: Clock; log: Log };
  readonly #kept = new Map<string, Kept>();
  readonly #closing = new AbortController();

  constructor(deps: { reads: RunReads; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  /** The run as it stands now, or null where there is none. It is not to be changed. Throws a `Refusal` where it is damaged. */
  async read(runId: string): Promise<FollowedRun | null> {
    const kept = await this.#keptOf(runId);
    if (kept !== null) await this.#within(runId, kept, kept.followed.refresh());
    return kept?.followed ?? null;
  }

  /**
   * How far the run is read, after `waitMs`; null where it was read, or there is none. What is written meanwhile is read by
   * `read`. Throws like `read`: a run that cannot be read fails for who asks next.
   */
  async reading(runId: string, waitMs: number): Promise<Reading | null> {
    const kept = await this.#keptOf(runId);
    if (kept === null || kept.followed.isRead) return null;
    await this.#within(runId, kept, within(this.#deps.clock, waitMs, kept.followed.refresh()));
    if (kept.followed.isRead) return null;
    const { n: done, run } = kept.followed;
    return { done, of: (await this.#deps.reads.head(runId))?.n ?? 0, header: run.header };
  }

  /** Waits for a reading. A run that cannot be read is read anew by who asks after that. */
  async #within(runId: string, kept: Kept, reading: Promise<unknown>): Promise<void> {
    try {
      await reading;
    } catch (error) {
      this.#drop(runId, kept);
      throw error;
    }
  }

  /** How the run stands now, or null where there is none. Throws like `read`. */
  async snapshot(runId: string): Promise<WatchSnapshot | null> {
    const followed = await this.read(runId);
    if (followed === null) return null;
    const kept = this.#kept.get(runId);
    const taken = await snapshotOf(this.#deps.reads, followed, this.#deps.clock.wallMs());
    return kept !== undefined && kept.viewers > 0 ? { ...taken, pace: kept.meter.pace() } : taken;
  }

  /** How the run stands, again and again, until the signal or until it cannot be read any more. Null where there is no such run. */
  async watch(runId: string, signal: AbortSignal): Promise<AsyncGenerator<WatchSnapshot> | null> {
    const kept = await this.#keptOf(runId);
    return kept === null ? null : this.#looks(runId, kept, AbortSignal.any([signal, this.#closing.signal]));
  }

  async *#looks(runId: string, kept: Kept, signal: AbortSignal): AsyncGenerator<WatchSnapshot> {
    const { clock, log } = this.#deps;
    kept.viewers++;
    try {
      while (!signal.aborted && this.#kept.get(runId) === kept) {
        yield await this.#look(kept);
        await clock.sleep(TICK_MS, signal);
      }
    } catch (error) {
      log.warn({ error, run: runId }, 'a run cannot be watched any more');
      this.#drop(runId, kept);
    } finally {
      kept.viewers--;
    }
  }

  /** How many runs are kept in memory, and how many browsers watch. */
  get load(): { runs: number; viewers: number } {
    const viewers = this.#kept.values().reduce((sum, kept) => sum + kept.viewers, 0);
    return { runs: this.#kept.size, viewers };
  }

  /** Ends every watching. */
  close(): void {
    this.#closing.abort();
    this.#kept.clear();
  }

  async #keptOf(runId: string): Promise<Kept | null> {
    const { reads, clock } = this.#deps;
    const known = this.#kept.get(runId);
    if (known !== undefined) {
      known.touchedAt = clock.monotonicMs();
      return known;
    }
    if (this.#closing.signal.aborted || (await reads.head(runId)) === null) return null;
    // Somebody else may have begun to look at it meanwhile: it is read once.
    if (this.#closing.signal.aborted || this.#kept.has(runId)) return this.#kept.get(runId) ?? null;
    this.#makeRoom();
    const kept: Kept = {
      followed: new FollowedRun(reads, clock, runId),
      meter: new PaceMeter(),
      look: null,
      lookedAt: 0,
      viewers: 0,
      touchedAt: clock.monotonicMs(),
    };
    this.#kept.set(runId, kept);
    void this.#forget(runId, kept);
    return kept;
  }

  /** All who watch share one look each half a second. */
  #look(kept: Kept): Promise<WatchSnapshot> {
    const now = this.#deps.clock.monotonicMs();
    kept.touchedAt = now;
    if (kept.look !== null && now - kept.lookedAt < TICK_MS) return kept.look;
    kept.lookedAt = now;
    kept.look = this.#measured(kept);
    return kept.look;
  }

  async #measured({ followed, meter }: Kept): Promise<WatchSnapshot> {
    await followed.refresh();
    const snapshot = await snapshotOf(this.#deps.reads, followed, this.#deps.clock.wallMs());
    const { counts, total, sent, phase } = snapshot;
    if (phase !== 'running') return snapshot;
    // What waits to be sent has another pace than what waits for its outcome.
    const pacedAs = counts.waiting > 0 ? 'sending' : 'waiting for outcomes';
    meter.measure({ phase: pacedAs, counts, sent, total }, this.#deps.clock.monotonicMs());
    return { ...snapshot, pace: meter.pace() };
  }

  /** Gives the memory back when nobody has looked for a while. */
  async #forget(runId: string, kept: Kept): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      const leftMs = kept.touchedAt + LINGER_MS - clock.monotonicMs();
      if (leftMs <= 0 && kept.viewers === 0) return this.#drop(runId, kept);
      await clock.sleep(Math.max(leftMs, TICK_MS), this.#closing.signal);
      if (this.#closing.signal.aborted || this.#kept.get(runId) !== kept) return;
    }
  }

  #makeRoom(): void {
    const idle = [...this.#kept].filter(([, { viewers }]) => viewers === 0);
    idle.sort(([, one], [, other]) => other.touchedAt - one.touchedAt);
    let rows = 0;
    for (const [at, [runId, kept]] of idle.entries()) {
      rows += kept.followed.run.rows.length;
      if (at + 1 >= IDLE_MAX || rows > IDLE_ROWS_MAX) this.#drop(runId, kept);
    }
  }

  #drop(runId: string, kept: Kept): void {
    if (this.#kept.get(runId) === kept) this.#kept.delete(runId);
  }
}
