import type { PlacedEntry } from '../domain/entry.ts';
import { applyToRun } from '../domain/run/run.ts';
import { RunState } from '../domain/run/run-state.ts';

/** The state of a run, from its entries as `Journal.readRun` gives them. No more than one page is kept. */
export async function foldPages(pages: AsyncIterable<readonly PlacedEntry[]>): Promise<RunState> {
  const run = new RunState();
  for await (const page of pages) for (const { entry, at } of page) applyToRun(run, entry, at);
  return run;
}

/** All entries at once: for what is known to be short. */
export async function entriesIn<Placed>(pages: AsyncIterable<readonly Placed[]>): Promise<Placed[]> {
  const entries: Placed[] = [];
  for await (const page of pages) entries.push(...page);
  return entries;
}
