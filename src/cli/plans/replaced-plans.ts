import { nearFile } from '../../compose/command-hints.ts';
import type { Settings } from '../../compose/settings.ts';
import type { RunCreated } from '../../domain/entry.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { countPayouts } from '../../domain/run/tally.ts';
import { type Journal, JournalDamaged, type RunWriter } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { otherPlanText } from '../../messages/refusals/paid-words.ts';
import { clauseOf } from '../../messages/refusals/refusal.ts';
import { printable } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { requireToday } from '../jobs/job-today.ts';
import { approvalsOf, nextStep } from './approvals.ts';
import { requirePlan } from './waiting-plan.ts';

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
  why: string | null;
  run: RunState;
};

/** What became of older plans when a new one took their place, and which could be run as well as it. */
export type OlderPlans = { replaced: WaitingPlan[]; waiting: WaitingPlan[] };

export const NO_OLDER_PLANS: OlderPlans = { replaced: [], waiting: [] };

/** What is looked at of a run that is, or may be, planned. */
type Planned = Pick<RunCreated, 'run_id' | 'job' | 'period' | 'input' | 'scope'>;

export type PlanMeans = { journal: Journal; command: CommandLine; settings: Settings };

/**
 * Ends the older plans of the same period of a job, or of the same file, in favour of a new one: those that cannot be run
 * any more, and those of a job that nobody has approved. What is approved and can be run, and what nobody has to approve,
 * is left to people: only one of both can be started.
 */
export async function replaceOlder(header: RunCreated, means: PlanMeans): Promise<OlderPlans> {
  const { job, run_id } = header;
  const older: OlderPlans = { replaced: [], waiting: [] };
  for await (const plan of waitingPlans(means, (other) => isLike(other, header))) {
    const isReplaced = plan.why !== null || (job !== null && plan.approvedBy.length === 0);
    const isEnded = isReplaced && (await endPlan(means.journal, plan, { by: 'a newer plan', replaced_by: run_id }));
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
 * whoever would have the job paid is to run that one, or to end it.
 */
export async function refuseBesideApproved(header: Planned, means: PlanMeans): Promise<void> {
  for await (const plan of waitingPlans(means, (other) => isLike(other, header))) {
    if (plan.why !== null || !isApproved(plan)) continue;
    const next = nextStep(plan.run, means.command);
    throw new Refusal({ code: 'other_plan_approved', plan: otherOf(plan), next });
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
  means: PlanMeans,
): Promise<void> {
  if (header.job !== null && approval !== null) return;
  const isMeant = (other: RunCreated): boolean =>
    other.job !== null &&
    other.job !== header.job &&
    other.profile.base_url === header.profile.base_url &&
    fileOf(other) === fileOf(header);
  for await (const plan of waitingPlans(means, isMeant)) {
    if (!plan.run.plan?.approval) continue;
    const { job, why, run } = plan;
    const next = nextStep(run, means.command);
    throw new Refusal({ code: 'other_plan_of_job', plan: otherOf(plan), job, why, next });
  }
}

/** The hash of the file whose rows are paid: of a retry that of its corrections. */
function fileOf({ retries, input, corrections_sha256 }: Pick<RunCreated, 'retries' | 'input' | 'corrections_sha256'>) {
  return retries === null ? input.sha256 : corrections_sha256;
}

function isApproved({ run }: WaitingPlan): boolean {
  const { needed, missing } = approvalsOf(run);
  return needed > 0 && missing === 0;
}

/** The plans that wait, newest first. One that cannot be read is no reason not to make another. */
export async function* waitingPlans(
  means: PlanMeans,
  isMeant: (header: RunCreated) => boolean = () => true,
): AsyncGenerator<WaitingPlan> {
  for (const { run_id, isPlanned, header } of await means.journal.listRuns(RUNS_MAX)) {
    const plan = isPlanned && isMeant(header) ? await readWaiting(run_id, means) : null;
    if (plan !== null) yield plan;
  }
}

async function readWaiting(runId: string, means: PlanMeans): Promise<WaitingPlan | null> {
  try {
    const run = await foldPages(means.journal.readRun(runId));
    if (run.header === null || run.cancelled || !isPlannedOnly(run)) return null;
    const approvedBy = approvalsOf(run).approvals.filter(({ counts }) => counts);
    return {
      run_id: runId,
      job: run.header.job,
      period: run.header.period,
      createdAt: run.createdAt,
      approvedBy: approvedBy.map(({ approver }) => approver),
      why: await whyNot(run, means),
      run,
    };
  } catch (error) {
    if (error instanceof JournalDamaged) return null;
    throw error;
  }
}

/** Why `run` would refuse it whatever is approved, paid in or mended; null where it need not. */
export async function whyNot(run: RunState, { journal, command, settings }: PlanMeans): Promise<string | null> {
  const allowRepeat = run.header?.repeats ?? undefined;
  try {
    await requirePlan(run, { journal, settings: { ...settings, allowRepeat } });
    await requireToday(run);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A job or a file that cannot be read today may be there tomorrow.
    if (error.kind !== 'refused' && error.kind !== 'person_needed') return null;
    return clauseOf(error, { command, near: nearFile });
  }
}

/** Cancels a plan for good; false where another process works on it, or somebody approved or started it meanwhile. */
export async function endPlan(
  journal: Journal,
  plan: WaitingPlan,
  said: { by: string; replaced_by?: string },
): Promise<boolean> {
  const opened = await journal.openRun(plan.run_id);
  if (opened.outcome !== 'opened') return false;
  try {
    return await end(journal, plan, opened.writer, said);
  } finally {
    await opened.writer.release();
  }
}

async function end(
  journal: Journal,
  plan: WaitingPlan,
  writer: RunWriter,
  said: { by: string; replaced_by?: string },
): Promise<boolean> {
  const run = await foldPages(journal.readRun(plan.run_id));
  const isAsRead = isPlannedOnly(run) && !run.cancelled && run.approvals.length === plan.run.approvals.length;
  if (!isAsRead) return false;
  const cancelled = { kind: 'cancelled' as const, ...said };
  applyToRun(run, cancelled, machineClock.wallMs());
  const { open: _, ...counts } = countPayouts(run);
  await writer.append([cancelled, { kind: 'finished', counts }]);
  return true;
}

/** What a plan says of older ones; nothing where there are none. */
export function olderText({ replaced, waiting }: OlderPlans, command: CommandLine): string {
  const lines = [
    ...replaced.map(
      (plan) =>
        `${planWords(plan)} is replaced by this one${plan.why === null ? '' : `: it could not be run any more (${plan.why})`}.`,
    ),
    ...waiting.filter((plan) => !isApproved(plan)).flatMap((plan) => waitingLines(plan, command)),
  ];
  return lines.length === 0 ? '' : `${lines.map(printable).join('\n')}\n\n`;
}

/** What a plan says first: that another one is approved and can be run; nothing where there is none. */
export function approvedText({ waiting }: OlderPlans, command: CommandLine): string {
  const lines = waiting.filter(isApproved).flatMap((plan) => waitingLines(plan, command));
  return lines.length === 0 ? '' : `${lines.map(printable).join('\n')}\n\n`;
}

function waitingLines(plan: WaitingPlan, command: CommandLine): string[] {
  return [
    `${planWords(plan)} waits too, and only one of both can be run. ${nextStep(plan.run, command)}`,
    `To end it: ${command('cancel', plan.run_id)}`,
  ];
}

/** `The plan R1, made 3 days ago and approved by Anna,`. */
export function planWords(plan: WaitingPlan): string {
  return otherPlanText(otherOf(plan));
}

function otherOf({ run_id: runId, createdAt, approvedBy }: WaitingPlan) {
  return { runId, ageMs: machineClock.wallMs() - createdAt, approvedBy };
}
