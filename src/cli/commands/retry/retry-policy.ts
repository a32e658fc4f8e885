import type { Preparation } from '../../../app/plan/plan-deps.ts';
import type { Retriable } from '../../../app/retry/retriable.ts';
import { policyOfRetry, policyOfRun } from '../../../app/retry/retry-policy.ts';
import { connectionSettings } from '../../../compose/service-connection.ts';
import type { Settings } from '../../../compose/settings.ts';
import type { Job } from '../../../job/job.ts';
import type { JobApproval } from '../../../job/parts/approval-part.ts';
import type { Journal } from '../../../journal/journal.ts';
import { jobToday } from '../../jobs/job-today.ts';
import { type Given, givenHere } from '../../plans/prepared-run.ts';
import { approvalOf, policyPlace, preparationOf } from '../../plans/preparer.ts';
import type { Io } from '../../terminal.ts';

type Means = { journal: Journal; io: Io; settings: Settings };

/** A process that plans for the page is given who approves, and the passphrase, by a message. */
export type ByMessage = { policy: JobApproval | null; passphrase: string };

/** The retry, at the service of its run. Throws a `Refusal` (`usage`). */
export function givenOfRetry({ run }: Retriable, job: Job | null, { settings, io }: Means): Given {
  return givenHere({ job, period: null, settings, io, ...connectionSettings(run, settings) });
}

/**
 * The job as it is today, and who makes and approves the retry: as that job says, else as was asked for the run that is
 * retried. Throws a `Refusal` (`usage`) where `--approval` says something else.
 */
export async function preparationOfRetry(
  retried: Retriable,
  { journal, settings, io }: Means,
  message: ByMessage | null = null,
): Promise<{ job: Job | null; preparation: Preparation }> {
  const job = retried.run.header === null ? null : await jobToday(retried.run.header);
  const known = job?.approval ?? policyOfRun(retried);
  const asked = message === null ? await approvalOf(known, settings) : (known ?? message.policy);
  const policy = await policyOfRetry(asked, retried, journal);
  const place = message?.policy ? 'approval file' : policyPlace(retried.run.header?.job ?? null, settings);
  return { job, preparation: await preparationOf(policy, settings, io, place, message?.passphrase) };
}
