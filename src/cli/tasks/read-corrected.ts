import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NotRetriable, Retriable } from '../../app/retry/retriable.ts';
import { Refusal } from '../../domain/refusal.ts';
import { commandsFor } from '../command-hints.ts';
import { readRetried } from '../commands/retry/retry-rows.ts';
import { openDataJournal } from '../compose.ts';

/** What can be corrected of a run, or why nothing can. */
export function readCorrected(dataDir: string, runId: string): Retriable | NotRetriable {
  if (!existsSync(join(dataDir, 'journal.db')))
    return { message: `There is no journal in ${dataDir}.`, remedy: 'Name the data directory with --data-dir.' };
  const journal = openDataJournal(dataDir);
  try {
    return readRetried(journal, runId, { command: commandsFor({ dataDir }), dataDir });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  } finally {
    journal.close();
  }
}
