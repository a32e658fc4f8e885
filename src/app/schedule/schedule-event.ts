import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import type { FileProblem } from '../../domain/refusals/settings-faults.ts';
import { fileProblemResult, runId, time } from '../../domain/result.ts';

const at = { at: time };
const signal = text.nullable();

/**
 * The lines of a schedule's log: one for each thing that happens. `exit` is the exit code of a job's process, and `result`
 * what the process printed.
 */
export function scheduleLines<Exit extends z.ZodType<number>, Result extends z.ZodType>(exit: Exit, result: Result) {
  const ofTime = { ...at, job: text, period: text, due_at: time, time_zone: text };
  const ofPlan = {
    run_id: runId,
    approvals_missing: count,
    why: text.nullable().describe('Why the plan cannot be run any more.'),
    next: text.describe('The literal next command.'),
  };
  const tried = { exit, tries: count, tries_max: count };
  return z.discriminatedUnion('event', [
    line('next', ofTime, 'The next time of a job.'),
    line('started', { ...ofTime, pid: count.nullable() }, 'A job was started.'),
    line('ended', { ...ofTime, exit: exit.nullable(), signal, result }, 'A job ended. `result` is what it printed.'),
    line('missed', { ...ofTime, will_run: z.boolean() }, 'A time passed while nobody ran the job.'),
    line('planned', { ...ofTime, ...ofPlan, missed: z.boolean() }, 'A plan of the period waits.'),
    line('useless_plan', { ...ofTime, ...ofPlan, will_run: z.boolean() }, 'A plan that keeps nothing from being run.'),
    line('again', { ...ofTime, ...tried, again_at: time }, 'Nothing was sent, and it is tried again.'),
    line('gave_up', { ...ofTime, ...tried }, 'Nothing was sent, and it is not tried again.'),
    line('elsewhere', ofTime, 'Another process, here or on another host, has begun the period.'),
    line('killed', { ...ofTime, signal }, 'Its process was ended before anything was sent.'),
    line('cut_off', { ...at, job: text, run_id: runId }, "The job's last run was cut off."),
    line('broken_job', { ...at, file: text, errors: z.array(fileProblemResult) }, 'A job with errors is not run.'),
    line('mended_job', { ...at, file: text }, 'It has no errors any more.'),
    line('database_away', { ...at, message: text }, 'It tries until the database can be used.'),
    line('database_back', at, 'The database can be used again.'),
    line('stopping', at, 'It stops. Runs that are under way settle what is in flight.'),
  ]);
}

function line<Name extends string, Members extends z.ZodRawShape>(name: Name, members: Members, what: string) {
  return z.strictObject({ event: z.literal(name), ...members }).describe(what);
}

type Line = z.output<ReturnType<typeof scheduleLines<z.ZodInt, z.ZodUnknown>>>;

/** What a line has in other forms before it is printed: times in Unix ms, and problems as codes. */
type Before = { due_at: number; again_at: number; errors: readonly FileProblem[] };

/** A line before it is printed, without when that is. */
type Unprinted<Of> = Of extends Of
  ? { [Name in Exclude<keyof Of, 'at'>]: Name extends keyof Before ? Before[Name] : Of[Name] }
  : never;

/** What happens in a schedule. `words`: how a plan stands, for people; of one that cannot be run any more `why` and `next` say it. */
export type ScheduleEvent = Unprinted<Line> & { words?: string };

/** The event of one kind. */
export type EventOf<Name extends ScheduleEvent['event']> = Extract<ScheduleEvent, { event: Name }>;
