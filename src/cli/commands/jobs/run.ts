import { join } from 'node:path';
import process from 'node:process';
import { commandsFor } from '../../../compose/command-hints.ts';
import { openDataJournal } from '../../../compose/data-dir.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isoUtc, parseIso } from '../../../domain/time.ts';
import { chooseInput } from '../../../job/choose-input.ts';
import type { Job } from '../../../job/job.ts';
import { JOB_REMEDY } from '../../../job/job-file.ts';
import { JOBS_FOLDER, type ListedJob, listJobs } from '../../../job/jobs-folder.ts';
import { problemLine } from '../../../job/placed-problem.ts';
import { dueTimes, type Schedule } from '../../../job/schedule.ts';
import { zoneText } from '../../../job/zone.ts';
import { isJournal, journalIn } from '../../../journal/open.ts';
import { printable } from '../../../messages/text.ts';
import { machineClock } from '../../../platform/machine.ts';
import { EXIT } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import { type PlanStanding, planStanding } from '../../plans/plan-standing.ts';
import { undamaged } from '../../runs/known-run.ts';
import { textTable } from '../../tables.ts';
import { processIo } from '../../terminal.ts';
import type { JobsOutput, LastRun, ShownJob, ShownSchedule } from './json.ts';
import { outcomeOfRun } from './last-outcome.ts';

/** Runs in which the last one of each job is looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** Next times that are shown. */
const NEXT_TIMES = 3;

/** What a plan that waits is waiting for, by its run. */
type PlanWords = Map<string, string>;

/** `payrun jobs`: every job by name, those with errors too. Sets the exit code: 2 where one has errors. */
export async function runJobs(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const io = processIo(process.env);
  const words: PlanWords = new Map();
  const lastRuns = await lastRunsIn(settings, words);
  const jobs = listJobs().map((job) => shownJob(job, lastRuns));
  const exit = jobs.some(({ errors }) => errors.length > 0) ? EXIT.usage : EXIT.ok;
  process.exitCode = exit;
  if (settings.json) io.stdout(jsonLine<JobsOutput>({ jobs, exit }));
  else io.stdout(jobs.length === 0 ? NO_JOBS : jobsText(jobs, words));
}

const NO_JOBS = `There are no jobs in ${JOBS_FOLDER}/. A job is a file such as ${join(JOBS_FOLDER, 'salaries.yaml')} with the line \`input: ../salaries.csv\`.\n`;

function shownJob({ name, file, read }: ListedJob, lastRuns: ReadonlyMap<string, LastRun>): ShownJob {
  const last_run = lastRuns.get(name) ?? null;
  if (!read.ok) return { name, file, description: null, input: null, last_run, schedule: null, errors: read.problems };
  const { description, schedule } = read.job;
  const shown = schedule === null ? null : shownSchedule(schedule);
  return { name, file, description, input: inputNow(read.job), last_run, schedule: shown, errors: [] };
}

function shownSchedule(schedule: Schedule): ShownSchedule {
  const { cron, timeZone } = schedule;
  const times = dueTimes(schedule, machineClock.wallMs()).take(NEXT_TIMES).toArray();
  const next = times.map(({ at, period }) => ({ period, due_at: isoUtc(at) }));
  return { cron, time_zone: timeZone, next };
}

function nextText(schedule: ShownSchedule | null): string {
  const at = parseIso(schedule?.next[0]?.due_at ?? '');
  return schedule === null || at === null ? '' : zoneText(at, schedule.time_zone);
}

function inputNow(job: Job): string | null {
  try {
    return chooseInput(job).path;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function lastRunsIn(settings: Settings, words: PlanWords): Promise<Map<string, LastRun>> {
  const last = new Map<string, LastRun>();
  if (!(await isJournal(journalIn(settings.dataDir)))) return last;
  const journal = await openDataJournal(settings.dataDir);
  const means = { journal, command: commandsFor(settings), settings };
  try {
    for (const { run_id, created_at, header, isPlanned } of await undamaged(null, () => journal.listRuns(RUNS_MAX))) {
      const { job, period } = header;
      if (job === null || last.has(job)) continue;
      const outcome = await outcomeOfRun(journal, run_id);
      // A plan that was cancelled is no run, and would hide what became of the last one.
      if (isPlanned && outcome.state !== 'planned') continue;
      const plan = outcome.state === 'planned' ? await planStanding(run_id, means) : null;
      last.set(job, { run_id, created_at: isoUtc(created_at), period, ...outcome, ...planOutcome(plan) });
      if (plan !== null) words.set(run_id, plan.words);
    }
  } finally {
    await journal.close();
  }
  return last;
}

function planOutcome(plan: PlanStanding | null): Partial<LastRun> {
  if (plan === null) return {};
  const { why, next } = plan;
  return { ...(why !== null && { outcome: 'cannot be run any more' }), plan: { why, next } };
}

function jobsText(jobs: readonly ShownJob[], words: PlanWords): string {
  const rows = jobs.map(({ name, input, last_run, schedule, description, errors }) => [
    name,
    errors.length > 0 ? '(has errors)' : (input ?? '(no file)'),
    last_run?.run_id ?? '',
    last_run?.outcome ?? '',
    nextText(schedule),
    description ?? '',
  ]);
  const columns = [
    { title: 'JOB', widthMax: 32 },
    { title: 'INPUT', widthMax: 48 },
    { title: 'LAST RUN' },
    { title: 'OUTCOME', widthMax: 40 },
    { title: 'NEXT' },
    { title: 'DESCRIPTION', widthMax: 60 },
  ];
  const errors = jobs.flatMap(({ file, errors }) => errors.map((problem) => `${problemLine(file, problem)}\n`));
  const plans = jobs.flatMap(({ name, last_run }) => {
    const said = words.get(last_run?.run_id ?? '');
    return said === undefined ? [] : [`${printable(`${name}: ${last_run?.run_id} ${said}`)}\n`];
  });
  const below = [...plans, ...errors, ...(errors.length === 0 ? [] : [`${JOB_REMEDY}\n`])];
  return `${textTable(columns, rows)}${below.length === 0 ? '' : `\n${below.join('')}`}`;
}
