import { Refusal } from '../../domain/refusal.ts';
import { BUSY, type Database, sqliteCode } from '../../platform/sqlite.ts';
import { CommitUncertain, Deposed, JournalUnreadable } from '../journal.ts';
import { reading } from './database.ts';
import type { OpenedFiles } from './opened-files.ts';

/**
 * Runs transactions until one fails in a way that leaves open what is on disk; after that none ever runs again. An
 * fsync that failed once may answer well the next time although the pages are lost
 * (https://wiki.postgresql.org/wiki/Fsync_Errors), so going on would build on what may not be there.
 */
export class Transactions {
  readonly #database: Database;
  readonly #files: OpenedFiles;
  #failure: CommitUncertain | Deposed | JournalUnreadable | null = null;

  constructor(database: Database, files: OpenedFiles) {
    this.#database = database;
    this.#files = files;
  }

  /**
   * What `work` returns, once it is on disk. What `work` throws, once it is undone: nothing was written. Throws
   * `Refusal` of kind `held` where another process kept the write lock throughout, and `CommitUncertain` where the
   * database failed, or `Deposed` where its files were replaced or altered beneath it: then, and from then on.
   */
  immediate<Result>(work: () => Result): Result {
    if (this.#failure) throw this.#failure;
    this.#require(() => this.#files.requireWhole());
    this.#begin();
    let result: Result;
    try {
      result = work();
      this.#require(() => this.#files.requireInPlace());
    } catch (error) {
      if (sqliteCode(error) !== null || error instanceof JournalUnreadable) throw this.#fail(error);
      this.#step('ROLLBACK');
      throw error;
    }
    this.#step('COMMIT');
    // Once more: whoever waits for this commit goes on to send what only the file at this path can tell others of.
    this.#require(() => this.#files.requireWhole());
    return result;
  }

  /** One consistent view over several reads. */
  snapshot<Result>(work: () => Result): Result {
    return inSnapshot(this.#database, work);
  }

  /** Whether the files are the ones that were opened, and hold what was written; nothing is committed to others. */
  areFilesWhole(): boolean {
    if (this.#failure !== null) return false;
    try {
      this.#require(() => this.#files.requireWhole());
      return true;
    } catch {
      return false;
    }
  }

  #require(look: () => void): void {
    try {
      look();
    } catch (error) {
      const isKnown = error instanceof Deposed || error instanceof JournalUnreadable;
      this.#failure = isKnown ? error : new JournalUnreadable(error);
      throw this.#failure;
    }
  }

  #begin(): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (sqliteCode(error) !== BUSY) throw this.#fail(error);
      throw new Refusal('held', 'another process keeps the journal locked', 'Wait until it is done, then try again.');
    }
  }

  #step(sql: 'COMMIT' | 'ROLLBACK'): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(cause: unknown): CommitUncertain {
    this.#failure = new CommitUncertain(cause);
    try {
      // Lets the next process have the lock while this one is still stopping.
      this.#database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself, or cannot; in both cases nothing is lost that was known.
    }
    return this.#failure;
  }
}

/** One consistent view over several reads of a database. */
export function inSnapshot<Result>(database: Database, work: () => Result): Result {
  reading(() => database.exec('BEGIN'));
  try {
    return work();
  } finally {
    reading(() => database.exec('COMMIT'));
  }
}
