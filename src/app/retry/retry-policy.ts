import { approvalsNeeded, atLeast } from '../../approval/check.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import type { Job } from '../../job/job.ts';
import type { JobApproval } from '../../job/parts/approval-part.ts';
import type { Journal } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { jobToday } from '../plan/job-today.ts';
import type { Retriable } from './retriable.ts';

/**
 * A policy by which no fewer approve a retry than any run of the family needed: its rows come to less, and are to need no
 * fewer people for that.
 */
async function policyOfRetry(
  policy: JobApproval | null,
  retried: Retriable,
  journal: Journal,
): Promise<JobApproval | null> {
  return policy && { ...policy, bands: atLeast(policy.bands, await neededBefore(retried, journal)) };
}

/** Who was to approve the run that is retried. */
function policyOfRun({ run }: Retriable): JobApproval | null {
  const policy = run.plan?.approval ?? null;
  if (policy === null) return null;
  const { preparer: _, preparer_key: _key, ...asked } = policy;
  return asked;
}

/** The most approvals that a run of the family needed. */
async function neededBefore({ run, family }: Retriable, journal: Journal): Promise<number> {
  const others = [family.first, ...family.retries].filter(
    ({ run_id, isPlanned }) => !isPlanned && run_id !== run.header?.run_id,
  );
  let needed = neededBy(run.plan);
  for (const { run_id } of others) needed = Math.max(needed, neededBy((await foldPages(journal.readRun(run_id))).plan));
  return needed;
}

function neededBy(plan: PlanFacts | null): number {
  return plan === null || plan.approval === null ? 0 : approvalsNeeded(plan.approval, plan);
}

/**
 * The job of the run as it is today, and who approves the retry: as that job says, else as was asked for the run that is
 * retried, else as `asked` says. Throws a `Refusal` (`usage`).
 */
export async function jobOfRetry(
  retried: Retriable,
  journal: Journal,
  asked: (known: JobApproval | null) => JobApproval | null | Promise<JobApproval | null>,
): Promise<{ job: Job | null; policy: JobApproval | null }> {
  const { header } = retried.run;
  const job = header === null ? null : await jobToday(header);
  const policy = await asked(job?.approval ?? policyOfRun(retried));
  return { job, policy: await policyOfRetry(policy, retried, journal) };
}
