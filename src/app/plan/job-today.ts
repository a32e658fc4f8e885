import { resolve } from 'node:path';
import { approvalsNeeded } from '../../approval/check.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { percentOf } from '../../domain/conversion.ts';
import type { JobSource, RunCreated } from '../../domain/entry.ts';
import type { ApprovalPolicy, Approver, Ceilings, Limits, PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { formatDuration } from '../../domain/time.ts';
import type { Job } from '../../job/job.ts';
import type { JobApproval } from '../../job/parts/approval-part.ts';
import { connectionOfJob } from '../../job/profile-file.ts';
import { counted, printable } from '../../messages/text.ts';
import { refusedWithin } from '../compare/paid-before.ts';
import { limitsOf, withinJob } from '../limits/limits.ts';
import { planRefusal } from './require-plan.ts';

/** What the journal keeps of where a job is from, and where it says that it is paid. */
export function sourceOf(job: Job): JobSource {
  const { base_url = null, api_key = null } = connectionOfJob(job) ?? {};
  return { file: resolve(job.file), base_url, api_key };
}

/** The job of a run as its file says it today; null where the run is no job's. Throws a `Refusal` (`usage`). */
export async function jobToday({ run_id, job, job_source }: RunCreated): Promise<Job | null> {
  if (job === null || job_source === null) return null;
  const { findJob } = await import('../../job/jobs-folder.ts');
  try {
    return findJob(job_source.file);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal({ code: 'job_unreadable_today', runId: run_id, job, cause: error.reason });
  }
}

/**
 * Throws a `Refusal` where the job of a plan asks for more today than when it was planned, or for something else
 * (`refused`), or cannot be read (`usage`).
 */
export async function requireToday(run: RunState): Promise<void> {
  const { header, plan } = run;
  if (header === null || plan === null || header.job === null) return;
  const job = await jobToday(header);
  // A retry of a run whose journal does not say where its job is: it was planned by what that run asked for.
  if (job === null && header.retries !== null) return;
  if (job === null) throw planRefusal(run, { why: 'planned_by_earlier_payrun' });
  const more = DIFFERENCES.flatMap((differences) => differences(job, plan, header));
  if (more.length === 0) return;
  throw planRefusal(run, { why: 'job_changed', file: job.file, more });
}

/** What a job asks for beyond a plan, in words. */
type Differences = (job: Job, plan: PlanFacts, header: RunCreated) => string[];

const DIFFERENCES: readonly Differences[] = [
  ({ name }, { job }) => (name === job ? [] : [`the job is called ${printable(name)}`]),
  ({ approval }, plan) => (approval === null ? [] : ofApproval(approval, plan)),
  (job, _plan, { job_source }) => (job_source === null ? [] : ofService(sourceOf(job), job_source)),
  (job, { limits }) => ofLimits(limitsOf(job), limits),
  // A retry pays what another run did not: its family is looked at, and no window.
  (job, { repeat_window_ms }, { retries }) =>
    retries === null ? ofWindow(refusedWithin(job), repeat_window_ms ?? 0) : [],
  (job, { conversions }) => (conversions === null ? [] : ofCeilings(job, conversions.ceilings)),
];

function ofApproval(today: JobApproval, plan: PlanFacts): string[] {
  const { approval: policy } = plan;
  const needed = approvalsNeeded(today, plan);
  if (policy === null) return [`it has to be approved by ${needed === 1 ? 'somebody' : `${needed} people`}`];
  const before = approvalsNeeded(policy, plan);
  const isKeyMissing = today.preparers !== undefined && policy.preparer_key === undefined;
  return [
    ...missing(policy.approvers, today.approvers).map((name) => `${name} is no approver of it`),
    ...missing(preparerOf(policy), today.preparers ?? []).map((name) => `${name} does not make its plans`),
    ...(isKeyMissing ? ['who makes its plans shows a key'] : []),
    ...(needed > before ? [`it needs ${counted(needed, 'approval')}, not ${before}`] : []),
    ...(today.valid_for_ms < policy.valid_for_ms
      ? [`an approval is good for ${formatDuration(today.valid_for_ms)}, not ${formatDuration(policy.valid_for_ms)}`]
      : []),
  ];
}

/** Who made the plan with a key. */
function preparerOf({ preparer, preparer_key }: ApprovalPolicy): Approver[] {
  return preparer_key === undefined ? [] : [{ name: preparer, public_key: preparer_key }];
}

function missing(people: readonly Approver[], today: readonly Approver[]): string[] {
  const isThere = (one: Approver) =>
    today.some(({ name, public_key }) => name === one.name && public_key === one.public_key);
  return people.filter((one) => !isThere(one)).map(({ name }) => `${printable(name)}, with the key of the plan,`);
}

function ofService(today: JobSource, then: JobSource): string[] {
  const place = ({ base_url }: JobSource) => base_url ?? 'the shipped service';
  if (today.base_url !== then.base_url) return [`it is paid at ${place(today)}, not at ${place(then)}`];
  return today.api_key === then.api_key ? [] : ['it is paid with another API key'];
}

function ofWindow(today: number, then: number): string[] {
  if (today <= then) return [];
  return [`the same amount to the same account is refused for ${formatDuration(today)}, not ${formatDuration(then)}`];
}

/** Whoever planned may have asked for a higher one by an option: what the job names today holds against that too. */
function ofCeilings(job: Job, planned: Ceilings): string[] {
  const today = withinJob(planned, job);
  const lower = (what: string, bps: number, than: number) =>
    bps < than ? [`${what} may become ${percentOf(bps)} dearer, not ${percentOf(than)}`] : [];
  return [
    ...lower('a payout', today.payout_bps, planned.payout_bps),
    ...lower('all payouts of a pair of currencies', today.run_bps, planned.run_bps),
  ];
}

/** A job that has no limits any more asks for nothing more. */
function ofLimits(today: Limits | null, planned: Limits | null): string[] {
  return today === null || canonicalJson(today) === canonicalJson(planned) ? [] : ['its limits are others'];
}
