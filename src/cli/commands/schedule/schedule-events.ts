import { isoUtc } from '../../../domain/time.ts';
import { problemLine } from '../../../job/placed-problem.ts';
import { zoneText } from '../../../job/zone.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { exitWords } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import type { ScheduleLine } from './json.ts';

/** A line before it is one: times are Unix ms, and `at` is when it is printed. */
type InMs<Line> = Line extends Line
  ? { [Name in Exclude<keyof Line, 'at'>]: Name extends 'due_at' | 'again_at' ? number : Line[Name] }
  : never;

/** What `payrun schedule` says. `words`: how a plan stands, for people. */
export type ScheduleEvent = InMs<ScheduleLine> & { words?: string };

type TimeEvent = Extract<ScheduleEvent, { due_at: number }>;

/** One line of JSON. */
export function eventJson(event: ScheduleEvent, now: number): string {
  const due = 'due_at' in event ? { due_at: isoUtc(event.due_at) } : {};
  const again = 'again_at' in event ? { again_at: isoUtc(event.again_at) } : {};
  const { words: _, ...facts } = event;
  return jsonLine<ScheduleLine>({ at: isoUtc(now), ...facts, ...due, ...again } as ScheduleLine);
}

/** One line for people. */
export function eventText(event: ScheduleEvent, now: number, command: CommandLine): string {
  return `${isoUtc(now).slice(0, 19)}Z ${eventWords(event, command)}\n`;
}

/** The same without its time. */
export function eventWords(event: ScheduleEvent, command: CommandLine): string {
  if (event.event === 'stopping') return 'Stopping: runs under way settle what is in flight. Again leaves at once.';
  if (event.event === 'cut_off') {
    const { job, run_id } = event;
    return `Job ${job}: its last run ${run_id} was cut off. Go on with it: ${command('resume', run_id)}`;
  }
  if (event.event === 'mended_job') return `${event.file} has no errors any more, and is run when it is due.`;
  if (event.event === 'broken_job') {
    const lines = event.errors.map((problem) => problemLine(event.file, problem));
    return [`${event.file} HAS ERRORS, AND IS NOT RUN until it is mended:`, ...lines].join('\n');
  }
  return timeWords(event, command);
}

function timeWords(event: TimeEvent, command: CommandLine): string {
  const what = `Job ${event.job}, ${event.period}`;
  const due = zoneText(event.due_at, event.time_zone);
  switch (event.event) {
    case 'next':
      return `${what}: next, at ${due}`;
    case 'started':
      return `${what}: started, due at ${due}${event.pid === null ? '' : `, process ${event.pid}`}`;
    case 'ended':
      return `${what}: ${event.exit === null ? `ended by ${event.signal ?? 'a failure to start'}` : `exit ${event.exit}, ${exitWords(event.exit)}`}`;
    case 'again':
      return `${what}: nothing was sent; it is tried again at ${zoneText(event.again_at, event.time_zone)} (${event.tries} of ${event.tries_max} tries made)`;
    case 'gave_up':
      return `${what}: nothing was sent in ${event.tries} tries, and it is not tried again. Pay it: ${command('run', event.job, '--period', event.period)}`;
    case 'killed':
      return `${what}: its process was ended (${event.signal ?? 'it could not be started'}) before anything was sent. Pay it: ${command('run', event.job, '--period', event.period)}`;
    case 'planned':
      return `${what}: ${event.missed ? `missed, was due at ${due}: ` : ''}${event.run_id} ${event.words}`;
    case 'useless_plan':
      return event.will_run
        ? `${what}: the plan ${event.run_id} cannot be run any more (${event.why}); the job is run without it`
        : `${what}: the plan ${event.run_id} ${event.words}`;
    case 'missed':
      return event.will_run
        ? `${what}: missed, was due at ${due}; it is run now, as the job says`
        : `${what}: missed, was due at ${due}. Pay it: ${command('run', event.job, '--period', event.period)}`;
  }
}
