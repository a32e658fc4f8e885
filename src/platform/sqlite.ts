import { backup, DatabaseSync } from 'node:sqlite';

export type Value = null | number | bigint | string | Uint8Array;
export type Row = Record<string, Value>;

/** The little that is asked of a database: tests put a failing one in between. */
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

/** All pages in one step: a copy that is made in several begins anew with each commit of another process. */
const ALL_PAGES = 2_147_483_647;

/** Copies a database, as it is at one moment, over an empty file; others may write to it meanwhile. */
export async function backUpDatabase(path: string, to: string): Promise<void> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await backup(database, to, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
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
