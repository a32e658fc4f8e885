import { DatabaseSync } from 'node:sqlite';
import { BUSY, sqliteCode } from './database.ts';

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
 * Takes the one place for a service in `directory`, or throws `ServiceDataHeld` at once. The lock is SQLite's own, by
 * an open transaction on a file with nothing in it, so the kernel frees it with the process, also after SIGKILL, and it
 * holds between two services in one process.
 */
export function holdDirectory(directory: string, path: string): { release(): void } {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw sqliteCode(error) === BUSY ? new ServiceDataHeld(directory) : error;
  }
  return { release: () => database.close() };
}
