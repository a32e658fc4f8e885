import { type Database, openDatabase } from '../../platform/sqlite.ts';
import type { JournalReader } from '../journal.ts';
import { guarded } from './database.ts';
import { closeQuietly, openingError } from './open.ts';
import { Projections } from './projections.ts';
import { ProvenRuns } from './proven-runs.ts';
import { checkSchema } from './schema.ts';
import { EntryTable } from './tables/entry-table.ts';
import { ProjectionTable } from './tables/projection-table.ts';
import { RunTable } from './tables/run-table.ts';
import { inSnapshot } from './transactions.ts';

/** The schema that brought projections. */
const PROJECTIONS_SINCE = 8;

/**
 * Opens the journal at `path`, which is there, to be read only; null where nothing was written to it yet. Throws what
 * `openJournal` throws, and makes nothing but the two files beside the journal by which SQLite's processes tell each other
 * what they do.
 */
export function openSqliteToRead(path: string): JournalReader | null {
  let database: Database | null = null;
  try {
    database = guarded(openDatabase(path, { readOnly: true }));
    const version = checkSchema(database, path);
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").get() !== undefined)
      return readerOf(database, version);
    database.close();
    return null;
  } catch (error) {
    if (database) closeQuietly(database);
    throw openingError(error, path);
  }
}

function readerOf(database: Database, schemaVersion: number): JournalReader {
  const entries = new EntryTable(database);
  const proven = new ProvenRuns(entries, new RunTable(database, schemaVersion, { readOnly: true }));
  const table = schemaVersion < PROJECTIONS_SINCE ? null : new ProjectionTable(database, { readOnly: true });
  const snapshot = <Result>(work: () => Result): Result => inSnapshot(database, work);
  const projections = new Projections({ entries, proven, table, snapshot });
  return {
    listStartedRuns: async (limit) => snapshot(() => [...proven.newest(limit, { startedOnly: true })]),
    payoutsOf: async (runId) => projections.payoutsOf(runId),
    close: async () => database.close(),
  };
}
