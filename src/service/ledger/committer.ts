import type { Store } from '../store/database.ts';
import type { Clock, Log } from '../time/clock.ts';
import type { Ledger } from './ledger.ts';

/** A change of the service's state, as a function that reads and writes through the store and cannot wait. */
export type Change<Result> = {
  /** Runs inside a transaction; what it writes is durable when its result is given. May run more than once. */
  run(): Result;
  /** After this moment of the machine's clock (Unix ms) it must not take effect any more. Null: it always may. */
  notAfterMs: number | null;
  /** The result where that moment has passed; nothing was changed. */
  late(): Result;
  /** The result where `run` threw: what it wrote is undone, and the other changes stand. */
  crashed(error: unknown): Result;
};

/** The database refused a transaction as a whole. What it held is unknown, so the service stops. */
export class StoreFailed extends Error {
  constructor(cause: unknown) {
    super('the service could not write its data', { cause });
    this.name = 'StoreFailed';
  }
}

/** Changes in one transaction. More would make each wait longer, and save little: one sync is already shared by 256. */
const BATCH_MAX = 256;

type Waiting = Change<unknown> & { resolve(result: unknown): void; reject(error: Error): void };

/**
 * Group commit. Changes wait until the IO that is ready has been read, then all of them go into one transaction and so
 * share one sync of the disk, each in a savepoint of its own. Answers are given after COMMIT, never before.
 */
export class Committer {
  /** Resolves, once, when the database has failed. */
  readonly failed: Promise<StoreFailed>;
  readonly #store: Store;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #queue: Waiting[] = [];
  readonly #failure = Promise.withResolvers<StoreFailed>();
  #broken: StoreFailed | null = null;

  constructor(options: { store: Store; ledger: Ledger; clock: Clock; log: Log }) {
    this.#store = options.store;
    this.#ledger = options.ledger;
    this.#clock = options.clock;
    this.#log = options.log;
    this.failed = this.#failure.promise;
  }

  /** Rejects with `StoreFailed` where the transaction failed, then and for ever after. */
  submit<Result>(change: Change<Result>): Promise<Result> {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ ...change, resolve: resolve as (result: unknown) => void, reject });
      if (this.#queue.length === 1) this.#clock.soon(() => this.#flush());
    });
  }

  /** Carries out now whatever waits, so that nothing is under way when this returns. */
  drain(): void {
    while (this.#queue.length > 0) this.#flush();
  }

  /** The same for one change that has no deadline, after what waits already. Throws what it throws, or `StoreFailed`. */
  now<Result>(run: () => Result): Result {
    const kept: { outcome: { result: Result } | { error: unknown } | null } = { outcome: null };
    const keep = (outcome: { result: Result } | { error: unknown }): void => {
      kept.outcome = outcome;
    };
    this.submit<void>({
      run: () => keep({ result: run() }),
      notAfterMs: null,
      late: () => {},
      crashed: (error) => keep({ error }),
    }).catch((error: unknown) => keep({ error }));
    this.drain();
    const { outcome } = kept;
    if (outcome === null || 'error' in outcome) throw outcome?.error ?? this.#broken;
    return outcome.result;
  }

  /** Refuses everything from now on, because other data has taken the place of these. */
  close(): void {
    this.#broken ??= new StoreFailed(new Error('the data was replaced'));
  }

  #flush(): void {
    if (this.#queue.length === 0) return;
    const batch = this.#queue.slice(0, BATCH_MAX);
    let results: unknown[];
    try {
      results = this.#commit(batch);
    } catch (error) {
      this.#stop(error);
      return;
    }
    this.#queue.splice(0, batch.length);
    if (this.#queue.length > 0) this.#clock.soon(() => this.#flush());
    for (const [place, change] of batch.entries()) change.resolve(results[place]);
  }

  /**
   * The deadlines are looked at again immediately before COMMIT. Nothing else runs in this thread until COMMIT is done,
   * so whoever sees a listing that was made after a request's deadline sees that request's effect, or it has none.
   * Each time round at least one more change is late, or one has thrown for the first time, so there are at most two
   * rounds more than changes.
   */
  #commit(batch: readonly Waiting[]): unknown[] {
    let late = this.#lateOnes(batch);
    // A savepoint has SQLite copy each page before its first change: only where a change is known to fail.
    let isGuarded = false;
    for (;;) {
      this.#store.run('BEGIN IMMEDIATE');
      const results = this.#runAll(batch, late, isGuarded);
      const lateNow = results === null ? late : this.#lateOnes(batch);
      if (results !== null && lateNow.size === late.size) {
        this.#store.run('COMMIT');
        this.#ledger.committed();
        return results;
      }
      this.#store.run('ROLLBACK');
      this.#ledger.undoTo(0);
      this.#ledger.committed();
      isGuarded ||= results === null;
      late = lateNow;
    }
  }

  /** The results of the changes, those that throw among them where they are guarded. Null where one has thrown. */
  #runAll(batch: readonly Waiting[], late: ReadonlySet<Waiting>, isGuarded: boolean): unknown[] | null {
    try {
      const run = (change: Waiting): unknown => (isGuarded ? this.#runGuarded(change) : change.run());
      const results = batch.map((change) => (late.has(change) ? change.late() : run(change)));
      this.#ledger.writeBalances();
      return results;
    } catch (error) {
      if (isGuarded) throw error;
      return null;
    }
  }

  #lateOnes(batch: readonly Waiting[]): Set<Waiting> {
    const nowMs = this.#clock.wallMs();
    return new Set(batch.filter(({ notAfterMs }) => notAfterMs !== null && nowMs > notAfterMs));
  }

  /** In a savepoint of its own: where it throws, what it wrote is undone and the others stand. */
  #runGuarded(change: Waiting): unknown {
    const mark = this.#ledger.mark();
    this.#store.run('SAVEPOINT change');
    try {
      const result = change.run();
      this.#store.run('RELEASE change');
      return result;
    } catch (error) {
      this.#store.run('ROLLBACK TO change');
      this.#store.run('RELEASE change');
      this.#ledger.undoTo(mark);
      this.#log.error({ error }, 'a change failed and was undone');
      return change.crashed(error);
    }
  }

  #stop(error: unknown): void {
    this.#broken = new StoreFailed(error);
    try {
      this.#store.run('ROLLBACK');
    } catch {
      // The failure may have ended the transaction already. Nothing is read from here any more.
    }
    this.#log.error({ error }, 'the database failed: the service stops');
    for (const change of this.#queue.splice(0)) change.reject(this.#broken);
    this.#failure.resolve(this.#broken);
  }
}
