import { assert, Refusal } from '../../domain/refusal.ts';
import type { Database } from '../../platform/sqlite.ts';
import { MIGRATIONS } from './migrations.ts';

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The schema that brought projections. */
export const PROJECTIONS_SINCE = 8;

/** `PayR` in ASCII, in SQLite's header field for the kind of application (file(1) shows it). */
const APPLICATION_ID = 0x50617952;

/**
 * Refuses a file that is not a journal, or that a newer payrun made, before anything in it is changed. Throws
 * `Refusal` of kind `usage`. Returns the file's schema version, 0 for an empty one.
 */
export function checkSchema(database: Database, path: string): number {
  const { application, version, objects } = readSchema(database);
  const empty = application === 0 && version === 0 && objects === 0;
  if (application !== APPLICATION_ID && !empty) throw new Refusal({ code: 'journal_of_another_program', path });
  if (version > SCHEMA_VERSION) throw new Refusal({ code: 'journal_newer', path, version, known: SCHEMA_VERSION });
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
