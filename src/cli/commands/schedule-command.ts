import process from 'node:process';
import { Refusal } from '../../domain/refusal.ts';
import type { Job } from '../../job/job.ts';
import { JOB_REMEDY } from '../../job/job-file.ts';
import { findJob, JOBS_FOLDER, listJobs } from '../../job/jobs-folder.ts';
import { fileRefusal } from '../../job/placed-problem.ts';
import { commandsFor } from '../command-hints.ts';
import { machineClock, openDataJournal, stopOnInterrupt } from '../compose.ts';
import { startJob } from '../job-process.ts';
import { eventJson, eventText, type ScheduleEvent } from '../schedule-events.ts';
import { standingOf } from '../schedule-journal.ts';
import { ScheduleNotices } from '../schedule-notices.ts';
import { type ScheduledJob, Scheduler, type SchedulerMeans } from '../scheduler.ts';
import { readSettings, type Settings } from '../settings.ts';
import { type Io, processIo } from '../terminal.ts';

/** `payrun schedule [JOB…]`: runs jobs when they are due, until it is told to stop. Sets the exit code. */
export async function runSchedule(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const io = processIo(process.env);
  const jobs = scheduledJobs((options.jobs as string[] | undefined) ?? []);
  const notices = new ScheduleNotices(settings, io);
  const written = sayer(settings, io);
  const say = (event: ScheduleEvent): void => {
    written(event);
    const job = 'job' in event ? jobs.find(({ name }) => name === event.job) : undefined;
    if (job !== undefined) notices.hear(event, job);
  };
  const interrupt = stopOnInterrupt(
    () => say({ event: 'stopping' }),
    () => scheduler.signal('SIGTERM'),
  );
  const scheduler = new Scheduler(jobs, { ...meansOf(settings, notices), say, stop: interrupt.signal });
  try {
    process.exitCode = options.once === true ? await scheduler.once() : await scheduler.stay();
    await notices.settled();
  } finally {
    interrupt.release();
  }
}

/** Throws a `Refusal` (`usage`) where a job has errors, or has no schedule. */
function scheduledJobs(named: readonly string[]): ScheduledJob[] {
  const jobs = named.length === 0 ? everyJob() : named.map((name) => findJob(name));
  const scheduled = new Map(jobs.filter(hasSchedule).map((job) => [job.name, job]));
  const without = named.length === 0 ? undefined : jobs.find((job) => job.schedule === null);
  const remedy = 'Add one: jobs/README.md says how.';
  if (without !== undefined) throw new Refusal('usage', `${without.file}: the job has no schedule.`, remedy);
  if (scheduled.size === 0) throw new Refusal('usage', `No job in ${JOBS_FOLDER}/ has a schedule.`, remedy);
  return [...scheduled.values()];
}

function everyJob(): Job[] {
  return listJobs().map(({ file, read }) => {
    if (read.ok) return read.job;
    throw fileRefusal(file, read.problems, JOB_REMEDY);
  });
}

function hasSchedule(job: Job): job is ScheduledJob {
  return job.schedule !== null;
}

function sayer(settings: Settings, io: Io): (event: ScheduleEvent) => void {
  const command = commandsFor(settings);
  return (event) => {
    const now = machineClock.wallMs();
    if (settings.json) io.stdout(eventJson(event, now));
    else if (!settings.quiet || event.event !== 'next') io.stderr(eventText(event, now, command));
  };
}

function meansOf(settings: Settings, notices: ScheduleNotices): Pick<SchedulerMeans, 'clock' | 'standing' | 'start'> {
  const { dataDir, json, quiet } = settings;
  const options = ['--data-dir', dataDir, ...(quiet ? ['--quiet'] : [])];
  return {
    clock: machineClock,
    async standing(job, dues) {
      const journal = openDataJournal(dataDir);
      try {
        return await standingOf({ journal, command: commandsFor(settings), settings }, job, dues);
      } finally {
        journal.close();
      }
    },
    start: ({ file, name }, period) =>
      startJob({ file, period, options, json, isAwayTold: notices.isAwayTold(name, period) }),
  };
}
