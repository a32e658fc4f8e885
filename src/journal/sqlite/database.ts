import { DatabaseSync } from 'node:sqlite';
import { JournalDamaged, JournalUnreadable } from '../journal.ts';

export type Value = null | number | bigint | string | Uint8Array;
export type Row = Record<string, Value>;

/** The little that the journal asks of a database: tests put a failing one in between. */
export type Database = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
};

export type Statement = {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
};

/** How long a statement waits for another process's lock. It blocks this process, so it is well under a lease. */
const BUSY_TIMEOUT_MS = 5_000;

export function openDatabase(
  path: string,
  { readOnly = false, timeoutMs = BUSY_TIMEOUT_MS }: { readOnly?: boolean; timeoutMs?: number } = {},
): Database {
  return new DatabaseSync(path, {
    readOnly,
    timeout: timeoutMs,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    allowExtension: false,
  });
}

/** SQLite's result code of an error (the primary code, without the extension), or null for another error. */
export function sqliteCode(error: unknown): number | null {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
  return typeof code === 'number' ? code & 0xff : null;
}

/** SQLITE_BUSY: another process holds the lock. */
export const BUSY = 5;
/** SQLITE_IOERR: a read, a write or a sync failed. */
export const IO_FAILED = 10;
/** SQLITE_CORRUPT: a page is not what SQLite wrote. */
export const CORRUPT = 11;
/** SQLITE_FULL: there is no room on the disk. */
export const FULL = 13;
/** SQLITE_NOTADB: the file is no database. */
export const NOT_A_DATABASE = 26;

/** What `read` returns. What keeps SQLite from reading is `JournalUnreadable`, and what cannot be as it was written `JournalDamaged`. */
export function reading<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    // A number beyond 2^53.
    const isOutOfRange = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
    const code = sqliteCode(error);
    if (isOutOfRange || code === CORRUPT || code === NOT_A_DATABASE)
      throw new JournalDamaged("the journal's file is damaged", { cause: error });
    throw code === null ? error : new JournalUnreadable(error);
  }
}

/** The database, whose reads fail as `reading` says: none can end a process as a bug. Writes fail as SQLite says. */
export function guarded(database: Database): Database {
  return {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare(sql) {
      const statement = reading(() => database.prepare(sql));
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => reading(() => statement.get(...values)),
        all: (...values) => reading(() => statement.all(...values)),
      };
    },
  };
}
