import type { FileProblem } from '../../domain/refusals/settings-faults.ts';
import type { RunEnding } from '../../domain/run/ending.ts';
import type { RunPhase, RunStanding, RunState } from '../../domain/run/run-state.ts';
import type { Job } from '../../job/job.ts';
import { JOBS_FOLDER, listJobs } from '../../job/jobs-folder.ts';
import { type DueTime, dueTimes } from '../../job/schedule.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import type { Clock } from '../../platform/clock.ts';
import { endingOf } from '../../report/model/outcome.ts';
import { approvalsAt } from '../approve/approvals.ts';
import { type WaitingPlan, waitingPlan } from '../plan/awaiting.ts';
import { phaseNow, standingNow, undamaged } from '../runs/known-run.ts';
import { inputNow } from '../schedule/known-jobs.ts';

/** Runs in which the last one of each job is looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** The folder of the jobs. */
export const FOLDER: string = JOBS_FOLDER;

/** Next times that are read of a schedule. */
const NEXT_TIMES = 3;

/** The last run of a job. `plan`: of one that nobody has started. */
export type LastRun = {
  summary: RunSummary;
  phase: RunPhase;
  standing: RunStanding;
  /** How it ended; null where it has not, or left no mark. */
  ending: RunEnding | null;
  approvals: { needed: number; missing: number };
  plan: WaitingPlan | null;
};

export type NextTimes = { cron: string; timeZone: string; next: readonly DueTime[] };

export type JobNow = {
  name: string;
  file: string;
  description: string | null;
  /** The file that would be paid now; null where there is none. */
  input: string | null;
  schedule: NextTimes | null;
  last: LastRun | null;
  /** What is wrong with its file; the other members but `last` are null then. */
  problems: readonly FileProblem[];
};

type Deps = { journal: Journal | null; clock: Clock };

/** Every job of the folder by name, those with errors too. Throws a `Refusal` where the journal is damaged. */
export async function jobsNow({ journal, clock }: Deps): Promise<JobNow[]> {
  const lasts = journal === null ? new Map<string, LastRun>() : await lastRuns({ journal, clock });
  return listJobs().map(({ name, file, read }) => {
    const known = { name, file, last: lasts.get(name) ?? null };
    if (!read.ok) return { ...known, description: null, input: null, schedule: null, problems: read.problems };
    const { description } = read.job;
    return { ...known, description, input: inputNow(read.job), schedule: nextTimes(read.job, clock), problems: [] };
  });
}

function nextTimes({ schedule }: Job, clock: Clock): NextTimes | null {
  if (schedule === null) return null;
  const { cron, timeZone } = schedule;
  return { cron, timeZone, next: dueTimes(schedule, clock.wallMs()).take(NEXT_TIMES).toArray() };
}

/** By job. */
async function lastRuns(deps: { journal: Journal; clock: Clock }): Promise<Map<string, LastRun>> {
  const lasts = new Map<string, LastRun>();
  for (const summary of await undamaged(null, () => deps.journal.listRuns(RUNS_MAX))) {
    const { job } = summary.header;
    if (job === null || lasts.has(job)) continue;
    const last = await lastRun(summary, deps);
    // A plan that was cancelled is no run, and would hide what became of the last one.
    if (!summary.isPlanned || last.standing === 'planned') lasts.set(job, last);
  }
  return lasts;
}

async function lastRun(summary: RunSummary, deps: { journal: Journal; clock: Clock }): Promise<LastRun> {
  const { journal, clock } = deps;
  const { run_id: runId } = summary;
  const run = await undamaged(runId, () => foldPages(journal.readRun(runId)));
  const phase = await phaseNow(journal, run, runId);
  const standing = await standingNow(journal, run, runId);
  const { needed, missing } = approvalsAt(run, clock.wallMs());
  const plan = standing === 'planned' ? await waitingPlan(run, deps) : null;
  return { summary, phase, standing, ending: lastEnding(run, phase), approvals: { needed, missing }, plan };
}

/** Null where it has not ended, or left no mark. */
function lastEnding(run: RunState, phase: RunPhase): RunEnding | null {
  if (phase === 'finished') return endingOf(run, null);
  return phase === 'stopped' && run.stopped !== null ? endingOf(run, run.stopped) : null;
}
