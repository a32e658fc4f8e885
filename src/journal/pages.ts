import type { PlacedEntry } from '../domain/entry.ts';
import { applyToRun } from '../domain/run/run.ts';
import type { RunRows } from '../domain/run/run-rows.ts';
import { RunState } from '../domain/run/run-state.ts';

/** The state of a run, from its entries as `Journal.readRun` gives them. No more than one page is kept. `rows`: where its rows go. */
export async function foldPages(pages: AsyncIterable<readonly PlacedEntry[]>, rows?: RunRows): Promise<RunState> {
  const run = new RunState(rows);
  for await (const page of pages) for (const { entry, at, text } of page) applyToRun(run, entry, at, text);
  return run;
}

/** All entries at once: for what is known to be short. */
export async function entriesIn<Placed>(pages: AsyncIterable<readonly Placed[]>): Promise<Placed[]> {
  const entries: Placed[] = [];
  for await (const page of pages) entries.push(...page);
  return entries;
}
