import process from 'node:process';
import { jobsNow } from '../../app/jobs/jobs-now.ts';
import { type WaitingPlan, waitingPlan } from '../../app/plan/awaiting.ts';
import { isLeftToWorkers, phaseNow, standingNow, undamaged } from '../../app/runs/known-run.ts';
import { type JobStanding, jobStanding, type StandingPlan } from '../../app/schedule/job-standing.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { type KindAhead, kindAhead } from '../../domain/kind-of-payment.ts';
import type { Profile } from '../../domain/profile.ts';
import type { Job } from '../../job/job.ts';
import type { DueTime } from '../../job/schedule.ts';
import type { Journal } from '../../journal/journal.ts';
import type { JournalPlace } from '../../journal/open.ts';
import { foldPages } from '../../journal/pages.ts';
import { machineClock } from '../../platform/machine.ts';
import { openDataJournal } from '../data-dir.ts';
import { readProfile } from '../profile.ts';
import type { Settings } from '../settings.ts';
import { hasJournal, withJournal } from './here.ts';
import type { ScheduleClock } from './schedule-clock.ts';

/** Runs in which the one that is meant is looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** Every job of this folder, with its last run in the data directory. Throws a `Refusal` where the journal is damaged. */
export async function jobsHere(settings: Settings): ReturnType<typeof jobsNow> {
  if (!(await hasJournal(settings))) return jobsNow({ journal: null, clock: machineClock });
  return withJournal(settings, jobsNow);
}

/** Whether a run moves no money. Null where there is none, no such run is known, or the journal cannot be read. */
export async function wasRehearsal(place: JournalPlace, runId: string | null): Promise<boolean | null> {
  return runId === null ? null : await rehearsalIn(place, ({ run_id }) => run_id === runId);
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
  return rehearsalIn(settings, isThere);
}

/**
 * How the times `dues` of a job stand by the journal of the data directory. `described`: a plan that waits, in words. Throws
 * a `Refusal` where the journal is damaged.
 */
export async function standingHere(
  settings: Settings,
  { name, job }: { name: string; job: Job | undefined },
  {
    dues,
    described,
    time,
  }: { dues: readonly DueTime[]; described: (plan: WaitingPlan) => StandingPlan; time: ScheduleClock },
): Promise<JobStanding> {
  const kind = job === undefined ? UNKNOWN_KIND : await kindOfJob(settings, job);
  return withJournal(settings, async ({ journal, clock }) => {
    await time.follow(journal);
    const deps = {
      journal,
      async planStanding(runId: string) {
        const plan = await waitingPlan(await foldPages(journal.readRun(runId)), { journal, clock });
        return plan && described(plan);
      },
      isCutOff: (runId: string) => isCutOff(journal, runId),
      isUnderWay: (runId: string) => isUnderWay(journal, runId),
    };
    return undamaged(null, () => jobStanding(deps, { name, kind }, dues));
  });
}

async function isCutOff(journal: Journal, runId: string): Promise<boolean> {
  const run = await foldPages(journal.readRun(runId));
  if ((await phaseNow(journal, run, runId)) !== 'stopped' || (await isLeftToWorkers(journal, runId))) return false;
  // What a person paused waits for that person.
  return (await standingNow(journal, run, runId)) !== 'paused';
}

async function isUnderWay(journal: Journal, runId: string): Promise<boolean> {
  return (await journal.holder(runId)) !== null || (await isLeftToWorkers(journal, runId));
}

/** Where nobody knows, it moves money. */
const UNKNOWN_KIND: KindAhead = { rehearsal: false, scope: null };

/** What is known of the service that a job is paid at without asking it. */
async function kindOfJob(settings: Settings, job: Job): Promise<KindAhead> {
  const service = serviceOf(settings, job);
  if (service === null) return UNKNOWN_KIND;
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
async function rehearsalIn(place: JournalPlace, isMeant: (header: RunCreated) => boolean): Promise<boolean | null> {
  try {
    const journal = await openDataJournal(place);
    try {
      return (await journal.listRuns(RUNS_MAX)).find(({ header }) => isMeant(header))?.header.rehearsal ?? null;
    } finally {
      await journal.close();
    }
  } catch {
    return null;
  }
}
