import type { EntryKind, PlacedEntry } from '../../domain/entry.ts';
import type { Journal } from '../journal.ts';
import { type Database, openDatabase } from './database.ts';
import { EntryTable } from './entry-table.ts';
import { provenAlone, summary } from './journal.ts';
import { closeQuietly, openingError } from './open.ts';
import { RunTable } from './run-table.ts';
import { checkSchema } from './schema.ts';

/** A journal that is read while whoever holds it goes on, and to which nothing is written. */
export type JournalReader = Pick<Journal, 'listRuns' | 'close'> & {
  /** The entries of one kind of one run, in order, each proven against the hash of the one before it. */
  readKindOf(runId: string, kind: EntryKind): Iterable<PlacedEntry>;
};

/**
 * Opens the journal at `path`, which is there, to be read only; null where nothing was written to it yet. Throws what `openJournal` throws, and makes
 * nothing but the two files beside the journal by which SQLite's processes tell each other what they do.
 */
export function openJournalToRead(path: string): JournalReader | null {
  let database: Database | null = null;
  try {
    database = openDatabase(path, { readOnly: true });
    checkSchema(database, path);
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").get() !== undefined)
      return readerOf(database);
    database.close();
    return null;
  } catch (error) {
    if (database) closeQuietly(database);
    throw openingError(error, path);
  }
}

function readerOf(database: Database): JournalReader {
  const entries = new EntryTable(database);
  const runs = new RunTable(database);
  return {
    listRuns: (limit) => runs.newest(limit).map(summary),
    *readKindOf(runId, kind) {
      const record = runs.find(runId);
      if (record) for (const found of entries.readKindOf(record.run, kind)) yield provenAlone(found);
    },
    close: () => database.close(),
  };
}
