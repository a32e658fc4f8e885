import { existsSync } from 'node:fs';
import { isPrepared } from '../../approval/statement.ts';
import type { RunCreated } from '../../domain/entry.ts';
import type { PlanProblem, PlanSource } from '../../domain/outcomes/plan-obstacle.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { hashOf, openFile } from '../../input/source/file.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { isPlanWhole } from '../../runner/plan/plan.ts';
import { retryHash } from '../../runner/retries.ts';
import { newestAllowed, runNamed, runsOfFile, startedLike, startedOfPeriod } from '../compare/earlier-runs.ts';
import { lookForRetriable } from '../retry/retriable.ts';

export type Looking = { journal: Journal; clock: Clock };

/**
 * `allowed`: the runs that somebody lets be repeated, none of them named where it is empty; undefined where nobody lets any be.
 * `isToSign`: an approver looks, who cannot let anything be paid again.
 */
export type LookedFor = { allowed?: readonly string[] | undefined; isToSign?: boolean };

/**
 * Throws a `Refusal` (`no_plan`) where the run is no plan that can be started: it was started or cancelled, its rows or its
 * file are not what was planned, or the same was run meanwhile.
 */
export async function requirePlan(run: RunState, deps: Looking, lookedFor: LookedFor): Promise<void> {
  const why = run.header === null ? null : await whyNot(run, run.header, deps, lookedFor);
  if (why !== null) throw planRefusal(run, why);
}

/** That a plan cannot be started, or signed. */
export function planRefusal(run: RunState, problem: PlanProblem): Refusal {
  return new Refusal({ code: 'no_plan', obstacle: { ...problem, plan: sourceOf(run) } });
}

/** Why a plan that was cancelled cannot be used: who rejected or recalled it, where somebody did. */
export function whyEnded({ planEnd }: Pick<RunState, 'planEnd'>): PlanProblem {
  if (planEnd === null) return { why: 'cancelled' };
  const { as: why, person, reason } = planEnd;
  return { why, person, reason };
}

/** From what the plan was made. */
export function sourceOf({ header, plan }: Pick<RunState, 'header' | 'plan'>): PlanSource {
  assert(header !== null, 'a plan without its header');
  const { run_id: runId, retries, input, job, job_source, period } = header;
  const isMadeWithKey = plan?.approval?.preparer_key !== undefined;
  return { runId, retries, path: input.path, job, jobFile: job_source?.file ?? null, period, isMadeWithKey };
}

async function whyNot(
  run: RunState,
  header: RunCreated,
  deps: Looking,
  { allowed, isToSign = false }: LookedFor,
): Promise<PlanProblem | null> {
  const { input, retries, corrections_sha256 } = header;
  if (!isPlannedOnly(run)) return { why: 'started' };
  if (run.replacedBy !== null) return { why: 'replaced', by: run.replacedBy };
  if (run.cancelled) return whyEnded(run);
  if (!isPlanWhole(run)) return { why: 'not_whole' };
  if (run.plan !== null && !isPrepared(run.plan, header.digest, run.planSignature))
    return { why: 'not_signed_by_maker' };
  const paid =
    retries === null ? await whyRepeats(header, deps, allowed, isToSign) : await whyNoRetry(run, deps, allowed);
  if (paid !== null) return paid;
  const sha256 = retries === null ? input.sha256 : corrections_sha256;
  if (sha256 === null || !existsSync(input.path)) return null;
  const ofFile = input.file_sha256 ?? sha256;
  return (await hashOf(await openFile(input.path))) === ofFile ? null : { why: 'file_changed', name: input.name };
}

/**
 * What the transaction that starts the run refuses too, before the service is asked. To allow a repeat without a name allows
 * what was allowed when it was planned, and nothing that was started since.
 */
async function whyRepeats(
  header: RunCreated,
  { journal }: Looking,
  allowed: LookedFor['allowed'],
  isToSign: boolean,
): Promise<PlanProblem | null> {
  const { job, period, input, repeats } = header;
  const same = { sha256: input.sha256, job, period, kind: header };
  const isAsPlanned = allowed?.length === 1 && allowed[0] === repeats;
  if (allowed !== undefined && allowed.length > 0 && !isAsPlanned) {
    const newest = await newestAllowed(journal, allowed, same);
    return newest.outcome === 'allowed' ? null : { why: 'not_allowed', cause: newest };
  }
  const newest = (await startedLike(journal, same)).at(-1);
  if (newest === undefined || (allowed !== undefined && newest === repeats)) return null;
  return runMeanwhile(journal, newest, header, isToSign);
}

/** That the same was run since the plan was made. */
export async function runMeanwhile(journal: Journal, runId: string, header: RunCreated, isToSign = false) {
  const isOfPeriod = (await startedOfPeriod(journal, { ...header, kind: header })).some(
    ({ run_id }) => run_id === runId,
  );
  const period = isOfPeriod ? header.period : null;
  return { why: 'run_meanwhile' as const, by: await runNamed(journal, runId), job: header.job, period, isToSign };
}

/**
 * Why a retry that was planned may not be started any more: another retry of its family was started since, or a row of it
 * was paid, or may have been. The transaction that starts it sees again what is seen here.
 */
async function whyNoRetry(
  planned: RunState,
  deps: Looking,
  allowed: LookedFor['allowed'],
): Promise<PlanProblem | null> {
  const { header } = planned;
  assert(header !== null && header.retries !== null, 'a retry of no run');
  if (allowed !== undefined) return { why: 'retry_repeated' };
  const read = await lookForRetriable(header.retries, deps);
  if ('code' in read) return { why: 'nothing_to_retry', cause: read };
  const { run, family, retryable } = read;
  const { corrections_sha256: corrections, input } = header;
  const earlier = corrections === null ? null : await correctionsRun(deps.journal, run, corrections);
  if (earlier !== null)
    return { why: 'corrections_run_before', name: input.name, by: await runNamed(deps.journal, earlier) };
  const open = new Set(retryable.rows.map(({ row }) => row));
  const shut = planned.rows.values().find(({ row }) => !open.has(row));
  if (shut === undefined && retryHash(family) === input.sha256) return null;
  const row = retryable.leftOut.find((left) => left.row === shut?.row) ?? null;
  const last = family.retries.findLast(({ isPlanned, run_id }) => !isPlanned && run_id !== header.run_id);
  return { why: 'retried_since', retries: header.retries, row, last: last?.run_id ?? null };
}

/**
 * The run by which a file of corrected rows was run itself, or rows of it were taken; null where there is none. The file of
 * the run that is retried is none of its corrections, but may be named.
 */
export async function correctionsRun(journal: Journal, { header }: RunState, sha256: string): Promise<string | null> {
  const kind = header ?? { rehearsal: null, scope: null };
  const earlier = (await runsOfFile(journal, { sha256, kind })).findLast(({ isPlanned }) => !isPlanned);
  return earlier === undefined || earlier.run_id === header?.run_id ? null : earlier.run_id;
}
