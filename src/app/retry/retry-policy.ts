import { approvalsNeeded, atLeast } from '../../approval/check.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { foldRun } from '../../domain/run/run.ts';
import type { JobApproval } from '../../job/parts/approval-part.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Retriable } from './retriable.ts';

/**
 * A policy by which no fewer approve a retry than any run of the family needed: its rows come to less, and are to need no
 * fewer people for that.
 */
export function policyOfRetry(policy: JobApproval | null, retried: Retriable, journal: Journal): JobApproval | null {
  return policy && { ...policy, bands: atLeast(policy.bands, neededBefore(retried, journal)) };
}

/** Who was to approve the run that is retried. */
export function policyOfRun({ run }: Retriable): JobApproval | null {
  const policy = run.plan?.approval ?? null;
  if (policy === null) return null;
  const { preparer: _, preparer_key: _key, ...asked } = policy;
  return asked;
}

/** The most approvals that a run of the family needed. */
function neededBefore({ run, family }: Retriable, journal: Journal): number {
  const others = [family.first, ...family.retries].filter(
    ({ run_id, isPlanned }) => !isPlanned && run_id !== run.header?.run_id,
  );
  const runs = [run, ...others.map(({ run_id }) => foldRun(journal.readRun(run_id)))];
  return Math.max(...runs.map(({ plan }) => neededBy(plan)));
}

function neededBy(plan: PlanFacts | null): number {
  return plan === null || plan.approval === null ? 0 : approvalsNeeded(plan.approval, plan);
}
