import type { Store } from './database.ts';
import { sql as first } from './migrations/000001.sql.ts';
import { migrate as second } from './migrations/000002.sql.ts';
import { sql as third } from './migrations/000003.sql.ts';
import { sql as fourth } from './migrations/000004.sql.ts';
import { sql as fifth } from './migrations/000005.sql.ts';
import { sql as sixth } from './migrations/000006.sql.ts';

/** Forward only: migration i makes schema version i + 1. A released one is never edited. */
const MIGRATIONS: readonly (string | ((store: Store) => void))[] = [first, second, third, fourth, fifth, sixth];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** `PayS` in ASCII, in SQLite's header field for the kind of application (file(1) shows it). */
const APPLICATION_ID = 0x50617953;

/** A file that is not a service's data, or that a newer payrun wrote. */
export class ServiceDataUnusable extends Error {
  readonly path: string;
  constructor(path: string, what: string) {
    super(`${path} ${what}`);
    this.name = 'ServiceDataUnusable';
    this.path = path;
  }
}

/** Throws `ServiceDataUnusable` before anything in the file is changed. */
export function checkSchema(store: Store, path: string): void {
  const { application, version, objects } = readSchema(store);
  const isEmpty = application === 0 && version === 0 && objects === 0;
  if (application !== APPLICATION_ID && !isEmpty)
    throw new ServiceDataUnusable(path, 'is a database of another program');
  if (version > SCHEMA_VERSION)
    throw new ServiceDataUnusable(
      path,
      `was written by a newer payrun: its schema is ${version}, and this payrun knows ${SCHEMA_VERSION}`,
    );
}

/** Brings the schema up to date in one transaction. */
export function migrate(store: Store): void {
  const { version } = readSchema(store);
  if (version === SCHEMA_VERSION) return;
  store.exec('BEGIN IMMEDIATE');
  for (const step of MIGRATIONS.slice(version)) {
    if (typeof step === 'string') store.exec(step);
    else step(store);
  }
  store.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  store.exec('COMMIT');
}

function readSchema(store: Store): { application: number; version: number; objects: number } {
  return {
    application: Number(store.get('PRAGMA application_id')?.application_id),
    version: Number(store.get('PRAGMA user_version')?.user_version),
    objects: Number(store.get('SELECT count(*) AS objects FROM sqlite_schema')?.objects),
  };
}
