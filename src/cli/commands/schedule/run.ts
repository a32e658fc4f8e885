import process from 'node:process';
import { commandsFor } from '../../../compose/command-hints.ts';
import { openDataJournal } from '../../../compose/data-dir.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { machineClock } from '../../../platform/machine.ts';
import { EXIT } from '../../exit.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { startJob } from '../../jobs/job-process.ts';
import { kindOfJob } from '../../jobs/known-rehearsal.ts';
import { type Io, processIo } from '../../terminal.ts';
import { JobFiles } from './job-files.ts';
import { eventJson, eventText, type ScheduleEvent } from './schedule-events.ts';
import { standingOf } from './schedule-journal.ts';
import { ScheduleNotices } from './schedule-notices.ts';
import { Scheduler, type SchedulerMeans } from './scheduler.ts';
import type { ScheduledJob } from './watched-job.ts';

/** `payrun schedule [JOB…]`: runs jobs when they are due, until it is told to stop. Sets the exit code. */
export async function runSchedule(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const io = processIo(process.env);
  const notices = new ScheduleNotices(settings, io);
  const written = actor(settings, io);
  const files = new JobFiles((options.jobs as string[] | undefined) ?? [], written);
  const jobs = files.scheduled();
  const say = (event: ScheduleEvent): void => {
    written(event);
    const job = 'job' in event ? jobs.find(({ name }) => name === event.job) : undefined;
    if (job !== undefined) notices.hear(event, job);
  };
  const interrupt = stopOnInterrupt(
    () => say({ event: 'stopping' }),
    () => scheduler.signal('SIGTERM'),
  );
  const mended = (): ScheduledJob[] => {
    const found = files.look();
    jobs.unshift(...found);
    return found;
  };
  const means = meansOf(settings, notices, jobs);
  const scheduler = new Scheduler(jobs, { ...means, say, mended, stop: interrupt.signal });
  try {
    const exit = options.once === true ? await scheduler.once() : await scheduler.stay();
    process.exitCode = files.isAnyBroken && exit !== EXIT.interrupted ? EXIT.usage : exit;
    await notices.settled();
  } finally {
    interrupt.release();
  }
}

const NOT_KNOWN = { rehearsal: false, scope: null };

function actor(settings: Settings, io: Io): (event: ScheduleEvent) => void {
  const command = commandsFor(settings);
  return (event) => {
    const now = machineClock.wallMs();
    if (settings.json) io.stdout(eventJson(event, now));
    // Whoever reads the lines of JSON by a program has nobody who reads that a job is not run.
    if (settings.json && event.event !== 'broken_job') return;
    if (!settings.quiet || event.event !== 'next') io.stderr(eventText(event, now, command));
  };
}

function meansOf(
  settings: Settings,
  notices: ScheduleNotices,
  jobs: readonly ScheduledJob[],
): Pick<SchedulerMeans, 'clock' | 'standing' | 'start'> {
  const { dataDir, json, quiet } = settings;
  const options = ['--data-dir', dataDir, ...(quiet ? ['--quiet'] : [])];
  return {
    clock: machineClock,
    async standing(name, dues) {
      const job = jobs.find((one) => one.name === name) ?? null;
      const kind = job === null ? NOT_KNOWN : await kindOfJob(settings, job);
      const journal = await openDataJournal(dataDir);
      try {
        return await standingOf({ journal, command: commandsFor(settings), settings }, { name, kind }, dues);
      } finally {
        await journal.close();
      }
    },
    start: ({ file, name }, period) =>
      startJob({ file, period, options, json, isOutageAnnounced: notices.isOutageAnnounced(name, period) }),
  };
}
