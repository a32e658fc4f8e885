import process from 'node:process';
import { z } from 'zod';
import { AT_START, withDatabase } from '../../../app/database-wait.ts';
import { JobFiles } from '../../../app/schedule/job-files.ts';
import { type ScheduleEvent, scheduleLines } from '../../../app/schedule/schedule-event.ts';
import { Scheduler } from '../../../app/schedule/scheduler.ts';
import type { ScheduledJob } from '../../../app/schedule/watched-job.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { answerOfProcess } from '../../../compose/health.ts';
import { ReopenedJournal } from '../../../compose/machine/asked-journal.ts';
import { withJournal } from '../../../compose/machine/here.ts';
import { stopOnInterrupt } from '../../../compose/machine/interrupt.ts';
import { startJob } from '../../../compose/machine/job-process.ts';
import { standingHere } from '../../../compose/machine/known-jobs.ts';
import { ScheduleClock } from '../../../compose/machine/schedule-clock.ts';
import { ScheduleNotices } from '../../../compose/machine/schedule-notices.ts';
import { requireEnding, writeOutput } from '../../../compose/machine/write-output.ts';
import type { MissedTimes } from '../../../compose/metrics.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { requireDatabase } from '../../../compose/worker/queue.ts';
import { text } from '../../../domain/entries/members.ts';
import { isoUtc } from '../../../domain/time.ts';
import { messages } from '../../../messages/messages.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { exitCode, refusal, runOutput } from '../../json/outputs.ts';
import { jsonLine } from '../../json/print.ts';
import { standingText } from '../../plans/standing-text.ts';
import { leftOutput } from '../../runs/leaving.ts';
import { type Io, processIo } from '../../terminal.ts';
import { eventWords } from './event-words.ts';

const notStarted = z.strictObject({ message: text }).describe('Its process could not be started.');
/** What another process printed: no compiler knows it. */
const result = z.unknown().pipe(z.union([runOutput, leftOutput, refusal, notStarted]).nullable());

export const output = scheduleLines(exitCode, result).meta({ description: 'One line for each thing that happens.' });
type ScheduleLine = z.input<typeof output>;

/** `payrun schedule [JOB…]`: runs jobs when they are due, until it is stopped. Sets the exit code. */
export async function run(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const { json, detach, metricsFile } = settings;
  if (metricsFile !== undefined) requireEnding({ path: metricsFile, option: '--metrics-file' }, ['.prom']);
  if (detach) requireDatabase(settings, 'detach');
  const database = settings.isDatabaseOption === true ? settings.database : undefined;
  const command = commandsFor(settings);
  const io = processIo(process.env);
  const notices = new ScheduleNotices(settings, io, (event) => eventWords(event, command));
  const files = new JobFiles((given.jobs as string[] | undefined) ?? [], (event) => print(event, settings, io));
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
  const options = optionsOfJobs(settings);
  const clock = new ScheduleClock();
  const look = () => withJournal(settings, ({ journal }) => clock.follow(journal));
  const scheduler = new Scheduler(jobs, {
    clock,
    standing(name, dues) {
      const job = jobs.find((one) => one.name === name);
      return standingHere(
        settings,
        { name, job },
        { dues, described: (plan) => standingText(plan, command), time: clock },
      );
    },
    async start({ file, name }, period) {
      const isOutageAnnounced = await notices.isOutageAnnounced(name, period);
      return startJob({ file, period, options, json, database, isOutageAnnounced });
    },
    report,
    corrected,
    stop: interrupt.signal,
  });
  await using _health = await healthOf(settings, interrupt.signal, scheduler.missed);
  if (given.once === true) await look();
  else await withDatabase({ clock, report, stop: interrupt.signal }, look, AT_START);
  try {
    const exit = given.once === true ? await scheduler.once() : await scheduler.stay();
    process.exitCode = files.isAnyBroken && exit !== EXIT.interrupted ? EXIT.usage : exit;
    await notices.settled();
    if (given.once === true && metricsFile !== undefined) await writeMetrics(metricsFile, settings, scheduler.missed);
  } finally {
    interrupt.release();
  }
}

/** What holds for the schedule and for each job: those that write one log keep to one bound of it. */
function optionsOfJobs({ dataDir, quiet, detach, logMaxSize, logFiles }: Settings): string[] {
  const log = ['--log-max-size', `${logMaxSize / 2 ** 10}KiB`, '--log-files', String(logFiles)];
  return ['--data-dir', dataDir, ...log, ...(quiet ? ['--quiet'] : []), ...(detach ? ['--detach'] : [])];
}

/** Answers at `--health`; null where that is not asked for. */
async function healthOf(settings: Settings, stop: AbortSignal, missed: MissedTimes) {
  const { health: listen } = settings;
  if (listen === undefined) return null;
  await using open = new AsyncDisposableStack();
  const journal = open.use(new ReopenedJournal(settings));
  open.use(await answerOfProcess({ listen, journal, stop, missed }));
  return open.move();
}

/** Anybody may read it: node_exporter has a user of its own. */
async function writeMetrics(path: string, settings: Settings, missed: MissedTimes): Promise<void> {
  const { JournalMetrics } = await import('../../../compose/metrics.ts');
  const text = await withJournal(settings, ({ journal: { figures } }) =>
    new JournalMetrics({ figures, clock: machineClock, missed }).text(),
  );
  await writeOutput(path, text, 0o644);
}

/** One line of JSON, or one line for people with its time. */
function print(event: ScheduleEvent, settings: Settings, io: Io): void {
  const now = isoUtc(machineClock.wallMs());
  if (settings.json) io.stdout(jsonLine<ScheduleLine>(lineOf(event, now)));
  // A program that reads the JSON may not show that a job is not run.
  if (settings.json && event.event !== 'broken_job') return;
  if (settings.quiet && event.event === 'next') return;
  io.stderr(`${now.slice(0, 19)}Z ${eventWords(event, commandsFor(settings), settings.detach)}\n`);
}

function lineOf(event: ScheduleEvent, at: string): ScheduleLine {
  const due = 'due_at' in event ? { due_at: isoUtc(event.due_at) } : {};
  const again = 'again_at' in event ? { again_at: isoUtc(event.again_at) } : {};
  const errors =
    event.event === 'broken_job' ? { errors: event.errors.map((one) => messages.files.wordsOfFileProblem(one)) } : {};
  const { words: _, ...facts } = event;
  return { at, ...facts, ...due, ...again, ...errors } as ScheduleLine;
}
