import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../store/database.ts';
import type { Ledger } from './ledger.ts';

/** What becomes of a change that cannot take effect as it is. */
export type Ends<Result> = {
  /** After this moment of the machine's clock (Unix ms) it must not take effect any more. Default: it always may. */
  notAfterMs?: number;
  /** Takes the place of the change where that moment has passed. */
  late?(): Result;
  /** Takes its place where it threw: what it wrote is undone, and the other changes stand. Default: it is rejected. */
  crashed?(error: unknown): Result;
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

type Settle<Result> = { resolve(result: Result): void; reject(error: unknown): void };
type Waiting = Ends<unknown> & Settle<unknown> & { run(): unknown };

/** Passes a result on to the caller of a change, once it is durable. */
type Answer = () => void;

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

  /**
   * Carries out a change of the service's state: a function that reads and writes through the store, and cannot wait. It runs
   * inside a transaction, perhaps more than once, and what it wrote is durable when its result is given. Rejects with
   * `StoreFailed` where the transaction failed, then and for ever after.
   */
  submit<Result>(run: () => Result, ends: Ends<Result> = {}): Promise<Result> {
    return new Promise<Result>((resolve, reject) => this.#enqueue(run, ends, { resolve, reject }));
  }

  /** Carries out now whatever waits, so that nothing is under way when this returns. */
  drain(): void {
    while (this.#queue.length > 0) this.#flush();
  }

  /** The same for one change that has no deadline, after what waits already. Throws what it throws, or `StoreFailed`. */
  now<Result>(run: () => Result): Result {
    const outcomes: ({ result: Result } | { error: unknown })[] = [];
    const settle: Settle<Result> = {
      resolve: (result) => outcomes.push({ result }),
      reject: (error) => outcomes.push({ error }),
    };
    this.#enqueue(run, {}, settle);
    this.drain();
    const outcome = outcomes[0] ?? { error: this.#broken };
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /** Refuses everything from now on, because other data has taken the place of these. */
  close(): void {
    this.#broken ??= new StoreFailed(new Error('the data was replaced'));
  }

  #enqueue<Result>(run: () => Result, ends: Ends<Result>, settle: Settle<Result>): void {
    if (this.#broken) {
      settle.reject(this.#broken);
      return;
    }
    this.#queue.push({ ...ends, ...(settle as Settle<unknown>), run });
    if (this.#queue.length === 1) this.#clock.soon(() => this.#flush());
  }

  #flush(): void {
    if (this.#queue.length === 0) return;
    const batch = this.#queue.slice(0, BATCH_MAX);
    let answers: Answer[];
    try {
      answers = this.#commit(batch);
    } catch (error) {
      this.#stop(error);
      return;
    }
    this.#queue.splice(0, batch.length);
    if (this.#queue.length > 0) this.#clock.soon(() => this.#flush());
    for (const answer of answers) answer();
  }

  /**
   * The deadlines are looked at again immediately before COMMIT. Nothing else runs in this thread until COMMIT is done,
   * so a listing that is made after a request's deadline shows that request's effect, or it has none.
   * Each time round at least one more change is late, or one has thrown for the first time, so there are at most two
   * rounds more than changes.
   */
  #commit(batch: readonly Waiting[]): Answer[] {
    let late = this.#lateOnes(batch);
    // A savepoint has SQLite copy each page before its first change: only where a change is known to fail.
    let isGuarded = false;
    for (;;) {
      this.#store.run('BEGIN IMMEDIATE');
      const answers = this.#runAll(batch, late, isGuarded);
      const lateNow = answers === null ? late : this.#lateOnes(batch);
      if (answers !== null && lateNow.size === late.size) {
        this.#store.run('COMMIT');
        this.#ledger.committed();
        return answers;
      }
      this.#store.run('ROLLBACK');
      this.#ledger.undoTo(0);
      this.#ledger.committed();
      isGuarded ||= answers === null;
      late = lateNow;
    }
  }

  /** The answers to the changes, those that throw among them where they are guarded. Null where one has thrown. */
  #runAll(batch: readonly Waiting[], late: ReadonlySet<Waiting>, isGuarded: boolean): Answer[] | null {
    try {
      const answers = batch.map((change) => {
        if (isGuarded && !late.has(change)) return this.#runGuarded(change);
        const result = late.has(change) ? change.late?.() : change.run();
        return () => change.resolve(result);
      });
      this.#ledger.writeBalances();
      return answers;
    } catch (error) {
      if (isGuarded) throw error;
      return null;
    }
  }

  #lateOnes(batch: readonly Waiting[]): Set<Waiting> {
    const nowMs = this.#clock.wallMs();
    return new Set(batch.filter(({ notAfterMs = Infinity }) => nowMs > notAfterMs));
  }

  /** In a savepoint of its own: where it throws, what it wrote is undone and the others stand. */
  #runGuarded(change: Waiting): Answer {
    const mark = this.#ledger.mark();
    this.#store.run('SAVEPOINT change');
    try {
      const result = change.run();
      this.#store.run('RELEASE change');
      return () => change.resolve(result);
    } catch (error) {
      this.#store.run('ROLLBACK TO change');
      this.#store.run('RELEASE change');
      this.#ledger.undoTo(mark);
      this.#log.error({ error }, 'a change failed and was undone');
      if (!change.crashed) return () => change.reject(error);
      const result = change.crashed(error);
      return () => change.resolve(result);
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
