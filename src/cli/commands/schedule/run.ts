import process from 'node:process';
import { phaseNow, standingNow, undamaged } from '../../../app/runs/known-run.ts';
import { JobFiles } from '../../../app/schedule/job-files.ts';
import { type JobStanding, jobStanding } from '../../../app/schedule/job-standing.ts';
import type { ScheduleEvent } from '../../../app/schedule/schedule-event.ts';
import { Scheduler } from '../../../app/schedule/scheduler.ts';
import type { ScheduledJob } from '../../../app/schedule/watched-job.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { openDataJournal } from '../../../compose/data-dir.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import type { DueTime } from '../../../job/schedule.ts';
import type { Journal } from '../../../journal/journal.ts';
import { foldPages } from '../../../journal/pages.ts';
import { machineClock } from '../../../platform/machine.ts';
import { EXIT } from '../../exit.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { startJob } from '../../jobs/job-process.ts';
import { kindOfJob } from '../../jobs/known-rehearsal.ts';
import { planStanding } from '../../plans/plan-standing.ts';
import { type Io, processIo } from '../../terminal.ts';
import { ScheduleNotices } from './notices.ts';
import { eventJson, eventText } from './text.ts';

/** `payrun schedule [JOB…]`: runs jobs when they are due, until it is stopped. Sets the exit code. */
export async function runSchedule(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const { dataDir, json, quiet } = settings;
  const io = processIo(process.env);
  const notices = new ScheduleNotices(settings, io);
  const files = new JobFiles((options.jobs as string[] | undefined) ?? [], (event) => print(event, settings, io));
  const jobs = files.scheduled();
  const report = (event: ScheduleEvent): void => {
    print(event, settings, io);
    const job = 'job' in event ? jobs.find(({ name }) => name === event.job) : undefined;
    if (job !== undefined) notices.hear(event, job);
  };
  const corrected = (): ScheduledJob[] => {
    const found = files.look();
    jobs.unshift(...found);
    return found;
  };
  const interrupt = stopOnInterrupt(
    () => report({ event: 'stopping' }),
    () => scheduler.signal('SIGTERM'),
  );
  const runOptions = ['--data-dir', dataDir, ...(quiet ? ['--quiet'] : [])];
  const scheduler = new Scheduler(jobs, {
    clock: machineClock,
    standing: (name, dues) =>
      standingOf(
        settings,
        name,
        jobs.find((job) => job.name === name),
        dues,
      ),
    start({ file, name }, period) {
      const isOutageAnnounced = notices.isOutageAnnounced(name, period);
      return startJob({ file, period, options: runOptions, json, isOutageAnnounced });
    },
    report,
    corrected,
    stop: interrupt.signal,
  });
  try {
    const exit = options.once === true ? await scheduler.once() : await scheduler.stay();
    process.exitCode = files.isAnyBroken && exit !== EXIT.interrupted ? EXIT.usage : exit;
    await notices.settled();
  } finally {
    interrupt.release();
  }
}

function print(event: ScheduleEvent, settings: Settings, io: Io): void {
  const now = machineClock.wallMs();
  if (settings.json) io.stdout(eventJson(event, now));
  // A program that reads the JSON may not show that a job is not run.
  if (settings.json && event.event !== 'broken_job') return;
  if (!settings.quiet || event.event !== 'next') io.stderr(eventText(event, now, commandsFor(settings)));
}

/** Throws a `Refusal` where the journal is damaged. */
async function standingOf(
  settings: Settings,
  name: string,
  job: ScheduledJob | undefined,
  dues: readonly DueTime[],
): Promise<JobStanding> {
  const kind = job === undefined ? { rehearsal: false, scope: null } : await kindOfJob(settings, job);
  await using open = new AsyncDisposableStack();
  const journal = open.adopt(await openDataJournal(settings.dataDir), (opened) => opened.close());
  const deps = {
    journal,
    planStanding: (runId: string) => planStanding(runId, { journal, command: commandsFor(settings) }),
    isCutOff: (runId: string) => isCutOff(journal, runId),
  };
  return await undamaged(null, () => jobStanding(deps, { name, kind }, dues));
}

async function isCutOff(journal: Journal, runId: string): Promise<boolean> {
  const run = await foldPages(journal.readRun(runId));
  // What a person paused waits for that person.
  return (await phaseNow(journal, run, runId)) === 'stopped' && (await standingNow(journal, run, runId)) !== 'paused';
}
