import type { RunCreated } from '../../domain/entry.ts';
import type { PlanNext } from '../../domain/outcomes/approve-outcome.ts';
import type { PlanObstacle } from '../../domain/outcomes/plan-obstacle.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { OtherPlan } from '../../domain/refusals/paid-reasons.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { countPayouts } from '../../domain/run/tally.ts';
import { JournalDamaged } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { approvalsAt, nextOf } from '../approve/approvals.ts';
import { requireToday } from './job-today.ts';
import { type Looking, requirePlan } from './require-plan.ts';

/** Runs in which plans that wait are looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** A plan that waits, or did until now. */
export type WaitingPlan = {
  run_id: string;
  job: string | null;
  period: string | null;
  /** Unix ms. */
  createdAt: number;
  /** Whose approval counts. */
  approvedBy: string[];
  /** Why it cannot be run any more; null where it can. */
  why: PlanObstacle | null;
  next: PlanNext;
  isApproved: boolean;
  run: RunState;
};

/** What became of older plans when a new one took their place, and which could be run as well as it. */
export type OlderPlans = { replaced: WaitingPlan[]; waiting: WaitingPlan[] };

export const NO_OLDER_PLANS: OlderPlans = { replaced: [], waiting: [] };

/** What is looked at of a run that is, or may be, planned. */
type Planned = Pick<RunCreated, 'run_id' | 'job' | 'period' | 'input' | 'scope'>;

/**
 * Ends the older plans of the same period of a job, or of the same file, in favour of a new one: those that cannot be run
 * any more, and those of a job that nobody has approved. What is approved and can be run, and what nobody has to approve,
 * is left to people: only one of both can be started.
 */
export async function replaceOlder(header: RunCreated, means: Looking): Promise<OlderPlans> {
  const { job, run_id } = header;
  const older: OlderPlans = { replaced: [], waiting: [] };
  for await (const plan of waitingPlans(means, (other) => isLike(other, header))) {
    const isReplaced = plan.why !== null || (job !== null && plan.approvedBy.length === 0);
    const isEnded = isReplaced && (await endPlan(means, plan, { by: 'a newer plan', replaced_by: run_id }));
    older[isEnded ? 'replaced' : 'waiting'].push(plan);
  }
  return older;
}

/** Whether another plan would pay the same: the period of a job, or its file. */
function isLike(other: RunCreated, { run_id, job, period, input, scope }: Planned): boolean {
  if (other.run_id === run_id || other.retries !== null || other.job !== job || other.scope !== scope) return false;
  return (job !== null && period !== null && other.period === period) || other.input.sha256 === input.sha256;
}

/**
 * Throws a `Refusal` (`refused`) where a plan waits that would pay the same, that enough have approved and that can be run:
 * to have the job paid, that one is to be run, or ended.
 */
export async function refuseBesideApproved(header: Planned, means: Looking): Promise<void> {
  for await (const plan of waitingPlans(means, (other) => isLike(other, header))) {
    if (plan.why !== null || !plan.isApproved) continue;
    throw new Refusal({ code: 'other_plan_approved', plan: otherOf(plan, means.clock.wallMs()), next: plan.next });
  }
}

/**
 * Throws a `Refusal` (`refused`) where a plan of a job that asks for approval waits for the same file at the same service:
 * what the people of that job have to approve is not paid without them. Another plan of the job itself, or of a job with
 * people of its own, is none of this.
 */
export async function refuseBesideJob(
  header: Pick<RunCreated, 'job' | 'input' | 'profile' | 'retries' | 'corrections_sha256'>,
  approval: ApprovalPolicy | null,
  means: Looking,
): Promise<void> {
  if (header.job !== null && approval !== null) return;
  const isMeant = (other: RunCreated): boolean =>
    other.job !== null &&
    other.job !== header.job &&
    other.profile.base_url === header.profile.base_url &&
    fileOf(other) === fileOf(header);
  for await (const plan of waitingPlans(means, isMeant)) {
    if (!plan.run.plan?.approval) continue;
    const { job, why, next } = plan;
    throw new Refusal({ code: 'other_plan_of_job', plan: otherOf(plan, means.clock.wallMs()), job, why, next });
  }
}

/** The hash of the file whose rows are paid: of a retry that of its corrections. */
function fileOf({ retries, input, corrections_sha256 }: Pick<RunCreated, 'retries' | 'input' | 'corrections_sha256'>) {
  return retries === null ? input.sha256 : corrections_sha256;
}

/** The plans that wait, newest first. One that cannot be read is no reason not to make another. */
export async function* waitingPlans(
  means: Looking,
  isMeant: (header: RunCreated) => boolean = () => true,
): AsyncGenerator<WaitingPlan> {
  for (const { run_id, isPlanned, header } of await means.journal.listRuns(RUNS_MAX)) {
    const plan = isPlanned && isMeant(header) ? await readWaiting(run_id, means) : null;
    if (plan !== null) yield plan;
  }
}

async function readWaiting(runId: string, means: Looking): Promise<WaitingPlan | null> {
  try {
    return await waitingPlan(await foldPages(means.journal.readRun(runId)), means);
  } catch (error) {
    if (error instanceof JournalDamaged) return null;
    throw error;
  }
}

/** How a plan stands that nobody has started; null where it is no plan that waits. */
export async function waitingPlan(run: RunState, means: Looking): Promise<WaitingPlan | null> {
  if (run.header === null || run.cancelled || !isPlannedOnly(run)) return null;
  const nowMs = means.clock.wallMs();
  const { needed, missing, approvals } = approvalsAt(run, nowMs);
  return {
    run_id: run.header.run_id,
    job: run.header.job,
    period: run.header.period,
    createdAt: run.createdAt,
    approvedBy: approvals.filter(({ counts }) => counts).map(({ approver }) => approver),
    why: await whyNot(run, means),
    next: nextOf(run, nowMs),
    isApproved: needed > 0 && missing === 0,
    run,
  };
}

/** Why it would not be started whatever is approved, paid in or mended; null where it could be. */
async function whyNot(run: RunState, means: Looking): Promise<PlanObstacle | null> {
  const repeats = run.header?.repeats ?? null;
  try {
    await requirePlan(run, means, { allowed: repeats === null ? undefined : [repeats] });
    await requireToday(run);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A job or a file that cannot be read today may be there tomorrow.
    const isLasting = error.kind === 'refused' || error.kind === 'person_needed';
    return isLasting && error.reason.code === 'no_plan' ? error.reason.obstacle : null;
  }
}

/** Cancels a plan for good; false where another process works on it, or somebody approved or started it meanwhile. */
export async function endPlan(
  { journal, clock }: Looking,
  plan: WaitingPlan,
  cancelled: { by: string; replaced_by?: string },
): Promise<boolean> {
  const opened = await journal.openRun(plan.run_id);
  if (opened.outcome !== 'opened') return false;
  try {
    const run = await foldPages(journal.readRun(plan.run_id));
    const isAsRead = isPlannedOnly(run) && !run.cancelled && run.approvals.length === plan.run.approvals.length;
    if (!isAsRead) return false;
    const entry = { kind: 'cancelled' as const, ...cancelled };
    applyToRun(run, entry, clock.wallMs());
    const { open: _, ...counts } = countPayouts(run);
    await opened.writer.append([entry, { kind: 'finished', counts }]);
    return true;
  } finally {
    await opened.writer.release();
  }
}

/** As a refusal names it. */
export function otherOf({ run_id: runId, createdAt, approvedBy }: WaitingPlan, nowMs: number): OtherPlan {
  return { runId, ageMs: nowMs - createdAt, approvedBy };
}
