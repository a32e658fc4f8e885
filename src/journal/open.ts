import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import type { Journal, JournalReader } from './journal.ts';
import type { JournalOptions } from './options.ts';
import { isPostgres, shownUrl } from './place.ts';

// Each kind of journal is loaded only where one is opened: what reads entries takes time and memory to be made.

const SQLITE = 'sqlite:';

/** Where a journal is: in a database, where one is named, else in the data directory. */
export type JournalPlace = { dataDir: string; database?: string | undefined };

/** The journal's URL: that of the database, or `sqlite:DATA_DIR/journal.db`. */
export function journalOf({ dataDir, database }: JournalPlace): string {
  return database ?? `${SQLITE}${join(dataDir, 'journal.db')}`;
}

/**
 * Opens the journal that a URL names, and makes it where there is none; one that an earlier payrun wrote is brought up to
 * date. Throws `Refusal` of kind `usage` where it may not be used safely, of kind `unreachable` where its database does not
 * answer, of kind `held` where another process keeps it locked, and `JournalDamaged` where it is none.
 */
export async function openJournal(url: string, options: JournalOptions): Promise<Journal> {
  if (isPostgres(url)) return (await import('./postgres/open.ts')).openJournal({ url, ...options });
  const path = sqlitePath(url);
  const { openJournal: openSqlite } = await import('./sqlite/open.ts');
  return openSqlite({ path, ...options });
}

/**
 * Opens the journal that a URL names to be read only, whichever version wrote it; null where there is none, or nothing was
 * written to it yet. Throws as `openJournal` does.
 */
export async function openJournalToRead(url: string): Promise<JournalReader | null> {
  if (isPostgres(url)) return (await import('./postgres/open.ts')).openToRead(url);
  const path = sqlitePath(url);
  if (!existsSync(path)) return null;
  const { openToRead } = await import('./sqlite/open.ts');
  return openToRead(path);
}

/** Whether there is a journal, or what may be one: `openJournal` would make none. Throws as `openJournal` does. */
export async function isJournal(url: string): Promise<boolean> {
  if (isPostgres(url)) return (await import('./postgres/open.ts')).isJournal(url);
  return existsSync(sqlitePath(url));
}

/** The file that a journal's URL names. Throws a `Refusal` of kind `usage` for another kind of URL. */
function sqlitePath(url: string): string {
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) return url.slice(SQLITE.length);
  throw new Refusal({ code: 'no_journal_url', url: shownUrl(url) });
}
