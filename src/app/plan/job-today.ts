import { resolve } from 'node:path';
import { approvalsNeeded } from '../../approval/check.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { JobSource, RunCreated } from '../../domain/entry.ts';
import type { JobChange } from '../../domain/outcomes/plan-obstacle.ts';
import type { ApprovalPolicy, Approver, PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Job } from '../../job/job.ts';
import type { JobApproval } from '../../job/parts/approval-part.ts';
import { connectionOfJob } from '../../job/profile-file.ts';
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
  const more = CHANGES.flatMap((changes) => changes(job, plan, header));
  if (more.length === 0) return;
  throw planRefusal(run, { why: 'job_changed', file: job.file, more });
}

/** What a job asks for beyond a plan. */
type Changes = (job: Job, plan: PlanFacts, header: RunCreated) => JobChange[];

const CHANGES: readonly Changes[] = [
  ({ name }, { job }) => (name === job ? [] : [{ change: 'renamed', name }]),
  ({ approval }, plan) => (approval === null ? [] : ofApproval(approval, plan)),
  (job, _plan, { job_source }) => (job_source === null ? [] : ofService(sourceOf(job), job_source)),
  // A job that has no limits any more asks for nothing more.
  (job, { limits }) => {
    const today = limitsOf(job);
    return today === null || canonicalJson(today) === canonicalJson(limits) ? [] : [{ change: 'limits' }];
  },
  // A retry pays what another run did not: its family is looked at, and no window.
  (job, { repeat_window_ms: thenMs }, { retries }) => {
    const todayMs = refusedWithin(job);
    return retries === null && todayMs > (thenMs ?? 0)
      ? [{ change: 'longer_window', todayMs, thenMs: thenMs ?? 0 }]
      : [];
  },
  // A higher ceiling may have been asked for by an option: what the job names today holds against that too.
  (job, { conversions }) => {
    if (conversions === null) return [];
    const { ceilings: then } = conversions;
    const today = withinJob(then, job);
    const lower = (of: 'payout' | 'run', todayBps: number, thenBps: number): JobChange[] =>
      todayBps < thenBps ? [{ change: 'lower_ceiling', of, todayBps, thenBps }] : [];
    return [...lower('payout', today.payout_bps, then.payout_bps), ...lower('run', today.run_bps, then.run_bps)];
  },
];

function ofApproval(today: JobApproval, plan: PlanFacts): JobChange[] {
  const { approval: policy } = plan;
  const needed = approvalsNeeded(today, plan);
  if (policy === null) return [{ change: 'approval_needed', needed }];
  const before = approvalsNeeded(policy, plan);
  const isKeyMissing = today.preparers !== undefined && policy.preparer_key === undefined;
  const [todayMs, thenMs] = [today.valid_for_ms, policy.valid_for_ms];
  return [
    ...missing('no_approver', policy.approvers, today.approvers),
    ...missing('no_preparer', preparerOf(policy), today.preparers ?? []),
    ...(isKeyMissing ? [{ change: 'preparer_key_needed' as const }] : []),
    ...(needed > before ? [{ change: 'more_approvals' as const, needed, before }] : []),
    ...(todayMs < thenMs ? [{ change: 'shorter_approval' as const, todayMs, thenMs }] : []),
  ];
}

/** Who made the plan with a key. */
function preparerOf({ preparer, preparer_key }: ApprovalPolicy): Approver[] {
  return preparer_key === undefined ? [] : [{ name: preparer, public_key: preparer_key }];
}

function missing(
  change: 'no_approver' | 'no_preparer',
  people: readonly Approver[],
  today: readonly Approver[],
): JobChange[] {
  const isThere = (one: Approver) =>
    today.some(({ name, public_key }) => name === one.name && public_key === one.public_key);
  return people.filter((one) => !isThere(one)).map(({ name }) => ({ change, name }));
}

function ofService(today: JobSource, then: JobSource): JobChange[] {
  if (today.base_url !== then.base_url) return [{ change: 'service', today: today.base_url, planned: then.base_url }];
  return today.api_key === then.api_key ? [] : [{ change: 'api_key' }];
}
