import { resumeRun } from '../../../app/run/resume.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import type { Given } from '../../command.ts';
import { withLoggedJournal } from '../../here.ts';
import { ranOutput } from '../../json/outputs.ts';
import { runDepsHere } from '../../runs/execution.ts';

export const output = ranOutput.meta({ description: 'A run that ended or stopped.' });

/** `payrun resume RUN`: the run goes on from its journal alone; options may name the service's address of today. */
export async function run(given: Given): Promise<void> {
  // Never from the environment: it is about this run.
  const resubmitAbsent = given.resubmitAbsent === true;
  await withLoggedJournal(given, async (here) => {
    const { ending } = await resumeRun(runDepsHere(here), { runId: String(given.run), resubmitAbsent });
    return ENDING_EXIT[ending];
  });
}
