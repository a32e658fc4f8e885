import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { assert, Refusal } from '../../../domain/refusal.ts';
import type { StoreFault } from '../../../domain/refusals/page-reasons.ts';
import type { Clock } from '../../../platform/clock.ts';
import {
  type Database,
  openDatabase,
  type Row,
  type Statement,
  sqliteCode,
  type Value,
} from '../../../platform/sqlite.ts';
import { ElapsedClock } from './elapsed-clock.ts';
import { LocalFiles, makePageFolder } from './page-files.ts';
import { PageStore } from './page-store.ts';
import { MIGRATIONS } from './sqlite-migrations.ts';

/** `PayW` in ASCII, in SQLite's header field for the kind of application. */
const APPLICATION_ID = 0x50617957;

/** A journal's lock is waited for by the database itself; the switch to WAL answers busy at once. */
const WAL_ATTEMPTS_MAX = 20;

/** What lasts no longer than the process: kept in memory, in tables of this connection. Times are those of `PageStore.now`. */
const IN_MEMORY = `
PRAGMA temp_store = MEMORY;

CREATE TEMP TABLE session (
  token_hash text PRIMARY KEY,
  person_id text NOT NULL,
  -- Encrypted with the token, which is kept nowhere: what opens the person's key.
  passphrase text NOT NULL,
  begun_at integer NOT NULL,
  seen_at integer NOT NULL,
  -- What a passkey was asked to sign last in this browser (JSON), and a link to be shown once, encrypted with the token.
  challenge text,
  new_link text,
  -- 1 while the password or the second factor is still to be proven.
  is_half integer NOT NULL,
  -- What the provider said of who signed in there (JSON), encrypted with the token.
  provider text,
  -- The entity that lists are narrowed to; null for all.
  entity_id text,
  mode text CHECK (mode IN ('live', 'test'))
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE attempt (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  at integer NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE work (
  key text PRIMARY KEY,
  claim text NOT NULL,
  what text NOT NULL,
  until integer NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE planning (
  upload_id text PRIMARY KEY,
  at integer NOT NULL,
  choices text NOT NULL,
  outcome text
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE refused_act (
  run_id text PRIMARY KEY,
  n integer NOT NULL,
  why text NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** One connection, of one process. Tables are STRICT, so a row has the types of its columns. */
class SqliteStore extends PageStore {
  readonly folder: string;
  readonly files: LocalFiles;
  readonly isShared = false;
  readonly #database: Database;
  readonly #clock: ElapsedClock;
  readonly #prepared = new Map<string, Statement>();
  /** Of whatever runs inside a transaction. */
  readonly #inside = new AsyncLocalStorage<{ isOpen: boolean }>();
  /** Resolves when the transaction that is open has ended; null where none is. */
  #ending: Promise<void> | null = null;

  constructor(database: Database, folder: string, clock: Clock) {
    super();
    this.#database = database;
    this.folder = folder;
    this.files = new LocalFiles(folder);
    this.#clock = new ElapsedClock(clock);
  }

  async all<Found = Row>(sql: string, ...values: Value[]): Promise<Found[]> {
    return this.#inTurn(() => this.#statement(sql).all(...values) as Found[]);
  }

  async run(sql: string, ...values: Value[]): Promise<number> {
    return this.#inTurn(() => Number(this.#statement(sql).run(...values).changes));
  }

  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isInside) return work();
    const { promise, resolve } = Promise.withResolvers<void>();
    await this.#inTurn(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      this.#ending = promise;
    });
    const inside = { isOpen: true };
    try {
      const result = await this.#inside.run(inside, work);
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    } finally {
      inside.isOpen = false;
      this.#ending = null;
      resolve();
    }
  }

  async now(): Promise<number> {
    return this.#clock.now();
  }

  async close(): Promise<void> {
    await this.#inTurn(() => this.#database.close());
  }

  get #isInside(): boolean {
    return this.#inside.getStore()?.isOpen === true;
  }

  /** Does it once nobody else's transaction is open: what that wrote is not to be read before it is certain. */
  async #inTurn<Result>(work: () => Result): Promise<Result> {
    while (this.#ending !== null && !this.#isInside) await this.#ending;
    return work();
  }

  #statement(sql: string): Statement {
    const known = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }
}

/**
 * Opens `<data-dir>/web/web.db`, and makes it where there is none: only its owner may read it. Throws a `Refusal` of kind
 * `usage` for a file that cannot be used, or that a newer payrun made.
 */
export function openSqliteStore(dataDir: string, clock: Clock): PageStore {
  const path = sqliteStorePath(dataDir);
  try {
    const folder = makePageFolder(dataDir);
    makeOwn(path);
    const database = openDatabase(path);
    settle(database, path);
    return new SqliteStore(database, folder, clock);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const isFileError = error instanceof Error && 'code' in error;
    if (!isFileError && sqliteCode(error) === null) throw error;
    throw unusable(path, { why: 'unreadable', cause: error instanceof Error ? error.message : String(error) });
  }
}

/** Where it is, or would be. */
export function sqliteStorePath(dataDir: string): string {
  return join(dataDir, 'web', 'web.db');
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
    database.exec(IN_MEMORY);
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
