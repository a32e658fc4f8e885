import process from 'node:process';
import type { Given as GivenOfApp } from '../app/plan/given.ts';
import { sourceOf } from '../app/plan/job-today.ts';
import type { Retriable } from '../app/retry/retriable.ts';
import { Refusal } from '../domain/refusal.ts';
import type { PolicyPlace } from '../domain/refusals/paid-reasons.ts';
import type { Job } from '../job/job.ts';
import type { JobApproval } from '../job/parts/approval-part.ts';
import type { SigningKey } from '../keys/ed25519.ts';
import { machineClock } from '../platform/machine.ts';
import { readSigningKey } from './connect.ts';
import { type JobPeriod, periodOfRun, readExplicitColumns, readNamedJob } from './named-input.ts';
import { readProfile } from './profile.ts';
import { connectionSettings } from './run-deps.ts';
import { readSettings, type Settings } from './settings.ts';

/** What options, the environment and the job say of a run or a plan. */
export type Given = GivenOfApp & { period: JobPeriod | null; settings: Settings; key: SigningKey | null };

/**
 * Reads job, options and key file: what can be refused without the input is refused before it. Throws a `Refusal`
 * (`usage`) or a `KeyFileError`.
 */
export async function openGiven(options: Record<string, unknown>, environment: NodeJS.ProcessEnv): Promise<Given> {
  const job = await readNamedJob(String(options.input));
  return givenOfJob(job, readSettings(options, environment, job));
}

/** The same of settings that were read. */
export async function givenOfJob(job: Job | null, settings: Settings): Promise<Given> {
  const profile = readProfile(settings, process.env, job);
  const period = await periodOfRun(job, settings.period, machineClock.wallMs());
  return givenOf({ job, period, settings, profile, key: readSigningKey(profile) });
}

/** Of a retry, at the service of its run. `job` is that of the run as it is today. Throws a `Refusal` (`usage`). */
export async function givenOfRetry({ run }: Retriable, job: Job | null, settings: Settings): Promise<Given> {
  return givenOf({ job, period: null, settings, ...(await connectionSettings(run, settings)) });
}

function givenOf(of: Pick<Given, 'job' | 'period' | 'settings' | 'profile' | 'key'>): Given {
  const { job, settings } = of;
  return {
    ...of,
    jobSource: job && sourceOf(job),
    columns: readExplicitColumns(settings.column ?? []),
  };
}

/**
 * Who approves a plan: what its job says, or else the file that the settings name. Throws a `Refusal` (`usage`) for a file with
 * errors, and where both name approvers: nobody takes a job's own approvers away.
 */
export async function approvalOf(known: JobApproval | null, { approval: file }: Settings): Promise<JobApproval | null> {
  if (file === undefined) return known;
  if (known !== null) throw new Refusal({ code: 'approvers_known' });
  return (await import('../job/profile-file.ts')).readApprovalFile(file);
}

/** Where it stands who approves: people read what to change. */
export function policyPlace(job: unknown, { approval }: Settings): PolicyPlace {
  return job === null || approval !== undefined ? 'approval file' : 'job';
}
