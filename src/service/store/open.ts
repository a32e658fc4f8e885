import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { openDatabase, type Store } from './database.ts';
import { holdDirectory } from './lock.ts';
import { checkSchema, migrate, ServiceDataUnusable } from './schema.ts';

export type OpenStore = {
  store: Store;
  /** Closes the database and then frees the directory for another process. */
  close(): void;
};

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
export function servicePaths(dataDir: string): {
  directory: string;
  database: string;
  lock: string;
  signingKey: string;
} {
  const directory = resolve(dataDir, 'service');
  return {
    directory,
    database: join(directory, 'service.db'),
    lock: join(directory, 'service.lock'),
    signingKey: join(directory, 'signing-key.pem'),
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
    makeFile(paths.database);
    const store = openDatabase(paths.database);
    try {
      checkSchema(store, paths.database);
      switchToWal(store, paths.database);
      for (const setting of SETTINGS) applySetting(store, setting, paths.database);
      migrate(store);
    } catch (error) {
      store.close();
      throw error;
    }
    return {
      store,
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
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The entry of a new directory stands in its parent, which is synced too: else a power cut can take everything. */
function makeDirectory(directory: string): void {
  const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (first === undefined || process.platform === 'win32') return;
  for (let made = directory; made.length >= first.length; made = dirname(made)) {
    const parent = openSync(dirname(made), 'r');
    fsyncSync(parent);
    closeSync(parent);
  }
}
