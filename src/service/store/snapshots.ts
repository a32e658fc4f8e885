import { constants, copyFileSync, existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteCode } from '../../platform/sqlite.ts';
import { openDatabase, type Store } from './database.ts';
import { makeDirectory, makeFile, syncDirectory, syncFile } from './open.ts';
import { checkSchema, migrate, ServiceDataUnusable } from './schema.ts';

/** A copy of the whole database. `atMs`: when it was made, Unix ms by the machine's clock. */
export type Snapshot = { name: string; bytes: number; atMs: number };

/** Each is as large as the database: a program that makes one a run and forgets them would fill the disk. */
export const SNAPSHOTS_MAX = 32;

export const SNAPSHOT_NAME = /^[a-z0-9-]{1,64}$/;

const ENDING = '.db';
const UNFINISHED = '.making';

/** Those that are there, by name. */
export function listSnapshots(directory: string): Snapshot[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map(({ name }) => name.slice(0, -ENDING.length))
    .filter((name) => SNAPSHOT_NAME.test(name));
  return names.sort().map((name) => snapshotOf(directory, name));
}

/**
 * Writes the state of now under a name, in the place of one that has it already. It is there whole and on the disk, or
 * not at all. Outside a transaction; nothing else happens meanwhile.
 */
export function writeSnapshot(store: Store, directory: string, name: string): Snapshot | 'TOO_MANY' {
  const kept = listSnapshots(directory);
  if (kept.length >= SNAPSHOTS_MAX && !kept.some((snapshot) => snapshot.name === name)) return 'TOO_MANY';
  makeDirectory(directory);
  for (const file of readdirSync(directory)) if (file.endsWith(UNFINISHED)) rmSync(join(directory, file));
  const unfinished = join(directory, `${name}${UNFINISHED}`);
  try {
    makeFile(unfinished);
    store.run('VACUUM INTO ?', unfinished);
    syncFile(unfinished);
    renameSync(unfinished, pathOf(directory, name));
  } finally {
    rmSync(unfinished, { force: true });
  }
  syncDirectory(directory);
  return snapshotOf(directory, name);
}

/** False where there is none of that name. */
export function removeSnapshot(directory: string, name: string): boolean {
  if (!isSnapshot(directory, name)) return false;
  rmSync(pathOf(directory, name));
  syncDirectory(directory);
  return true;
}

/**
 * Copies a snapshot to `path` and opens the copy, brought up to the schema of now; or says what is wrong with it. The
 * snapshot itself stays as it is.
 */
export function openCopy(directory: string, name: string, path: string): Store | 'ABSENT' | { problem: string } {
  if (!isSnapshot(directory, name)) return 'ABSENT';
  removeCopy(path);
  makeFile(path);
  copyFileSync(pathOf(directory, name), path, constants.COPYFILE_FICLONE);
  const copy = openDatabase(path);
  try {
    checkCopy(copy, name);
    migrate(copy);
    return copy;
  } catch (error) {
    copy.close();
    removeCopy(path);
    if (error instanceof ServiceDataUnusable) return { problem: error.message };
    if (sqliteCode(error) !== null) return { problem: `the snapshot ${name} is damaged` };
    throw error;
  }
}

/** Removes a copy that was not used, with what SQLite may have left beside it. */
export function removeCopy(path: string): void {
  for (const rest of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${rest}`, { force: true });
}

function checkCopy(copy: Store, name: string): void {
  const label = `the snapshot ${name}`;
  checkSchema(copy, label);
  if (copy.get('PRAGMA user_version')?.user_version === 0) throw new ServiceDataUnusable(label, 'is empty');
  const check = copy.get('PRAGMA quick_check(1)')?.quick_check;
  if (check !== 'ok') throw new ServiceDataUnusable(label, 'is damaged');
  // Its file is moved without a second one beside it.
  copy.get('PRAGMA journal_mode = DELETE');
}

/** A link is none: nobody may have another file read or listed by the name of a snapshot. */
function isSnapshot(directory: string, name: string): boolean {
  return lstatSync(pathOf(directory, name), { throwIfNoEntry: false })?.isFile() ?? false;
}

function pathOf(directory: string, name: string): string {
  return join(directory, `${name}${ENDING}`);
}

function snapshotOf(directory: string, name: string): Snapshot {
  const { size, mtimeMs } = statSync(pathOf(directory, name));
  return { name, bytes: size, atMs: Math.floor(mtimeMs) };
}
