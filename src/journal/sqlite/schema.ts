import { assert, Refusal } from '../../domain/refusal.ts';
import { BUSY, type Database, sqliteCode } from '../../platform/sqlite.ts';
import { MIGRATIONS } from './migrations.ts';

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The schema that brought plans. */
export const PLANS_SINCE = 4;

/** The schema that brought projections. */
export const PROJECTIONS_SINCE = 8;

/** The schema that brought moves from one journal to another. */
export const MOVES_SINCE = 9;

/** The schema that brought holds of payees. */
export const HOLDS_SINCE = 10;

/** `PayR` in ASCII, in SQLite's header field for the kind of application (file(1) shows it). */
const APPLICATION_ID = 0x50617952;

/**
 * Refuses a file that is not a journal, or that a newer payrun made, before anything in it is changed. Throws
 * `Refusal` of kind `usage`. Returns the file's schema version, 0 for an empty one.
 */
export function checkSchema(database: Database, path: string): number {
  const { application, version, objects } = readSchema(database);
  const empty = application === 0 && version === 0 && objects === 0;
  if (application !== APPLICATION_ID && !empty)
    throw new Refusal({ code: 'journal_of_another_program', path, isDatabase: false });
  if (version > SCHEMA_VERSION)
    throw new Refusal({ code: 'journal_newer', path, isDatabase: false, version, known: SCHEMA_VERSION });
  return version;
}

/** Brings the schema up to date in one transaction. Two processes may do this at once: the second finds it done. */
export function migrate(database: Database, path: string): void {
  if (readSchema(database).version === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    checkSchema(database, path);
    const { version } = readSchema(database);
    for (const sql of MIGRATIONS.slice(version)) database.exec(sql);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (error) {
    database.close();
    throw error;
  }
}

function readSchema(database: Database): { application: number; version: number; objects: number } {
  // In one statement, and so at one moment: another process may be making the journal.
  const sql = `SELECT application_id AS application, user_version AS version,
    (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_application_id, pragma_user_version`;
  const { application, version, objects } = database.prepare(sql).get() ?? {};
  assert(
    typeof application === 'number' && typeof version === 'number' && typeof objects === 'number',
    'SQLite gave no schema version',
  );
  return { application, version, objects };
}

/** 3.51.3 fixed a fault of WAL that could corrupt the file: https://www.sqlite.org/wal.html#walresetbug */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;

/** Two processes may make the journal at once: the switch to WAL answers busy without waiting, so it is tried again. */
const WAL_ATTEMPTS_MAX = 20;

/**
 * Set, then read back: `synchronous` 2 is FULL, which lost nothing at a power cut in our tests where NORMAL lost every
 * acknowledged commit. `fullfsync` matters on macOS, whose fsync leaves data in the drive's cache. A checkpoint each
 * 1,000 pages keeps each pause at some milliseconds, and the file beside is cut after a large transaction.
 */
const SETTINGS: Readonly<Record<string, number>> = {
  synchronous: 2,
  fullfsync: 1,
  checkpoint_fullfsync: 1,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
  wal_autocheckpoint: 1_000,
  journal_size_limit: 64 * 1024 * 1024,
};

/** Throws a `Refusal` where this SQLite may not be used. */
export function checkVersion(database: Database): void {
  const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version);
  const parts = version.split('.').map(Number);
  for (const [index, least] of SQLITE_VERSION_MIN.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) throw new Refusal({ code: 'sqlite_too_old', version, needed: SQLITE_VERSION_MIN.join('.') });
  }
}

/** Throws a `Refusal` where the database does not take them. */
export function applySettings(database: Database, path: string): void {
  switchToWal(database, path);
  for (const [name, value] of Object.entries(SETTINGS)) {
    database.exec(`PRAGMA ${name} = ${value}`);
    const [actual] = Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {});
    if (actual === value) continue;
    throw new Refusal({ code: 'sqlite_setting_refused', name, value, actual: String(actual) });
  }
}

function switchToWal(database: Database, path: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
      if (mode === 'wal') return;
      throw new Refusal({ code: 'journal_not_on_local_disk', path });
    } catch (error) {
      if (sqliteCode(error) !== BUSY || attempt === WAL_ATTEMPTS_MAX) throw error;
    }
    // This, unlike the switch, waits until the other process is done.
    database.exec('BEGIN IMMEDIATE; COMMIT');
  }
}
