import { basename } from 'node:path';
import { Refusal } from '../../domain/refusal.ts';
import { runToCorrect } from '../../input/corrections/correction-sheet.ts';
import { journalIn, openJournalToRead } from '../../journal/open.ts';
import type { Given } from './given.ts';

/** The newest runs that are looked at. */
const RUNS_MAX = 100_000;

/**
 * Throws a `Refusal` (`refused`) for a sheet of rows of a run in the journal that are to be corrected: paid as payouts of
 * their own, they could be paid once more by a retry of the run. Whoever says `--allow-repeat` pays them all the same.
 */
export async function refuseCorrection(path: string, { settings }: Pick<Given, 'settings'>): Promise<void> {
  if (settings.allowRepeat !== undefined) return;
  const runId = await runToCorrect({ name: settings.fileName ?? basename(path), path });
  if (runId === null || !(await isKnown(runId, settings.dataDir))) return;
  throw new Refusal({ code: 'sheet_of_run', path, runId });
}

async function isKnown(runId: string, dataDir: string): Promise<boolean> {
  const reader = await openJournalToRead(journalIn(dataDir));
  if (reader === null) return false;
  try {
    return (await reader.listStartedRuns(RUNS_MAX)).some(({ run_id }) => run_id === runId);
  } finally {
    await reader.close();
  }
}
