import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { BUSY, sqliteCode } from '../../platform/sqlite.ts';
import { openDatabase, type Store } from './database.ts';
import { checkSchema, migrate, ServiceDataUnusable } from './schema.ts';

export type OpenStore = {
  /** The database that is open now. */
  readonly store: Store;
  /** Empties the write-ahead log into the database. Throws where another program reads it and does not end. */
  emptyLog(): void;
  /**
   * Closes the database, whose log is empty, and opens in its place the one at `path`, which is closed and on the disk;
   * the file is moved. After a kill at any moment one of the two is there, whole.
   */
  replaceBy(path: string): void;
  /** Closes the database and then frees the directory for another process. */
  close(): void;
};

/** Another process has this service's data open. Two writers of balances held in memory would lose money. */
export class ServiceDataHeld extends Error {
  readonly directory: string;
  constructor(directory: string) {
    super(`another process has the service's data in ${directory} open`);
    this.name = 'ServiceDataHeld';
    this.directory = directory;
  }
}

/**
 * Set, then read back: `synchronous` 2 is FULL, which loses no acknowledged commit at a power cut where NORMAL lost
 * every one in our tests. `fullfsync` is for macOS, whose fsync leaves data in the drive's cache.
 */
const SETTINGS: readonly { name: string; value: number }[] = [
  { name: 'synchronous', value: 2 },
  { name: 'fullfsync', value: 1 },
  { name: 'checkpoint_fullfsync', value: 1 },
  { name: 'foreign_keys', value: 1 },
  { name: 'trusted_schema', value: 0 },
  { name: 'cell_size_check', value: 1 },
  { name: 'cache_size', value: -65_536 },
  { name: 'wal_autocheckpoint', value: 2_000 },
  { name: 'journal_size_limit', value: 64 * 1024 * 1024 },
];

/** The service's files below the data directory. */
export function servicePaths(dataDir: string) {
  const directory = resolve(dataDir, 'service');
  return {
    directory,
    database: join(directory, 'service.db'),
    lock: join(directory, 'service.lock'),
    signingKey: join(directory, 'signing-key.pem'),
    snapshots: join(directory, 'snapshots'),
    restoring: join(directory, 'restoring.db'),
    listening: join(directory, 'listening.json'),
    webhookKey: join(directory, 'webhook-key.pem'),
  };
}

/**
 * Opens the service's data and makes it where there is none. Throws `ServiceDataHeld` where another process has it
 * open, and `ServiceDataUnusable` for a file of another program or of a newer payrun.
 */
export function openStore(dataDir: string): OpenStore {
  const paths = servicePaths(dataDir);
  makeDirectory(paths.directory);
  makeFile(paths.lock);
  const hold = holdDirectory(paths.directory, paths.lock);
  try {
    // Left by a restore that was killed: the data is as it was before it.
    for (const rest of ['', '-journal']) rmSync(`${paths.restoring}${rest}`, { force: true });
    makeFile(paths.database);
    let store = openForService(paths.database);
    return {
      get store() {
        return store;
      },
      emptyLog: () => emptyLog(store, paths.database),
      replaceBy(path) {
        store.close();
        // Another database under the same name would take a log for its own; this one is empty, and goes with the old.
        for (const rest of ['-wal', '-shm']) rmSync(`${paths.database}${rest}`, { force: true });
        renameSync(path, paths.database);
        syncDirectory(paths.directory);
        store = openForService(paths.database);
      },
      close() {
        store.close();
        hold.release();
      },
    };
  } catch (error) {
    hold.release();
    throw error;
  }
}

/**
 * Takes the one place for a service in `directory`, or throws `ServiceDataHeld` at once. The lock is SQLite's own, by
 * an open transaction on a file with nothing in it, so the kernel frees it with the process, also after SIGKILL, and it
 * holds between two services in one process.
 */
function holdDirectory(directory: string, path: string): { release(): void } {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw sqliteCode(error) === BUSY ? new ServiceDataHeld(directory) : error;
  }
  return { release: () => database.close() };
}

function openForService(path: string): Store {
  const store = openDatabase(path);
  try {
    checkSchema(store, path);
    switchToWal(store, path);
    for (const setting of SETTINGS) applySetting(store, setting, path);
    migrate(store);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

function emptyLog(store: Store, path: string): void {
  const { busy } = store.get('PRAGMA wal_checkpoint(TRUNCATE)') ?? {};
  if (busy !== 0) throw new ServiceDataUnusable(path, 'is being read by another program, which does not end');
}

function switchToWal(store: Store, path: string): void {
  if (store.get('PRAGMA journal_mode = WAL')?.journal_mode === 'wal') return;
  throw new ServiceDataUnusable(path, 'cannot be kept in WAL mode; the data directory has to be on a local disk');
}

function applySetting(store: Store, { name, value }: { name: string; value: number }, path: string): void {
  store.exec(`PRAGMA ${name} = ${value}`);
  const actual = Object.values(store.get(`PRAGMA ${name}`) ?? {})[0];
  if (actual !== value)
    throw new ServiceDataUnusable(path, `is kept with ${name} at ${actual} where ${value} is needed`);
}

/** Made before SQLite makes it, for its mode: names and account numbers are in it. */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The entry of a new directory stands in its parent, which is synced too: else a power cut can take everything. */
export function makeDirectory(directory: string): void {
  const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = directory; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made));
}

/** Puts the entries of a directory on the disk. Windows has no such call, and does it on its own. */
export function syncDirectory(directory: string): void {
  if (process.platform !== 'win32') sync(directory, 'r');
}

export function syncFile(path: string): void {
  sync(path, 'r+');
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
