import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';
import { counts } from '../../../domain/entries/run.ts';
import { inputPlace, runId, time } from '../../../domain/result.ts';
import { runStanding } from '../../../domain/run/run-state.ts';
import { rehearsal } from '../../json/members.ts';

const listedRun = z.strictObject({
  run_id: runId,
  state: runStanding,
  rehearsal,
  input: inputPlace,
  job: text.nullable(),
  period: text.nullable(),
  retries: runId.nullable().describe('The run whose unpaid rows this one pays.'),
  retried_by: z.array(runId).describe('The runs that retry rows of this one, oldest first.'),
  created_at: time,
  counts: counts.describe('Payouts of an unfinished run are counted as its report would.'),
});
export type RunListed = z.output<typeof listedRun>;

export const runsOutput = z
  .strictObject({ runs: z.array(listedRun) })
  .meta({ description: 'Every run, newest first.' });
export type RunsOutput = z.output<typeof runsOutput>;
