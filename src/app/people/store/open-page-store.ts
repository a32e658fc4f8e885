import { existsSync } from 'node:fs';
import type { Clock } from '../../../platform/clock.ts';
import type { PageStore } from './page-store.ts';

/** Where the page keeps what is its own: in the database, where one is named, else in the data directory. */
export type PagePlace = { dataDir: string; database?: string | undefined };

/**
 * Opens it, and makes it where there is none. Throws a `Refusal` (`page_store_unusable`, `database_unusable`) where it cannot be
 * used, or a newer payrun made it.
 */
export async function openPageStore({ dataDir, database }: PagePlace, clock: Clock): Promise<PageStore> {
  if (database !== undefined) return (await import('./postgres-store.ts')).openPostgresStore({ dataDir, database });
  return (await import('./sqlite-store.ts')).openSqliteStore(dataDir, clock);
}

/** The same to be read, where somebody has made a page; null where nobody has. */
export async function openKnownPageStore({ dataDir, database }: PagePlace, clock: Clock): Promise<PageStore | null> {
  if (database !== undefined) return (await import('./postgres-store.ts')).openToRead({ dataDir, database });
  const { openSqliteStore, sqliteStorePath } = await import('./sqlite-store.ts');
  return existsSync(sqliteStorePath(dataDir)) ? openSqliteStore(dataDir, clock) : null;
}
