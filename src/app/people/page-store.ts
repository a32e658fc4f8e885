import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { StoreFault } from '../../domain/refusals/page-reasons.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import {
  type Database,
  openDatabase,
  type Row,
  type Statement,
  sqliteCode,
  type Value,
} from '../../platform/sqlite.ts';
import { MIGRATIONS } from './migrations.ts';

/** `PayW` in ASCII, in SQLite's header field for the kind of application. */
const APPLICATION_ID = 0x50617957;

/** A journal's lock is waited for by the database itself; the switch to WAL answers busy at once. */
const WAL_ATTEMPTS_MAX = 20;

/** What the page keeps of its own: people, passkeys, the audit log, uploads. Tables are STRICT, so a row has the types of its columns. */
export class WebStore {
  readonly folder: string;
  readonly #database: Database;
  readonly #prepared = new Map<string, Statement>();
  #isInTransaction = false;

  constructor(database: Database, folder: string) {
    this.#database = database;
    this.folder = folder;
  }

  all<Found = Row>(sql: string, ...values: Value[]): Found[] {
    return this.#statement(sql).all(...values) as Found[];
  }

  get<Found = Row>(sql: string, ...values: Value[]): Found | undefined {
    return this.#statement(sql).get(...values) as Found | undefined;
  }

  /** How many rows changed. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Adds a row. The names of the table and its columns are ours. */
  insert(table: string, row: Readonly<Record<string, Value>>): void {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...Object.values(row));
  }

  /** All of `work` or nothing of it; on disk when this returns. One inside another is part of that one. */
  transaction<Result>(work: () => Result): Result {
    if (this.#isInTransaction) return work();
    this.#database.exec('BEGIN IMMEDIATE');
    this.#isInTransaction = true;
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    } finally {
      this.#isInTransaction = false;
    }
  }

  close(): void {
    this.#database.close();
  }

  #statement(sql: string): Statement {
    const known = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }
}

/** What a table of the page needs. */
export type Inside = { store: WebStore; clock: Pick<Clock, 'wallMs'>; randomness: Randomness };

/**
 * Opens `<data-dir>/web/web.db`, and makes it where there is none: only its owner may read it. Throws a `Refusal` of kind
 * `usage` for a file that cannot be used, or that a newer payrun made.
 */
export function openWebStore(dataDir: string): WebStore {
  const path = webStorePath(dataDir);
  try {
    const folder = makeWebFolder(dataDir);
    for (const made of ['uploads', 'keys']) mkdirSync(join(folder, made), { recursive: true, mode: 0o700 });
    makeOwn(path);
    const database = openDatabase(path);
    settle(database, path);
    return new WebStore(database, folder);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const isFileError = error instanceof Error && 'code' in error;
    if (!isFileError && sqliteCode(error) === null) throw error;
    throw unusable(path, { why: 'unreadable', cause: error instanceof Error ? error.message : String(error) });
  }
}

/** Where it is, or would be. */
export function webStorePath(dataDir: string): string {
  return join(dataDir, 'web', 'web.db');
}

/** The folder of all that is the page's alone. */
export function makeWebFolder(dataDir: string): string {
  const folder = join(dataDir, 'web');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** For its mode, before SQLite makes it. One that exists is not opened here: that would drop this process's locks on it. */
function makeOwn(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function settle(database: Database, path: string): void {
  try {
    checkSchema(database, path);
    switchToWal(database, path);
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
    migrate(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}

function switchToWal(database: Database, path: string): void {
  for (let attempt = 1; attempt <= WAL_ATTEMPTS_MAX; attempt++) {
    try {
      if (database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode === 'wal') return;
      throw unusable(path, { why: 'no_wal' });
    } catch (error) {
      if (error instanceof Refusal || attempt === WAL_ATTEMPTS_MAX) throw error;
      database.exec('BEGIN IMMEDIATE; COMMIT');
    }
  }
}

function migrate(database: Database, path: string): void {
  if (versionOf(database) === MIGRATIONS.length) return;
  database.exec('BEGIN IMMEDIATE');
  // Another process may have done it meanwhile.
  checkSchema(database, path);
  for (const sql of MIGRATIONS.slice(versionOf(database))) database.exec(sql);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
}

function checkSchema(database: Database, path: string): void {
  const application = database.prepare('PRAGMA application_id').get()?.application_id;
  const objects = database.prepare('SELECT count(*) AS objects FROM sqlite_schema').get()?.objects;
  const version = versionOf(database);
  if (application !== APPLICATION_ID && (application !== 0 || objects !== 0))
    throw unusable(path, { why: 'another_program' });
  if (version > MIGRATIONS.length)
    throw unusable(path, { why: 'newer', versions: { found: version, known: MIGRATIONS.length } });
}

function versionOf(database: Database): number {
  const version = database.prepare('PRAGMA user_version').get()?.user_version;
  assert(typeof version === 'number', 'SQLite gave no schema version');
  return version;
}

function unusable(path: string, fault: StoreFault): Refusal {
  return new Refusal({ code: 'page_store_unusable', path, ...fault });
}

const CHARACTERS = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** What a person, an upload or a folder is known by: 80 random bits, in letters that any file system keeps apart. */
export function randomId(randomness: Randomness): string {
  let id = '';
  for (const byte of randomness.bytes(CHARACTERS)) id += ALPHABET.charAt(byte & 31);
  return id;
}
