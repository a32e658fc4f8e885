import { join } from 'node:path';
import process from 'node:process';
import { undamaged } from '../../../app/runs/known-run.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { openDataJournal } from '../../../compose/data-dir.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isoUtc, parseIso } from '../../../domain/time.ts';
import { chooseInput } from '../../../job/choose-input.ts';
import type { Job } from '../../../job/job.ts';
import { JOBS_FOLDER, type ListedJob, listJobs } from '../../../job/jobs-folder.ts';
import { dueTimes, type Schedule } from '../../../job/schedule.ts';
import { zoneText } from '../../../job/zone.ts';
import { isJournal, journalIn } from '../../../journal/open.ts';
import { FILE_REMEDIES, fileProblemLine } from '../../../messages/refusals/job-words.ts';
import { printable } from '../../../messages/text.ts';
import { machineClock } from '../../../platform/machine.ts';
import { EXIT } from '../../exit.ts';
import { printResult } from '../../json/line.ts';
import { planStanding } from '../../plans/plan-standing.ts';
import { textTable } from '../../tables.ts';
import { processIo } from '../../terminal.ts';
import type { JobsOutput, LastRun, ShownJob, ShownSchedule } from './json.ts';
import { outcomeOfRun } from './last-outcome.ts';

/** Runs in which the last one of each job is looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** Next times that are shown. */
const NEXT_TIMES = 3;

/** The last run of a job; of a plan that waits, in words what it waits for. */
type Last = { run: LastRun; waits: string | null };

/** `payrun jobs`: every job by name, those with errors too. Sets the exit code: 2 where one has errors. */
export async function runJobs(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const lasts = await lastRuns(settings);
  const jobs = listJobs().map((job) => shownJob(job, lasts.get(job.name)?.run ?? null));
  const exit = jobs.some(({ errors }) => errors.length > 0) ? EXIT.usage : EXIT.ok;
  const to = { stdout: processIo(process.env).stdout, json: settings.json };
  process.exitCode = printResult<JobsOutput>(to, { jobs, exit }, () => jobsText(jobs, lasts));
}

function shownJob({ name, file, read }: ListedJob, last_run: LastRun | null): ShownJob {
  if (!read.ok) return { name, file, description: null, input: null, last_run, schedule: null, errors: read.problems };
  const { description, schedule } = read.job;
  const shown = schedule === null ? null : shownSchedule(schedule);
  return { name, file, description, input: inputNow(read.job), last_run, schedule: shown, errors: [] };
}

function shownSchedule(schedule: Schedule): ShownSchedule {
  const times = dueTimes(schedule, machineClock.wallMs()).take(NEXT_TIMES).toArray();
  const next = times.map(({ at, period }) => ({ period, due_at: isoUtc(at) }));
  return { cron: schedule.cron, time_zone: schedule.timeZone, next };
}

function inputNow(job: Job): string | null {
  try {
    return chooseInput(job).path;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** By job. */
async function lastRuns(settings: Settings): Promise<Map<string, Last>> {
  const last = new Map<string, Last>();
  if (!(await isJournal(journalIn(settings.dataDir)))) return last;
  await using open = new AsyncDisposableStack();
  const journal = open.adopt(await openDataJournal(settings.dataDir), (opened) => opened.close());
  const means = { journal, command: commandsFor(settings), settings };
  for (const { run_id, created_at, header, isPlanned } of await undamaged(null, () => journal.listRuns(RUNS_MAX))) {
    const { job, period } = header;
    if (job === null || last.has(job)) continue;
    const outcome = await outcomeOfRun(journal, run_id);
    // A plan that was cancelled is no run, and would hide what became of the last one.
    if (isPlanned && outcome.state !== 'planned') continue;
    const run: LastRun = { run_id, created_at: isoUtc(created_at), period, ...outcome };
    const plan = outcome.state === 'planned' ? await planStanding(run_id, means) : null;
    if (plan !== null) run.plan = { why: plan.why, next: plan.next };
    if (plan !== null && plan.why !== null) run.outcome = 'cannot be run any more';
    last.set(job, { run, waits: plan?.words ?? null });
  }
  return last;
}

const COLUMNS = [
  { title: 'JOB', widthMax: 32 },
  { title: 'INPUT', widthMax: 48 },
  { title: 'LAST RUN' },
  { title: 'OUTCOME', widthMax: 40 },
  { title: 'NEXT' },
  { title: 'DESCRIPTION', widthMax: 60 },
];

function jobsText(jobs: readonly ShownJob[], lasts: ReadonlyMap<string, Last>): string {
  if (jobs.length === 0)
    return `There are no jobs in ${JOBS_FOLDER}/. A job is a file such as ${join(JOBS_FOLDER, 'salaries.yaml')} with the line \`input: ../salaries.csv\`.\n`;
  const rows = jobs.map(({ name, input, last_run, schedule, description, errors }) => [
    name,
    errors.length > 0 ? '(has errors)' : (input ?? '(no file)'),
    last_run?.run_id ?? '',
    last_run?.outcome ?? '',
    nextText(schedule),
    description ?? '',
  ]);
  const errors = jobs.flatMap(({ file, errors }) => errors.map((problem) => fileProblemLine(file, problem)));
  const plans = jobs.flatMap(({ name, last_run }) => {
    const waits = lasts.get(name)?.waits ?? null;
    return waits === null ? [] : [printable(`${name}: ${last_run?.run_id} ${waits}`)];
  });
  const below = [...plans, ...errors, ...(errors.length === 0 ? [] : [FILE_REMEDIES.job])];
  return `${textTable(COLUMNS, rows)}${below.length === 0 ? '' : `\n${below.join('\n')}\n`}`;
}

function nextText(schedule: ShownSchedule | null): string {
  const at = parseIso(schedule?.next[0]?.due_at ?? '');
  return schedule === null || at === null ? '' : zoneText(at, schedule.time_zone);
}
