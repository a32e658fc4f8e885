import { countsFor, type KindAhead } from '../../domain/kind-of-payment.ts';
import { periodOf } from '../../domain/period.ts';
import type { DueTime } from '../../job/schedule.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import { startedOfPeriod } from '../compare/earlier-runs.ts';

/** How a plan stands that nobody has started. `why` it cannot be run any more, or null; `words` say it all. */
export type StandingPlan = {
  run_id: string;
  approvals_missing: number;
  why: string | null;
  /** The literal next command. */
  next: string;
  words: string;
};

type PlannedTime = { due: DueTime; plan: StandingPlan };

/** What the journal knows of the last times of a job. */
export type JobStanding = {
  /**
   * The times, oldest first, since the last one whose period was run, and since the job's first run or the period that it
   * paid; without those whose plan waits.
   */
  unpaid: DueTime[];
  /** The other times since then, each with its plan that waits. */
  planned: PlannedTime[];
  /** Of unpaid times, the newest plan of each that cannot be run any more. */
  useless: PlannedTime[];
  /** Whether any run of the job was ever started. */
  wasRun: boolean;
  /** Whether a run of the last of the times was started. */
  isBegun: boolean;
  /** The job's last run, where it was cut off and nobody went on with it. */
  cutOff: string | null;
  /** Whether the job's last run has not ended, and is not cut off: a process works on it, here or on another host, or will. */
  isUnderWay: boolean;
};

/** Runs in which those of one job are looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

export type StandingDeps = {
  journal: Journal;
  /** Null where the run is no plan that waits. */
  planStanding(runId: string): Promise<StandingPlan | null>;
  /** Whether a run ended without a result, and no person paused it. */
  isCutOff(runId: string): Promise<boolean>;
  /** Whether a process works on a run, or workers are to. */
  isUnderWay(runId: string): Promise<boolean>;
};

/** A job, and what is known of the service that it is paid at: a rehearsal is no run of a job that moves money. */
export type KnownJob = { name: string; kind: KindAhead };

/** How the times `dues` of a job stand, oldest first. Throws `JournalDamaged`. */
export async function jobStanding(deps: StandingDeps, job: KnownJob, dues: readonly DueTime[]): Promise<JobStanding> {
  const runs = (await deps.journal.listRuns(RUNS_MAX)).filter(
    ({ header }) => header.job === job.name && countsFor(job.kind, header),
  );
  const started = runs.filter(({ isPlanned }) => !isPlanned);
  const first = started.at(-1);
  const last = started[0]?.run_id ?? null;
  const paidAt = await lastPaid(deps.journal, job, dues);
  const standing: JobStanding = {
    unpaid: [],
    planned: [],
    useless: [],
    wasRun: last !== null,
    isBegun: paidAt >= 0 && paidAt === dues.length - 1,
    cutOff: last !== null && (await deps.isCutOff(last)) ? last : null,
    isUnderWay: last !== null && (await deps.isUnderWay(last)),
  };
  for (const due of dues.slice(paidAt + 1)) {
    if (first !== undefined && !isSince(due, first)) continue;
    const plan = await planOf(due, runs, deps);
    if (plan?.why === null) standing.planned.push({ due, plan });
    else standing.unpaid.push(due);
    if (plan !== null && plan.why !== null) standing.useless.push({ due, plan });
  }
  return standing;
}

/** Which of the times is the last whose period a started run pays; -1 where none is. */
async function lastPaid(journal: Journal, { name, kind }: KnownJob, dues: readonly DueTime[]): Promise<number> {
  for (const [at, { period }] of [...dues.entries()].reverse())
    if ((await startedOfPeriod(journal, { job: name, period, kind })).length > 0) return at;
  return -1;
}

/**
 * Whether this journal has to know of a time: it came after the job's first run, or after the period that the first run
 * paid. What is older was paid in another way, or by nobody.
 */
function isSince({ at, period }: DueTime, { created_at, header }: RunSummary): boolean {
  if (at >= created_at) return true;
  const paid = header.period;
  // Keys of one kind grow with their times; the job may have had another schedule.
  return paid !== null && periodOf(paid) === periodOf(period) && period > paid;
}

/** The newest plan of the period that can be run, else the newest of those that cannot; null where none waits. */
async function planOf(
  { period }: DueTime,
  runs: readonly RunSummary[],
  { planStanding }: StandingDeps,
): Promise<StandingPlan | null> {
  let useless: StandingPlan | null = null;
  for (const { run_id, header, isPlanned } of runs) {
    if (!isPlanned || header.period !== period) continue;
    const plan = await planStanding(run_id);
    if (plan?.why === null) return plan;
    useless ??= plan;
  }
  return useless;
}
