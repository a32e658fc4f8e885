import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { Refusal } from '../../domain/refusal.ts';
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
import { CommitUncertain, JournalDamaged, JournalUnreadable } from '../errors.ts';
import type { JournalReader, RunSummary } from '../journal.ts';
import { type JournalOptions, leaseMsOf } from '../options.ts';
import { holdsAfter } from '../tables/holds.ts';
import { requireHere } from '../tables/moves.ts';
import { Projections } from '../tables/projections.ts';
import { Runs } from '../tables/runs.ts';
import { Connection } from './connection.ts';
import { SqliteJournal, type SqliteJournalParts } from './journal.ts';
import { OpenedFiles } from './opened-files.ts';
import {
  applySettings,
  checkSchema,
  checkVersion,
  HOLDS_SINCE,
  MOVES_SINCE,
  migrate,
  PLANS_SINCE,
  PROJECTIONS_SINCE,
} from './schema.ts';

export type SqliteOptions = JournalOptions & {
  /** The file. Its directory is made, with mode 0700, where it does not exist. Never on a network file system. */
  path: string;
  /** For tests that let a database fail. */
  openDatabase?(path: string): Database;
};

/**
 * Opens the journal at `path`, and makes it where there is none. Throws `Refusal` of kind `usage` for a file that is
 * not a journal of this version or may not be used safely, of kind `held` where another process keeps it locked, and
 * `JournalDamaged` for a file that is no database.
 */
export function openJournal(options: SqliteOptions): SqliteJournal {
  const leaseMs = leaseMsOf(options);
  makeFile(options.path);
  let database: Database | null = null;
  let files: OpenedFiles | null = null;
  try {
    files = new OpenedFiles(options.path);
    database = (options.openDatabase ?? openDatabase)(options.path);
    checkVersion(database);
    checkSchema(database, options.path);
    applySettings(database, options.path);
    migrate(database, options.path);
    const { clock, process: holder, isAlive, randomness } = options;
    const parts = { files, clock, holder, isAlive, leaseMs, randomness };
    const connection = new Connection(database, null);
    if (options.evenMoved !== true) connection.read(requireHere);
    files.noteLog(
      (sql) => connection.get(sql) ?? {},
      () => isContentWhole(options.path, parts),
    );
    const journal = new SqliteJournal({ database, ...parts });
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
    return new SqliteJournal({ ...parts, database }).isSound();
  } finally {
    closeQuietly(database);
  }
}

/**
 * Opens the journal at `path`, which is there, to be read only; null where nothing was written to it yet. Throws what
 * `openJournal` throws, and makes nothing but the two files beside the journal by which SQLite's processes coordinate.
 */
export function openToRead(path: string): JournalReader | null {
  let database: Database | null = null;
  try {
    database = openDatabase(path, { readOnly: true });
    const db = new Connection(database, null);
    const version = checkSchema(database, path);
    if (db.get("SELECT 1 FROM sqlite_schema WHERE name = 'entry'") === undefined) {
      db.close();
      return null;
    }
    if (version >= MOVES_SINCE) db.read(requireHere);
    const runs = new Runs({ hasPlans: version >= PLANS_SINCE });
    const projections = new Projections(db, runs, version >= PROJECTIONS_SINCE);
    const isMeant = ({ isPlanned }: RunSummary) => !isPlanned;
    return {
      listStartedRuns: async (limit) => db.snapshot(() => runs.newest({ limit, isMeant })),
      payoutsOf: (runId) => projections.payoutsOf(runId),
      payeeHolds: { after: async (n) => (version >= HOLDS_SINCE ? db.read(() => holdsAfter(n)) : []) },
      close: async () => db.close(),
    };
  } catch (error) {
    if (database) closeQuietly(database);
    throw openingError(error, path);
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
  // The log before the file: another process that makes this journal now writes the file first.
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const state = lstatSync(path);
  if (!state.isFile()) throw new Refusal({ code: 'journal_not_a_file', path });
  // SQLite would take the file for a new one, and delete the log, which may hold all that is left.
  if (state.size === 0 && hasLog) throw new JournalDamaged({ code: 'cut_short', path });
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

function openingError(thrown: unknown, path: string): unknown {
  const isWrapped = [JournalUnreadable, JournalDamaged, CommitUncertain].some((kind) => thrown instanceof kind);
  const error = isWrapped && thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  switch (sqliteCode(error)) {
    case BUSY:
      return new Refusal({ code: 'journal_locked' });
    case CORRUPT:
    case NOT_A_DATABASE:
      return new JournalDamaged({ code: 'no_journal', path }, { cause: error });
    case IO_FAILED:
    case FULL:
      return new Refusal({ code: 'journal_disk_failed', path, cause: messageOf(error) });
    case null:
      return error;
    default:
      return notUsable(path, error);
  }
}

function notUsable(path: string, cause: unknown): Refusal {
  return new Refusal({ code: 'journal_not_usable', path, cause: messageOf(cause) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function closeQuietly(database: Database): void {
  try {
    database.close();
  } catch {
    // It is closed already, or the error that is on its way says more.
  }
}
