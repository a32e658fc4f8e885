import type { RunHead } from '../journal.ts';
import { hex } from '../tables/entries.ts';
import { get } from '../tables/steps.ts';
import type { Store } from '../tables/store.ts';

/** An open journal, and how people name it. */
export type MovedSide = { store: Store; name: string };

export async function headsOf({ store }: MovedSide): Promise<RunHead[]> {
  return store.tables.read(() => store.runs.heads());
}

/** The hash of the run's entry `n`; null where it has none. */
export async function hashAt({ store }: MovedSide, runId: string, n: number): Promise<string | null> {
  const sql = 'SELECT entry.hash FROM entry JOIN run ON run.run = entry.run WHERE run.id = ? AND n = ?';
  const row = await store.tables.read(() => get(sql, runId, n));
  return row === undefined ? null : hex(row.hash);
}

export function entriesOf(heads: readonly RunHead[]): number {
  return heads.reduce((sum, { n }) => sum + n, 0);
}
