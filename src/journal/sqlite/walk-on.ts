import type { PlacedEntry } from '../../domain/entry.ts';
import type { ChainWalk, StoredEntry } from '../chain.ts';
import { JournalDamaged } from '../journal.ts';
import type { EntryTable } from './tables/entry-table.ts';
import type { RunRecord } from './tables/run-table.ts';

/**
 * The entries of a run after those that the walk has proven, as the run stands at the first step, each proven, by pages.
 * `read` gives the run, whose end is the one that was written, or null. Throws `JournalDamaged`, after what stands before
 * the damage was given.
 */
export function* walkOn(
  walk: ChainWalk,
  entries: EntryTable,
  read: () => RunRecord | null,
): Iterable<readonly PlacedEntry[]> {
  const record = read();
  if (record === null) return;
  for (const page of entries.pages(record.run, record.head.n, walk.head.n)) {
    const { proven, damage } = prove(walk, page);
    if (proven.length > 0) yield proven;
    if (damage !== null) throw new JournalDamaged(`run ${walk.runId}: ${damage}`);
  }
  if (walk.head.n !== record.head.n) throw new JournalDamaged(`run ${walk.runId}: entry ${walk.head.n + 1} is missing`);
}

function prove(walk: ChainWalk, page: readonly StoredEntry[]): { proven: PlacedEntry[]; damage: string | null } {
  const proven: PlacedEntry[] = [];
  for (const stored of page) {
    const step = walk.step(stored);
    if (!step.ok) return { proven, damage: step.message };
    proven.push(step.placed);
  }
  return { proven, damage: null };
}

/** Pages as the port gives them. Each is read when it is asked for, in one turn. */
export async function* inTurn<Page>(pages: Iterable<Page>): AsyncIterable<Page> {
  yield* pages;
}
