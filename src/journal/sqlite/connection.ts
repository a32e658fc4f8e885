import { Refusal } from '../../domain/refusal.ts';
import {
  BUSY,
  CORRUPT,
  type Database,
  NOT_A_DATABASE,
  type Row,
  type Statement,
  sqliteCode,
  type Value,
} from '../../platform/sqlite.ts';
import { CommitUncertain, JournalDamaged, JournalLost, JournalUnreadable } from '../errors.ts';
import { type Answer, type Insertion, inOneTurn, type Statement as Step, type Steps } from '../tables/steps.ts';
import type { OpenedFiles } from './opened-files.ts';

/** Rows of one INSERT: each takes two thirds of the time of one that has an INSERT of its own. */
const ROWS_OF_STATEMENT = 8;

/**
 * The journal's database. Reads that fail throw `JournalUnreadable` or `JournalDamaged`; writes fail as SQLite does.
 *
 * After a transaction that leaves open what is on disk none ever runs again. An fsync that failed once may succeed the next
 * time although the pages are lost (https://wiki.postgresql.org/wiki/Fsync_Errors), so going on would build on what may
 * not be there.
 */
export class Connection {
  readonly #database: Database;
  /** Null where nothing is written. */
  readonly #files: OpenedFiles | null;
  readonly #statements = new Map<string, Statement>();
  #failure: JournalLost | null = null;

  constructor(database: Database, files: OpenedFiles | null) {
    this.#database = database;
    this.#files = files;
  }

  /** A row that is asked for outside of the journal's own steps. */
  get(sql: string): Row | undefined {
    return reading(() => this.#statement(sql).get());
  }

  read<Result>(work: () => Steps<Result>): Result {
    return inOneTurn(work(), this.#answer);
  }

  /** One consistent view over several reads. */
  snapshot<Result>(work: () => Steps<Result>): Result {
    reading(() => this.#database.exec('BEGIN'));
    try {
      return this.read(work);
    } finally {
      reading(() => this.#database.exec('COMMIT'));
    }
  }

  /**
   * What `work` returns, once it is on disk. What `work` throws, once it is undone: nothing was written. Nobody else writes
   * meanwhile, whatever the lock is. Throws `Refusal` of kind `held` where another process kept the write lock throughout,
   * and `CommitUncertain` where the database failed, or `Deposed` where its files were replaced or altered beneath it: then,
   * and from then on.
   */
  write<Result>(_lock: unknown, work: () => Steps<Result>): Result {
    if (this.#failure) throw this.#failure;
    this.#require(() => this.#files?.requireWhole());
    this.#begin();
    let result: Result;
    try {
      result = this.read(work);
      this.#require(() => this.#files?.requireInPlace());
    } catch (error) {
      if (sqliteCode(error) !== null || error instanceof JournalUnreadable) throw this.#fail(error);
      this.#end('ROLLBACK');
      throw error;
    }
    this.#end('COMMIT');
    // Once more: the caller goes on to send what only the file at this path can show to others.
    this.#require(() => this.#files?.requireWhole());
    return result;
  }

  readonly #answer = (step: Step): Answer => {
    switch (step.kind) {
      case 'read':
        return { rows: reading(() => this.#statement(step.sql).all(...step.values)), changed: 0 };
      case 'change':
        return { rows: [], changed: Number(this.#statement(step.sql).run(...step.values).changes) };
      case 'insert':
        return { rows: [], changed: this.#insert(step) };
    }
  };

  #insert({ into, columns, rows, conflict = '' }: Insertion): number {
    const places = `(${columns.map(() => '?').join(', ')})`;
    const statementOf = (count: number): Statement =>
      this.#statement(
        `INSERT INTO ${into} (${columns.join(', ')}) VALUES ${Array(count).fill(places).join(', ')} ${conflict}`,
      );
    let changed = 0;
    let waiting: (readonly Value[])[] = [];
    for (const row of rows) {
      if (waiting.push(row) < ROWS_OF_STATEMENT) continue;
      changed += Number(statementOf(ROWS_OF_STATEMENT).run(...waiting.flat()).changes);
      waiting = [];
    }
    for (const row of waiting) changed += Number(statementOf(1).run(...row).changes);
    return changed;
  }

  /** Whether the files are the ones that were opened, and hold what was written; nothing is committed to others. */
  areFilesWhole(): boolean {
    if (this.#failure !== null) return false;
    try {
      this.#require(() => this.#files?.requireStillWhole());
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#files?.close();
    this.#database.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = reading(() => this.#database.prepare(sql));
    this.#statements.set(sql, statement);
    return statement;
  }

  #require(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.#failure = error instanceof JournalLost ? error : new JournalUnreadable(error);
      throw this.#failure;
    }
  }

  #begin(): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (sqliteCode(error) !== BUSY) throw this.#fail(error);
      throw new Refusal({ code: 'journal_locked' });
    }
  }

  #end(sql: 'COMMIT' | 'ROLLBACK'): void {
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
      // SQLite has rolled back on its own, or cannot; in both cases nothing is lost that was known.
    }
    return this.#failure;
  }
}

/** What `read` returns. Throws `JournalDamaged` where what is stored cannot be as it was written, else `JournalUnreadable`. */
function reading<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    // A number beyond 2^53.
    const isOutOfRange = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
    const code = sqliteCode(error);
    if (isOutOfRange || code === CORRUPT || code === NOT_A_DATABASE)
      throw new JournalDamaged({ code: 'file_damaged' }, { cause: error });
    throw code === null ? error : new JournalUnreadable(error);
  }
}
