import type { RunHead } from '../journal.ts';
import { hashAt as hashIn } from '../tables/entries.ts';
import type { Store } from '../tables/store.ts';

/** An open journal, and how people name it. */
export type MovedSide = { store: Store; name: string };

export async function headsOf({ store }: MovedSide): Promise<RunHead[]> {
  return store.tables.read(() => store.runs.heads());
}

/** The hash of the run's entry `n`; null where it has none. */
export async function hashAt({ store }: MovedSide, runId: string, n: number): Promise<string | null> {
  return store.tables.read(() => hashIn(runId, n));
}

export function entriesOf(heads: readonly RunHead[]): number {
  return heads.reduce((sum, { n }) => sum + n, 0);
}
