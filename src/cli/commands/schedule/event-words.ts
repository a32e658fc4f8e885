import type { ScheduleEvent } from '../../../app/schedule/schedule-event.ts';
import { zoneText } from '../../../domain/zone.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { messages } from '../../../messages/messages.ts';
import { EXIT, exitWords } from '../../exit.ts';
import { uselessText } from '../../plans/standing-text.ts';

/** An event for people, without its time. `isLeft`: what the jobs pay is left to workers. */
export function eventWords(event: ScheduleEvent, command: CommandLine, isLeft = false): string {
  switch (event.event) {
    case 'stopping':
      return 'Stopping: runs under way finish what is in flight. Ctrl-C again leaves at once.';
    case 'cut_off':
      return `Job ${event.job}: its last run ${event.run_id} was cut off. Go on with it: ${command('resume', event.run_id)}`;
    case 'mended_job':
      return `${event.file} has no errors any more and will run when it is due.`;
    case 'broken_job':
      return [
        `${event.file} HAS ERRORS AND WILL NOT RUN until they are corrected:`,
        ...event.errors.map((problem) => messages.files.fileProblemLine(event.file, problem)),
      ].join('\n');
    case 'database_away':
    case 'database_back':
      return messages.process.databaseText(event);
    default:
      return `Job ${event.job}, ${event.period}: ${timeWords(event, command, isLeft)}`;
  }
}

type TimeEvent = Extract<ScheduleEvent, { due_at: number }>;

function timeWords(event: TimeEvent, command: CommandLine, isLeft: boolean): string {
  const due = zoneText(event.due_at, event.time_zone);
  const pay = `Pay it: ${command('run', event.job, '--period', event.period)}`;
  switch (event.event) {
    case 'next':
      return `next, at ${due}`;
    case 'started':
      return `started, due at ${due}${event.pid === null ? '' : `, process ${event.pid}`}`;
    case 'ended':
      if (event.exit === null) return `ended by ${event.signal ?? 'a failure to start'}`;
      return `exit ${event.exit}, ${isLeft && event.exit === EXIT.ok ? 'left to workers' : exitWords(event.exit)}`;
    case 'again': {
      const tries = `${event.tries} of ${event.tries_max} tries made`;
      return `nothing was sent; it is tried again at ${zoneText(event.again_at, event.time_zone)} (${tries})`;
    }
    case 'gave_up':
      return `nothing was sent in ${event.tries} tries, and it is not tried again. ${pay}`;
    case 'elsewhere':
      return 'another process has started it, here or on another host';
    case 'killed':
      return `its process was ended (${event.signal ?? 'it could not be started'}) before anything was sent. ${pay}`;
    case 'planned':
      return `${event.missed ? `missed, was due at ${due}: ` : ''}${event.run_id} ${event.words}`;
    case 'useless_plan': {
      const { run_id: runId, next, why, will_run: willRun } = event;
      if (!willRun) return `the plan ${runId} ${uselessText({ why: why ?? '', next })}`;
      return `the plan ${runId} cannot be run any more (${why}); the job is run without it`;
    }
    case 'missed':
      return `missed, was due at ${due}${event.will_run ? '; it is run now, as the job asks' : `. ${pay}`}`;
  }
}
