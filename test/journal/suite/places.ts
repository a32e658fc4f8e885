import { afterEach } from 'vitest';
import type { Entry, PlacedEntry } from '../../../src/domain/entry.ts';
import type { Journal, RunWriter } from '../../../src/journal/journal.ts';
import { entriesIn } from '../../../src/journal/pages.ts';
import type { Place } from '../place.ts';
import { sampleHeader, sampleRows } from '../samples.ts';

/** Makes places and removes each at the end of the test that made it, unless the test has. */
export function placesOf<Made extends Place>(create: () => Made): () => Made {
  const made: Made[] = [];
  afterEach(async () => {
    for (const place of made.splice(0)) await place.remove();
  });
  return () => {
    const created = create();
    let removed: Promise<void> | null = null;
    const place: Made = {
      ...created,
      remove() {
        removed ??= created.remove();
        return removed;
      },
    };
    made.push(place);
    return place;
  };
}

/** A new run with three rows: entries 1 (run_created), 2 (lease_taken) and 3 (rows). */
export async function newRun(journal: Journal, runId = 'R1', input?: string): Promise<RunWriter> {
  const header = sampleHeader(runId, input);
  const creating = await journal.createRun({ header, rows: [sampleRows(3)], refuseRepeat: false });
  if (creating.outcome !== 'created') throw new Error(creating.outcome);
  return creating.writer;
}

export async function opened(journal: Journal, runId = 'R1'): Promise<RunWriter> {
  const opening = await journal.openRun(runId);
  if (opening.outcome !== 'opened') throw new Error(opening.outcome);
  return opening.writer;
}

export async function placedOf(journal: Journal, runId = 'R1'): Promise<PlacedEntry[]> {
  return entriesIn(journal.readRun(runId));
}

export async function entriesOf(journal: Journal, runId = 'R1'): Promise<Entry[]> {
  return (await placedOf(journal, runId)).map(({ entry }) => entry);
}
