import { z } from 'zod';
import { count, text } from '../../../domain/entries/members.ts';
import { runId, time } from '../../../domain/result.ts';
import { placedProblem } from '../../../job/placed-problem.ts';
import { exitCode, nextCommand } from '../../json/members.ts';
import { refusal } from '../../json/refusal.ts';
import { runOutput } from '../run/json.ts';

const at = { at: time };
const ofTime = { ...at, job: text, period: text, due_at: time, time_zone: text };
const ofPlan = {
  run_id: runId,
  approvals_missing: count,
  why: text.nullable().describe('Why the plan cannot be run any more.'),
  next: nextCommand,
};
const tried = { exit: exitCode, tries: count, tries_max: count };
const signal = text.nullable();

const notStarted = z.strictObject({ message: text }).describe('Its process could not be started.');
/** What another process printed: no compiler knows it. */
const result = z.unknown().pipe(z.union([runOutput, refusal, notStarted]).nullable());

const event = <Name extends string, Members extends z.ZodRawShape>(name: Name, members: Members, what: string) =>
  z.strictObject({ event: z.literal(name), ...members }).describe(what);

/** What `schedule --json` prints: a line for each thing that happens. */
export const scheduleOutput = z
  .discriminatedUnion('event', [
    event('next', ofTime, 'The next time of a job.'),
    event('started', { ...ofTime, pid: count.nullable() }, 'A job was started.'),
    event(
      'ended',
      { ...ofTime, exit: exitCode.nullable(), signal, result },
      'A job ended. `result` is what it printed.',
    ),
    event('missed', { ...ofTime, will_run: z.boolean() }, 'A time passed while nobody ran the job.'),
    event('planned', { ...ofTime, ...ofPlan, missed: z.boolean() }, 'A plan of the period waits.'),
    event('useless_plan', { ...ofTime, ...ofPlan, will_run: z.boolean() }, 'A plan that keeps nothing from being run.'),
    event('again', { ...ofTime, ...tried, again_at: time }, 'Nothing was sent, and it is tried again.'),
    event('gave_up', { ...ofTime, ...tried }, 'Nothing was sent, and it is not tried again.'),
    event('killed', { ...ofTime, signal }, 'Its process was ended before anything was sent.'),
    event('cut_off', { ...at, job: text, run_id: runId }, "The job's last run was cut off."),
    event('broken_job', { ...at, file: text, errors: z.array(placedProblem) }, 'A job with errors is not run.'),
    event('mended_job', { ...at, file: text }, 'It has no errors any more.'),
    event('stopping', at, 'It stops. Runs that are under way settle what is in flight.'),
  ])
  .meta({ description: 'One line for each thing that happens.' });
export type ScheduleLine = z.input<typeof scheduleOutput>;
