import type { RunCreated, RunRow } from '../../domain/entry.ts';
import { countsFor } from '../../domain/kind-of-payment.ts';
import { Refusal } from '../../domain/refusal.ts';
import { entityOfRun } from '../../domain/run/entity.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { ComparedPayouts } from './compared-payouts.ts';
import { PAST_PAYOUTS_MAX, whatIsWrong } from './past-payouts.ts';

/** Runs that are looked at, newest first: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** The run that is to be. What went to another service, or from another key, tells what was paid, and no more. */
export type ComparedRun = Pick<RunCreated, 'run_id' | 'job' | 'entity' | 'scope' | 'rehearsal'>;

/** What is looked at, and how far back. */
export type PastGiven = {
  journal: Journal;
  clock: Clock;
  repeatWindowMs: number;
  /**
   * For how long new accounts cool off; null where they do not. Where they do, no run is left out for how much was paid
   * since, unless what is left tells nothing new: old accounts would look new.
   */
  coolingMs: number | null;
  /** The header of a file of no job, to be compared with the last such file as a job is with its last run. */
  likeHeader?: readonly string[] | undefined;
};

/**
 * Compares the rows of a run with what earlier runs of this journal paid: the newest of them up to some hundred thousand
 * payouts, all that are as young as the window, and the last one of the job; where new accounts cool off, so many more
 * as it takes to find the accounts of the rows old.
 */
export async function compareWithPast(
  header: ComparedRun,
  rows: Iterable<RunRow>,
  given: PastGiven,
): Promise<ComparedPayouts> {
  try {
    return await readPast(header, rows, given);
  } catch (error) {
    throw new Refusal({ code: 'history_unreadable', cause: whatIsWrong(error) });
  }
}

async function readPast(header: ComparedRun, rows: Iterable<RunRow>, given: PastGiven): Promise<ComparedPayouts> {
  const { journal, coolingMs } = given;
  const compared = new ComparedPayouts(rows);
  const earlier = await earlierRuns(header, journal);
  const startedAt = await startTimes(journal);
  const lastOfJob = earlier.find((run) => isAtSame(header, run.header) && isOfKind(header, run.header, given));
  const nowMs = given.clock.wallMs();
  const since = nowMs - given.repeatWindowMs;
  const isEnough = () => coolingMs === null || compared.areAccountsOld(nowMs - coolingMs);
  let left = PAST_PAYOUTS_MAX;
  for (const { run_id, created_at, header: past } of earlier) {
    const at = startedAt.get(run_id) ?? created_at;
    const isHere = isAtSame(header, past);
    const isLastOfJob = run_id === lastOfJob?.run_id;
    const run = { id: run_id, at, isRehearsal: past.rehearsal, isHere, isLastOfJob, isInWindow: at > since };
    if (!isHere && !run.isInWindow) continue;
    if (isHere) left -= past.payouts;
    if (left < 0 && !run.isInWindow && !run.isLastOfJob && isEnough()) continue;
    compared.beginRun(run);
    const payouts = await journal.payoutsOf(run_id);
    for await (const page of payouts?.pages() ?? [])
      for (const { order, standing } of page) if (standing !== 'unpaid') compared.add(order, run, standing);
  }
  return compared;
}

/** The started runs that count for this one, newest first. */
export async function earlierRuns(header: ComparedRun, journal: Journal): Promise<RunSummary[]> {
  const started = await journal.listStartedRuns(RUNS_MAX);
  return started.filter((run) => run.run_id !== header.run_id && countsFor(header, run.header));
}

/** Whether an earlier run is of the same entity and job; or, of no job, of a file with the header that is looked for. */
function isOfKind(header: ComparedRun, past: RunCreated, { likeHeader }: PastGiven): boolean {
  const [{ job }, { retries, input }] = [header, past];
  if (retries !== null || past.job !== job || entityOfRun(past) !== entityOfRun(header)) return false;
  if (job !== null) return true;
  return likeHeader?.length === input.header.length && likeHeader.every((text, at) => text === input.header[at]);
}

function isAtSame(header: ComparedRun, { scope, rehearsal }: RunSummary['header']): boolean {
  return scope === header.scope && rehearsal === header.rehearsal;
}

/** When runs were started, Unix ms: a plan may have waited long. Runs of an older payrun are not there. */
export async function startTimes(journal: Journal): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const page of journal.readKinds(['started'])) for (const { runId, at } of page) times.set(runId, at);
  return times;
}
