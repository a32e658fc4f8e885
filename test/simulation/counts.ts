import type { Entry } from '../../src/domain/entry.ts';

/** How often each thing happened. */
export type Counts = Record<string, number>;

export function count(counts: Counts, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

/** How doubts ended, by the journal. */
export function countDoubts(entries: readonly { entry: Entry }[]): Counts {
  const doubts: Counts = {};
  const open = new Set<string>();
  for (const { entry } of entries) {
    if (!('row' in entry) || !('attempt' in entry)) continue;
    const key = `${entry.row} ${entry.attempt}`;
    if (entry.kind === 'doubt') open.add(key);
    else if (!open.has(key) || entry.kind === 'looked') continue;
    else count(doubts, 'by' in entry ? `${entry.kind} by ${entry.by}` : entry.kind);
  }
  return doubts;
}
