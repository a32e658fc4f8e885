import type { Clock, Log } from './clock.ts';
import type { Ledger } from './ledger.ts';
import type { Store } from './store/database.ts';

/** A change of the service's state, as a function that reads and writes through the store and cannot wait. */
export type Change<Result> = {
  /** Runs inside a transaction; what it writes is durable when its result is given. May run more than once. */
  run(): Result;
  /** After this moment of the service's clock (Unix ms) it must not take effect any more. Null: it always may. */
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

export type Committer = {
  /** Rejects with `StoreFailed` where the transaction failed, then and for ever after. */
  submit<Result>(change: Change<Result>): Promise<Result>;
  /** Changes that wait for their transaction. */
  readonly waiting: number;
  /** Resolves, once, when the database has failed. */
  readonly failed: Promise<StoreFailed>;
};

/** Changes in one transaction. More would make each wait longer, and save little: one sync is already shared by 256. */
const BATCH_MAX = 256;

type Waiting = Change<unknown> & { resolve(result: unknown): void; reject(error: Error): void };

/**
 * Group commit. Changes wait until the IO that is ready has been read, then all of them go into one transaction and so
 * share one sync of the disk, each in a savepoint of its own. Answers are given after COMMIT, never before.
 */
export function createCommitter(options: { store: Store; ledger: Ledger; clock: Clock; log: Log }): Committer {
  const { store, ledger, clock, log } = options;
  const queue: Waiting[] = [];
  const failure = Promise.withResolvers<StoreFailed>();
  let broken: StoreFailed | null = null;

  return {
    submit<Result>(change: Change<Result>) {
      if (broken) return Promise.reject(broken);
      return new Promise<Result>((resolve, reject) => {
        queue.push({ ...change, resolve: resolve as (result: unknown) => void, reject });
        if (queue.length === 1) clock.soon(flush);
      });
    },
    get waiting() {
      return queue.length;
    },
    failed: failure.promise,
  };

  function flush(): void {
    const batch = queue.slice(0, BATCH_MAX);
    let results: unknown[];
    try {
      results = commit(batch);
    } catch (error) {
      stop(error);
      return;
    }
    queue.splice(0, batch.length);
    if (queue.length > 0) clock.soon(flush);
    for (const [place, change] of batch.entries()) change.resolve(results[place]);
  }

  /**
   * The deadlines are looked at again immediately before COMMIT. Nothing else runs in this thread until COMMIT is done,
   * so whoever sees a listing that was made after a request's deadline sees that request's effect, or it has none.
   */
  function commit(batch: readonly Waiting[]): unknown[] {
    let late = lateOnes(batch);
    for (;;) {
      store.run('BEGIN IMMEDIATE');
      const results = batch.map((change) => (late.has(change) ? change.late() : runOne(change)));
      ledger.writeBalances();
      const lateNow = lateOnes(batch);
      if (lateNow.size === late.size) {
        store.run('COMMIT');
        ledger.committed();
        return results;
      }
      store.run('ROLLBACK');
      ledger.undoTo(0);
      ledger.committed();
      late = lateNow;
    }
  }

  function lateOnes(batch: readonly Waiting[]): Set<Waiting> {
    const nowMs = clock.wallMs();
    return new Set(batch.filter(({ notAfterMs }) => notAfterMs !== null && nowMs > notAfterMs));
  }

  function runOne(change: Waiting): unknown {
    const mark = ledger.mark();
    store.run('SAVEPOINT change');
    try {
      const result = change.run();
      store.run('RELEASE change');
      return result;
    } catch (error) {
      store.run('ROLLBACK TO change');
      store.run('RELEASE change');
      ledger.undoTo(mark);
      log.error({ error }, 'a change failed and was undone');
      return change.crashed(error);
    }
  }

  function stop(error: unknown): void {
    broken = new StoreFailed(error);
    try {
      store.run('ROLLBACK');
    } catch {
      // The failure may have ended the transaction already. Nothing is read from here any more.
    }
    log.error({ error }, 'the database failed: the service stops');
    for (const change of queue.splice(0)) change.reject(broken);
    failure.resolve(broken);
  }
}
