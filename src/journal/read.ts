import { existsSync } from 'node:fs';
import type { JournalReader } from './journal.ts';
import { sqlitePath } from './url.ts';

/**
 * Opens the journal that a URL names to be read only, whichever version wrote it; null where there is none, or nothing was
 * written to it yet. Throws as `openJournal` does.
 */
export async function openJournalToRead(url: string): Promise<JournalReader | null> {
  const path = sqlitePath(url);
  if (!existsSync(path)) return null;
  // Loaded only where there is a journal: what reads its entries takes time and memory to be made.
  const { openSqliteToRead } = await import('./sqlite/read-only.ts');
  return openSqliteToRead(path);
}
