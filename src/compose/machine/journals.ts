import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../domain/refusal.ts';
import type { MoveProgress } from '../../journal/move/copy.ts';
import type { MoveOutcome } from '../../journal/move/move.ts';
import {
  type BackedUp,
  backUpJournal,
  type CheckedJournal,
  isJournal,
  type JournalPlace,
  journalOf,
  keepJournal,
  moveJournal,
  openJournalToCheck,
} from '../../journal/open.ts';
import { isPostgres, shownPlace } from '../../journal/place.ts';
import { journalOptions } from '../data-dir.ts';
import { requireJournal } from './here.ts';
import { untilInterrupt } from './interrupt.ts';

export type { MoveProgress } from '../../journal/move/copy.ts';

/** The URL of a journal that a person names: a database, a data directory, or the file in one. */
export function journalNamed(text: string): string {
  if (isPostgres(text) || text.startsWith('sqlite:')) return text;
  const isFile = statSync(text, { throwIfNoEntry: false })?.isFile() ?? text.endsWith('.db');
  return `sqlite:${isFile ? text : join(text, 'journal.db')}`;
}

/** As people read it, without a password. */
export const shownJournal = (text: string): string => shownPlace(journalNamed(text));

type Named = { from: string; to: string };

/** Moves all runs from one journal to another one until Ctrl-C; the next call goes on. Throws a `Refusal` where it cannot. */
export async function moveNamed(
  { from, to }: Named,
  { onInterrupt, onProgress }: { onInterrupt: () => void; onProgress: (progress: MoveProgress) => void },
): Promise<MoveOutcome> {
  const urls = { from: journalNamed(from), to: journalNamed(to) };
  await requireNamed(urls.from);
  return untilInterrupt(onInterrupt, (stop) => moveJournal(urls, journalOptions(), { stop, onProgress }));
}

/** Keeps the one in use from which a move was cut off. */
export async function keepNamed({ from }: Named): Promise<void> {
  const url = journalNamed(from);
  await requireNamed(url);
  await keepJournal(url, journalOptions());
}

async function requireNamed(url: string): Promise<void> {
  if (await isJournal(url)) return;
  const database = isPostgres(url) ? shownPlace(url) : null;
  throw new Refusal({ code: 'no_journal', dataDir: shownPlace(url), database });
}

/** Does the work over the journal as it is, also where its runs were moved. */
export async function withCheckedJournal<Result>(
  place: JournalPlace,
  work: (journal: CheckedJournal) => Promise<Result>,
): Promise<Result> {
  await requireJournal(place);
  const journal = await openJournalToCheck(journalOf(place), journalOptions());
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

export async function backUpHere(place: JournalPlace, to: string): Promise<BackedUp> {
  if (place.database === undefined) await requireJournal(place);
  return backUpJournal(journalOf(place), to, journalOptions());
}
