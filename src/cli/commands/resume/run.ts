import { z } from 'zod';
import { leaveRun, takeBack } from '../../../app/run/left-run.ts';
import { resumeRun } from '../../../app/run/resume.ts';
import { isLeftToWorkers } from '../../../app/runs/known-run.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import type { Given } from '../../command.ts';
import { withLoggedJournal } from '../../here.ts';
import { ranOutput } from '../../json/outputs.ts';
import { runDepsHere } from '../../runs/execution.ts';
import { followHere } from '../../runs/following.ts';
import { leaveHere, leftOutput } from '../../runs/leaving.ts';

export const output = z
  .union([ranOutput, leftOutput])
  .meta({ description: 'A run that ended or stopped; with --detach a run that was left to workers.' });

/**
 * `payrun resume RUN`: the run goes on from its journal alone; options may name the service's address of today. One that is
 * left to workers is theirs, and is shown here.
 */
export async function run(given: Given): Promise<void> {
  // Never from the environment: it is about this run.
  const resubmitAbsent = given.resubmitAbsent === true;
  await withLoggedJournal(given, async (here) => {
    const resume = { runId: String(given.run), resubmitAbsent };
    if (here.settings.detach) return leaveHere(here, (also) => leaveRun({ ...runDepsHere(here), ...also }, resume));
    if (await isLeftToWorkers(here.journal, resume.runId)) return followHere(here, resume.runId);
    await takeBack(here.journal, resume.runId);
    const { ending } = await resumeRun(runDepsHere(here), resume);
    return ENDING_EXIT[ending];
  });
}
