import process from 'node:process';
import type { Given as GivenOfApp } from '../app/plan/given.ts';
import { sourceOf } from '../app/plan/job-today.ts';
import type { PlanDeps } from '../app/plan/plan-deps.ts';
import type { Retriable } from '../app/retry/retriable.ts';
import type { Connection } from '../app/service/at-service.ts';
import type { PolicyPlace } from '../domain/refusals/paid-reasons.ts';
import type { Job } from '../job/job.ts';
import type { JobApproval } from '../job/parts/approval-part.ts';
import type { SigningKey } from '../keys/ed25519.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { readExplicitColumns } from './column-option.ts';
import { commandsFor } from './command-hints.ts';
import { connect, readSigningKey } from './connect.ts';
import { openDataJournal, openLog } from './data-dir.ts';
import { type JobPeriod, periodOfRun } from './job-period.ts';
import { readNamedJob } from './named-input.ts';
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
export function givenOfRetry({ run }: Retriable, job: Job | null, settings: Settings): Given {
  return givenOf({ job, period: null, settings, ...connectionSettings(run, settings) });
}

function givenOf(of: Pick<Given, 'job' | 'period' | 'settings' | 'profile' | 'key'>): Given {
  const { job, settings } = of;
  return {
    ...of,
    jobSource: job && sourceOf(job),
    columns: readExplicitColumns(settings.column ?? []),
    clock: machineClock,
    randomness: machineRandomness,
  };
}

/** Who approves a plan: what its job says, or else the file that the settings name. Throws a `Refusal` (`usage`). */
export async function approvalOf(known: JobApproval | null, { approval: file }: Settings): Promise<JobApproval | null> {
  if (file === undefined) return known;
  const { approvalFrom } = await import('./approval-file.ts');
  return approvalFrom(known, file);
}

/** Where it stands who approves: people read what to change. */
export function policyPlace(job: unknown, { approval }: Settings): PolicyPlace {
  return job === null || approval !== undefined ? 'approval file' : 'job';
}

/** What a plan is made with on this machine; `note` takes a line where the service says nothing for some seconds. */
export function planDeps(
  { settings, profile, key }: Pick<Given, 'settings' | 'profile' | 'key'>,
  by: Pick<PlanDeps, 'actor' | 'stop' | 'tell'>,
  note?: (text: string) => void,
): PlanDeps {
  const { dataDir, logLevel } = settings;
  return {
    ...by,
    command: commandsFor(settings),
    openJournal: () => openDataJournal(dataDir),
    async connect() {
      const { log, flush } = openLog(dataDir, logLevel);
      let connection: Connection;
      try {
        connection = await connect({ profile, key, dataDir, log, ...(note && { note }) });
      } catch (error) {
        flush();
        throw error;
      }
      const { client, scope } = connection;
      return { client, scope, log, close: () => connection.close().finally(flush) };
    },
  };
}
