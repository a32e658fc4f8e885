import type { PlacedEntry } from '../../domain/entry.ts';
import type { ChainWalk } from '../chain.ts';
import { JournalDamaged } from '../journal.ts';
import type { EntryTable } from './tables/entry-table.ts';
import type { RunRecord } from './tables/run-table.ts';

/**
 * The entries of a run after those that the walk has proven, as the run stands at the first step, each proven. `read` gives
 * the run, whose end is the one that was written, or null. Throws `JournalDamaged`.
 */
export function* walkOn(walk: ChainWalk, entries: EntryTable, read: () => RunRecord | null): Iterable<PlacedEntry> {
  const record = read();
  if (record === null) return;
  for (const stored of entries.read(record.run, record.head.n, walk.head.n)) {
    const step = walk.step(stored);
    if (!step.ok) throw new JournalDamaged(`run ${walk.runId}: ${step.message}`);
    yield step.placed;
  }
  if (walk.head.n !== record.head.n) throw new JournalDamaged(`run ${walk.runId}: entry ${walk.head.n + 1} is missing`);
}
