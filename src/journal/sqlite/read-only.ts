import type { EntryKind } from '../../domain/entry.ts';
import type { Journal, RunSummary } from '../journal.ts';
import { type Database, guarded, openDatabase } from './database.ts';
import { closeQuietly, openingError } from './open.ts';
import { proveAlone } from './proven.ts';
import { ProvenRuns } from './proven-runs.ts';
import { checkSchema } from './schema.ts';
import { EntryTable } from './tables/entry-table.ts';
import { RunTable } from './tables/run-table.ts';

/** A journal that is read while whoever holds it goes on, and to which nothing is written. */
export type JournalReader = Pick<Journal, 'listRuns' | 'close'> & {
  /** As `listRuns`, without plans that nobody has started. */
  listStartedRuns(limit: number): RunSummary[];
  /** The texts of the entries of one kind of one run, in order, each proven against the hash of the one before it. */
  textsOf(runId: string, kind: EntryKind): Iterable<string>;
};

/**
 * Opens the journal at `path`, which is there, to be read only; null where nothing was written to it yet. Throws what `openJournal` throws, and makes
 * nothing but the two files beside the journal by which SQLite's processes tell each other what they do.
 */
export function openJournalToRead(path: string): JournalReader | null {
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
  const numberOf = database.prepare('SELECT run FROM run WHERE id = ?');
  return {
    listRuns: (limit) => [...proven.newest(limit)],
    listStartedRuns: (limit) => [...proven.newest(limit, { startedOnly: true })],
    *textsOf(runId, kind) {
      const run = numberOf.get(runId)?.run;
      if (typeof run !== 'number') return;
      for (const found of entries.readKindOf(run, kind)) {
        proveAlone(found);
        yield found.stored.data;
      }
    },
    close: () => database.close(),
  };
}
