import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import type { JournalFacts } from './facts.ts';
import type { Journal, JournalReader } from './journal.ts';
import type { CopyOptions } from './move/copy.ts';
import type { MoveOutcome } from './move/move.ts';
import type { MovedSide } from './move/side.ts';
import type { JournalOptions } from './options.ts';
import { isPostgres, shownPlace, shownUrl } from './place.ts';
import type { TablesJournal } from './tables/journal.ts';

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
export function openJournal(url: string, options: JournalOptions): Promise<Journal> {
  return openTables(url, options);
}

async function openTables(url: string, options: JournalOptions): Promise<TablesJournal> {
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

/**
 * Moves all runs from the journal that a URL names to another one, which is made where there is none, as `move/move.ts` has it.
 * Throws what it throws, and what `openJournal` throws.
 */
export async function moveJournal(
  urls: { from: string; to: string },
  options: JournalOptions,
  copying: CopyOptions,
): Promise<MoveOutcome> {
  const { moveJournal: move } = await import('./move/move.ts');
  return openedToMove(urls.from, options, (from) => openedToMove(urls.to, options, (to) => move(from, to, copying)));
}

/** Gives up a move from the journal that was cut off: it is in use as before. Throws a `Refusal` where there is none. */
export async function keepJournal(url: string, options: JournalOptions): Promise<void> {
  const { keepJournal: keep } = await import('./move/move.ts');
  await openedToMove(url, options, keep);
}

/** A journal that is looked at as it is, also one whose runs were moved. */
export type CheckedJournal = Journal & { facts(): Promise<JournalFacts> };

/** Opens the journal that a URL names as it is, to be looked at. Throws as `openJournal` does. */
export async function openJournalToCheck(url: string, options: JournalOptions): Promise<CheckedJournal> {
  const journal = await openTables(url, { ...options, evenMoved: true });
  const { factsIn } = await import('./tables/audit.ts');
  const { store } = journal;
  const facts = async () => ({ place: shownPlace(url), ...(await store.tables.snapshot(() => factsIn(store))) });
  return Object.assign(journal, { facts });
}

/**
 * Copies the journal in a file to a new file `to`, while others may write to it, and proves every run in the copy. Throws a
 * `Refusal` of a journal in a database, which has tools for that, and where the copy cannot be made or is not sound: then there is
 * no file.
 */
export async function backUpJournal(url: string, to: string, options: JournalOptions): Promise<BackedUp> {
  if (isPostgres(url)) throw new Refusal({ code: 'journal_in_database', database: shownUrl(url), file: to });
  const { backUp } = await import('./sqlite/backup.ts');
  const { proveAll } = await import('./move/proof.ts');
  let proven = { runs: 0, entries: 0 };
  const bytes = await backUp(sqlitePath(url), to, async (draft) => {
    proven = await openedToMove(`${SQLITE}${draft}`, options, ({ store }) =>
      proveAll({ store, name: shownPlace(url) }),
    );
  });
  return { ...proven, bytes };
}

export type BackedUp = { runs: number; entries: number; bytes: number };

async function openedToMove<Result>(
  url: string,
  options: JournalOptions,
  work: (side: MovedSide) => Promise<Result>,
): Promise<Result> {
  const journal = await openTables(url, { ...options, evenMoved: true });
  try {
    return await work({ store: journal.store, name: shownPlace(url) });
  } finally {
    await journal.close();
  }
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
