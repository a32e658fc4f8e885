import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { Clock, Randomness } from '../../domain/clock.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import {
  BUSY,
  CORRUPT,
  type Database,
  FULL,
  IO_FAILED,
  NOT_A_DATABASE,
  openDatabase,
  sqliteCode,
} from '../../platform/sqlite.ts';
import { CommitUncertain, type Holder, type Journal, JournalDamaged, JournalUnreadable } from '../journal.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import { guarded } from './database.ts';
import { SqliteJournal, type SqliteJournalParts } from './journal.ts';
import { OpenedFiles } from './opened-files.ts';
import { checkSchema, migrate } from './schema.ts';

export type JournalOptions = {
  /** The file. Its directory is made, with mode 0700, where it does not exist. Never on a network file system. */
  path: string;
  clock: Clock;
  /** For the ids of leases. */
  randomness: Randomness;
  /** This process, as the leases that it takes name it. */
  process: ProcessIdentity;
  /** Whether a lease's holder may still run; what cannot be known counts as alive. */
  isAlive(holder: Holder): boolean;
  /** How long a lease lasts without being put off. Default 30 s. */
  leaseMs?: number;
  /** For tests that let a database fail. */
  openDatabase?(path: string): Database;
};

/** 3.51.3 mended a fault of WAL that could corrupt the file: https://www.sqlite.org/wal.html#walresetbug */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;

const LEASE_DEFAULT_MS = 30_000;

/** Two processes may make the journal at once: the switch to WAL answers busy without waiting, so it is tried again. */
const WAL_ATTEMPTS_MAX = 20;

/**
 * Set, then read back: `synchronous` 2 is FULL, which lost nothing at a power cut in our tests where NORMAL lost every
 * acknowledged commit. `fullfsync` matters on macOS, whose fsync leaves data in the drive's cache. A checkpoint each
 * 1,000 pages keeps each pause at some milliseconds, and the file beside is cut after a large transaction.
 */
const SETTINGS: readonly { name: string; value: number }[] = [
  { name: 'synchronous', value: 2 },
  { name: 'fullfsync', value: 1 },
  { name: 'checkpoint_fullfsync', value: 1 },
  { name: 'foreign_keys', value: 1 },
  { name: 'trusted_schema', value: 0 },
  { name: 'cell_size_check', value: 1 },
  { name: 'wal_autocheckpoint', value: 1_000 },
  { name: 'journal_size_limit', value: 64 * 1024 * 1024 },
];

/**
 * Opens the journal at `path`, and makes it where there is none. Throws `Refusal` of kind `usage` for a file that is
 * not a journal of this version or may not be used safely, of kind `held` where another process keeps it locked, and
 * `JournalDamaged` for a file that is no database.
 */
export function openJournal(options: JournalOptions): Journal {
  const leaseMs = options.leaseMs ?? LEASE_DEFAULT_MS;
  assert(Number.isSafeInteger(leaseMs) && leaseMs > 0, 'a lease lasts a whole number of milliseconds');
  makeFile(options.path);
  let database: Database | null = null;
  let files: OpenedFiles | null = null;
  try {
    files = new OpenedFiles(options.path);
    database = (options.openDatabase ?? openDatabase)(options.path);
    checkVersion(database);
    checkSchema(database, options.path);
    switchToWal(database, options.path);
    for (const setting of SETTINGS) applySetting(database, setting);
    migrate(database, options.path);
    const { clock, process: holder, isAlive, randomness } = options;
    const parts = { files, clock, holder, isAlive, leaseMs, randomness };
    files.noteLog(database, () => isContentWhole(options.path, parts));
    const journal = new SqliteJournal({ database: guarded(database), ...parts });
    journal.bringUpToDate();
    return journal;
  } catch (error) {
    files?.close();
    if (database) closeQuietly(database);
    throw openingError(error, options.path);
  }
}

/** Through a connection of its own, whose cache holds nothing yet. */
function isContentWhole(path: string, parts: Omit<SqliteJournalParts, 'database'>): boolean {
  const database = openDatabase(path);
  try {
    const journal = new SqliteJournal({ ...parts, database: guarded(database) });
    return journal.whole.isSound();
  } finally {
    closeQuietly(database);
  }
}

/**
 * Makes the file before SQLite does, for its mode: it holds names and account numbers. An existing one is changed by
 * its path and never opened here, because closing any descriptor of a file drops this process's locks on it, and with
 * them the protection of a journal that is open already (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
function makeFile(path: string): void {
  makeDirectory(resolve(dirname(path)));
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notUsable(path, error);
  }
  const state = lstatSync(path);
  if (!state.isFile())
    throw new Refusal('usage', `${path} is not a file`, 'Name another data directory, or move what is there.', {
      path,
    });
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  // SQLite would take the file for a new one, and delete the log, which may hold all that is left.
  if (state.size === 0 && log !== undefined && log.size > 0)
    throw new JournalDamaged(`${path} is empty, and its write-ahead log (-wal) is not: it was cut short`);
  if ((state.mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    throw notUsable(path, error);
  }
}

/** A new directory's entry stands in its parent, which is synced too: else a power cut can take the whole journal. */
function makeDirectory(directory: string): void {
  try {
    const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let made = directory; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made));
  } catch (error) {
    throw notUsable(directory, error);
  }
}

function syncDirectory(directory: string): void {
  // Windows opens no directories and needs no such sync.
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function checkVersion(database: Database): void {
  const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version);
  const parts = version.split('.').map(Number);
  for (const [index, least] of SQLITE_VERSION_MIN.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least)
      throw new Refusal(
        'usage',
        `SQLite ${version} can damage a journal; ${SQLITE_VERSION_MIN.join('.')} or newer is needed`,
        'Use Node 24.15 or newer.',
        { version },
      );
  }
}

function switchToWal(database: Database, path: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
      if (mode === 'wal') return;
      throw new Refusal('usage', `${path} cannot be kept in WAL mode`, 'Name a data directory on a local disk.', {
        path,
      });
    } catch (error) {
      if (sqliteCode(error) !== BUSY || attempt === WAL_ATTEMPTS_MAX) throw error;
    }
    // This, unlike the switch, waits until the other process is done.
    database.exec('BEGIN IMMEDIATE; COMMIT');
  }
}

function applySetting(database: Database, { name, value }: { name: string; value: number }): void {
  database.exec(`PRAGMA ${name} = ${value}`);
  const row = database.prepare(`PRAGMA ${name}`).get() ?? {};
  const actual = Object.values(row)[0];
  if (actual === value) return;
  throw new Refusal(
    'usage',
    `SQLite keeps ${name} at ${actual} where the journal needs ${value}`,
    'Use the Node that payrun was installed with.',
    { name, value },
  );
}

export function openingError(thrown: unknown, path: string): unknown {
  const isWrapped = [JournalUnreadable, JournalDamaged, CommitUncertain].some((kind) => thrown instanceof kind);
  const error = isWrapped && thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  switch (sqliteCode(error)) {
    case BUSY:
      return new Refusal('held', `${path} is locked by another process`, 'Wait until it is done, then try again.', {
        path,
      });
    case CORRUPT:
    case NOT_A_DATABASE:
      return new JournalDamaged(`${path} is not a journal, or it is damaged`, { cause: error });
    case IO_FAILED:
    case FULL:
      return new Refusal(
        'person_needed',
        `${path} cannot be read or written: ${messageOf(error)}`,
        'Nothing was sent. Make room on the disk, or mend it; then try again.',
        { path },
      );
    case null:
      return error;
    default:
      return notUsable(path, error);
  }
}

function notUsable(path: string, cause: unknown): Refusal {
  return new Refusal(
    'usage',
    `${path} cannot be used: ${messageOf(cause)}`,
    'Name a data directory that you may write to.',
    { path },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function closeQuietly(database: Database): void {
  try {
    database.close();
  } catch {
    // It is closed already, or the error that is on its way says more.
  }
}
