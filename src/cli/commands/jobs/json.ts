import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';
import { runId, time } from '../../../domain/result.ts';
import { runStanding } from '../../../domain/run/run-state.ts';
import { placedProblem } from '../../../job/placed-problem.ts';
import { exitCode, nextCommand } from '../../json/members.ts';

const schedule = z.strictObject({
  cron: text,
  time_zone: text,
  next: z.array(z.strictObject({ period: text, due_at: time })),
});
export type ShownSchedule = z.output<typeof schedule>;

const lastRun = z.strictObject({
  run_id: runId,
  created_at: time,
  period: text.nullable(),
  state: runStanding,
  exit: exitCode.nullable().describe('With what the run ended; null where it has not, or could not say so.'),
  outcome: text,
  plan: z
    .strictObject({ why: text.nullable().describe('Why it cannot be run any more.'), next: nextCommand })
    .optional()
    .describe('Of a plan that nobody has started.'),
});
export type LastRun = z.output<typeof lastRun>;

const job = z.strictObject({
  name: text,
  file: text,
  description: text.nullable(),
  input: text.nullable().describe('The file that `check` and `run` would take now.'),
  last_run: lastRun.nullable().describe('In this data directory.'),
  schedule: schedule.nullable(),
  errors: z.array(placedProblem),
});
export type ShownJob = z.output<typeof job>;

export const jobsOutput = z
  .strictObject({ jobs: z.array(job), exit: exitCode })
  .meta({ description: 'Every job by name, also those with errors.' });
export type JobsOutput = z.output<typeof jobsOutput>;
