import type { Counts } from '../../domain/entry.ts';
import { type PlacedProblem, problemLine } from '../../job/placed-problem.ts';
import { dueTimes } from '../../job/schedule.ts';
import { zoneText } from '../../job/zone.ts';
import type { Dependencies } from '../dependencies.ts';
import { type RunInHistory, runsInHistory } from './runs-list.ts';

/** Next times that are shown. */
const NEXT_TIMES = 3;

export type JobRun = {
  runId: string;
  at: number;
  period: string | null;
  state: RunInHistory['state'];
  counts: Counts | null;
};

export type ShownJob = {
  name: string;
  file: string;
  description: string | null;
  /** `cron` in its time zone, and the next times in that zone with the period of each; null where it has no schedule. */
  schedule: { cron: string; timeZone: string; next: { at: string; period: string }[] } | null;
  /** The last run that was started, and the newest plan that waits after it. */
  lastRun: JobRun | null;
  waitingPlan: JobRun | null;
  /** As `jobs/a.yaml:7:3: what; how to mend`. */
  problems: string[];
};

/** Every job by name, those whose file has errors too. */
export async function listShownJobs({
  jobs,
  journal,
  clock,
}: Pick<Dependencies, 'jobs' | 'journal' | 'clock'>): Promise<ShownJob[]> {
  const { last, waiting } = runsByJob(await runsInHistory(journal));
  return jobs().map(({ name, file, read }) => {
    const runs = { lastRun: last.get(name) ?? null, waitingPlan: waiting.get(name) ?? null };
    if (!read.ok)
      return { name, file, description: null, schedule: null, ...runs, problems: lines(file, read.problems) };
    const { description, schedule } = read.job;
    if (schedule === null) return { name, file, description, schedule, ...runs, problems: [] };
    const { cron, timeZone } = schedule;
    const times = dueTimes(schedule, clock.wallMs()).take(NEXT_TIMES).toArray();
    const next = times.map(({ at, period }) => ({ at: zoneText(at, timeZone), period }));
    return { name, file, description, schedule: { cron, timeZone, next }, ...runs, problems: [] };
  });
}

function lines(file: string, problems: readonly PlacedProblem[]): string[] {
  return problems.map((problem) => problemLine(file, problem));
}

/** Newest first: the first of a job that is met is its last. */
function runsByJob(runs: readonly RunInHistory[]) {
  const last = new Map<string, JobRun>();
  const waiting = new Map<string, JobRun>();
  for (const { summary, state, counts } of runs) {
    const { job, period } = summary.header;
    if (job === null || state === 'cancelled_plan' || last.has(job)) continue;
    const run = { runId: summary.run_id, at: summary.created_at, period, state, counts };
    if (state !== 'planned') last.set(job, run);
    else if (!waiting.has(job)) waiting.set(job, run);
  }
  return { last, waiting };
}
