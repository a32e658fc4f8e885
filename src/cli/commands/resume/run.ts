import { resumeRun } from '../../../app/run/resume.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { withLoggedJournal } from '../../journal-command.ts';
import { runDepsHere } from '../../runs/execution.ts';

/** `payrun resume RUN`: the run goes on from its journal alone; options may say where the service is now. */
export async function runResume(options: Record<string, unknown>): Promise<void> {
  // Never from the environment: it is a word about this run.
  const resubmitAbsent = options.resubmitAbsent === true;
  await withLoggedJournal(options, async (here) => {
    const { ending } = await resumeRun(runDepsHere(here, null), { runId: String(options.run), resubmitAbsent });
    return ENDING_EXIT[ending];
  });
}
