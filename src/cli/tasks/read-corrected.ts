import { type NotRetriable, type Retriable, readRetriable } from '../../app/retry/retriable.ts';
import { openDataJournal } from '../../compose/data-dir.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isJournal, journalIn } from '../../journal/open.ts';
import { refusalOnPage } from '../../messages/refusals/refusal.ts';
import { machineClock } from '../../platform/machine.ts';

/** What can be corrected of a run, or why nothing can, as the page shows it. */
export async function readCorrected(dataDir: string, runId: string): Promise<Retriable | NotRetriable> {
  if (!(await isJournal(journalIn(dataDir))))
    return {
      message: `There is no journal in ${dataDir}.`,
      remedy: 'Ask the person who operates payrun to check the data directory.',
    };
  const journal = await openDataJournal(dataDir);
  try {
    return await readRetriable(runId, { journal, clock: machineClock });
  } catch (error) {
    if (error instanceof Refusal) return refusalOnPage(error);
    throw error;
  } finally {
    await journal.close();
  }
}
