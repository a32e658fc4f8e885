import process from 'node:process';
import { openDataJournal } from '../../compose/data-dir.ts';
import { readProfile } from '../../compose/profile.ts';
import type { Settings } from '../../compose/settings.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { type KindAhead, kindAhead } from '../../domain/kind-of-payment.ts';
import type { Profile } from '../../domain/profile.ts';
import type { Job } from '../../job/job.ts';

/** Runs in which the one that is meant is looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** Whether a run moves no money. Null where there is none, no such run is known, or the journal cannot be read. */
export async function wasRehearsal(dataDir: string, runId: string | null): Promise<boolean | null> {
  return runId === null ? null : await rehearsalIn(dataDir, ({ run_id }) => run_id === runId);
}

/**
 * Whether a job moves no money, as far as it is known without asking: the service inside this process moves none, and of
 * another one its newest run here shows it. Null where it is not known.
 */
export async function isRehearsalOf(settings: Settings, job: Job): Promise<boolean | null> {
  const service = serviceOf(settings, job);
  if (service === null) return null;
  const { base_url, api_key } = service;
  if (base_url === null) return true;
  const isThere = ({ profile }: RunCreated): boolean => profile.base_url === base_url && profile.api_key === api_key;
  return rehearsalIn(settings.dataDir, isThere);
}

/** What is known of the service that a job is paid at without asking it. Where nobody knows, it moves money. */
export async function kindOfJob(settings: Settings, job: Job): Promise<KindAhead> {
  const service = serviceOf(settings, job);
  if (service === null) return { rehearsal: false, scope: null };
  const { rehearsal, scope } = kindAhead(service);
  return { rehearsal: rehearsal ?? (await isRehearsalOf(settings, job)) ?? false, scope };
}

/** Null where it cannot be read. */
function serviceOf(settings: Settings, job: Job): Profile | null {
  try {
    return readProfile(settings, process.env, job);
  } catch {
    return null;
  }
}

/** Of the newest run that is meant. */
async function rehearsalIn(dataDir: string, isMeant: (header: RunCreated) => boolean): Promise<boolean | null> {
  try {
    const journal = await openDataJournal(dataDir);
    try {
      return (await journal.listRuns(RUNS_MAX)).find(({ header }) => isMeant(header))?.header.rehearsal ?? null;
    } finally {
      await journal.close();
    }
  } catch {
    return null;
  }
}
