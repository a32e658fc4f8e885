import { startedOfPeriod } from '../../../app/plan/earlier-runs.ts';
import { countsFor, type KindAhead } from '../../../domain/kind-of-payment.ts';
import { periodOf } from '../../../domain/period.ts';
import type { DueTime } from '../../../job/schedule.ts';
import type { Journal, RunSummary } from '../../../journal/journal.ts';
import { foldPages } from '../../../journal/pages.ts';
import { type PlanStanding, planStanding } from '../../plans/plan-standing.ts';
import type { PlanMeans } from '../../plans/replaced-plans.ts';
import { phaseNow, standingNow, undamaged } from '../../runs/known-run.ts';

/** What the journal knows of the last times of a job. */
export type JobStanding = {
  /**
   * The times, oldest first, since the last one whose period was run, and since the job's first run or the period that it
   * paid; those whose run is planned and waits are none.
   */
  unpaid: DueTime[];
  /** Of the other times since then, the plan of each that waits. */
  planned: { due: DueTime; plan: PlanStanding }[];
  /** Of unpaid times, the newest plan of each that cannot be run any more. */
  useless: { due: DueTime; plan: PlanStanding }[];
  /** Whether any run of the job was ever started. */
  wasRun: boolean;
  /** The job's last run, where it was cut off and nobody went on with it. */
  cutOff: string | null;
};

/** Runs in which those of one job are looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** A job, and what is known of the service that it is paid at: a rehearsal is no run of a job that moves money. */
export type JobKnown = { name: string; kind: KindAhead };

/** How the times `dues` of a job stand, oldest first. Throws a `Refusal` where the journal is damaged. */
export async function standingOf(means: PlanMeans, job: JobKnown, dues: readonly DueTime[]): Promise<JobStanding> {
  try {
    return await read(means, job, dues);
  } catch (error) {
    return await undamaged(null, () => {
      throw error;
    });
  }
}

async function read(means: PlanMeans, { name, kind }: JobKnown, dues: readonly DueTime[]): Promise<JobStanding> {
  const { journal } = means;
  const runs = (await journal.listRuns(RUNS_MAX)).filter(
    ({ header }) => header.job === name && countsFor(kind, header),
  );
  const started = runs.filter(({ isPlanned }) => !isPlanned);
  const paidAt = await lastPaid(journal, { name, kind }, dues);
  const first = started.at(-1) ?? null;
  const since = dues.slice(paidAt + 1).filter((due) => first === null || isSince(due, first));
  const last = started[0]?.run_id ?? null;
  const standing: JobStanding = {
    unpaid: [],
    planned: [],
    useless: [],
    wasRun: last !== null,
    cutOff: last !== null && (await isCutOff(journal, last)) ? last : null,
  };
  for (const due of since) {
    const plan = await planFor(due, runs, means);
    if (plan !== null) (plan.why === null ? standing.planned : standing.useless).push({ due, plan });
    if (plan?.why !== null) standing.unpaid.push(due);
  }
  return standing;
}

/** Which of the times is the last whose period a started run pays; -1 where none is. */
async function lastPaid(journal: Journal, { name, kind }: JobKnown, dues: readonly DueTime[]): Promise<number> {
  for (const [at, { period }] of [...dues.entries()].reverse())
    if ((await startedOfPeriod(journal, { job: name, period, kind })).length > 0) return at;
  return -1;
}

/**
 * Whether a time is for this journal to say anything of: it came after the job's first run, or after the period that the
 * first run paid. What is older was paid in another way, or by nobody.
 */
function isSince({ at, period }: DueTime, { created_at, header }: RunSummary): boolean {
  if (at >= created_at) return true;
  const paid = header.period;
  // Keys of one kind grow with their times; the job may have had another schedule.
  return paid !== null && periodOf(paid) === periodOf(period) && period > paid;
}

/** The newest plan of the period that can be run, else the newest of those that cannot; null where none waits. */
async function planFor(
  { period }: DueTime,
  runs: readonly RunSummary[],
  means: PlanMeans,
): Promise<PlanStanding | null> {
  let useless: PlanStanding | null = null;
  for (const { run_id, header, isPlanned } of runs) {
    if (!isPlanned || header.period !== period) continue;
    const plan = await planStanding(run_id, means);
    if (plan?.why === null) return plan;
    useless ??= plan;
  }
  return useless;
}

async function isCutOff(journal: Journal, runId: string): Promise<boolean> {
  const run = await foldPages(journal.readRun(runId));
  // What a person paused waits for that person.
  return (await phaseNow(journal, run, runId)) === 'stopped' && (await standingNow(journal, run, runId)) !== 'paused';
}
