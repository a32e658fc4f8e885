import type { Retriable } from '../../../app/retry/retriable.ts';
import { approvalsNeeded, atLeast } from '../../../approval/check.ts';
import type { PlanFacts } from '../../../domain/plan.ts';
import { foldRun } from '../../../domain/run/run.ts';
import type { Job } from '../../../job/job.ts';
import type { JobApproval } from '../../../job/parts/approval-part.ts';
import type { Journal } from '../../../journal/journal.ts';
import { approvalOf } from '../../plans/preparer.ts';
import type { Settings } from '../../settings.ts';

/**
 * Who approves a retry, and how many of them: as its job says today, else as was asked for the run that is retried. No
 * fewer than any run of the family needed: its rows come to less, and are to need no fewer people for that. Throws a
 * `Refusal` (`usage`) where `--approval` says something else.
 */
export async function retryPolicy(
  retried: Retriable,
  job: Job | null,
  { journal, settings }: { journal: Journal; settings: Settings },
): Promise<JobApproval | null> {
  const policy = await approvalOf(job?.approval ?? policyOf(retried), settings);
  return policy && { ...policy, bands: atLeast(policy.bands, neededBefore(retried, journal)) };
}

function policyOf({ run }: Retriable): JobApproval | null {
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
