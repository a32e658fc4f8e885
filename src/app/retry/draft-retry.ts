import { approvalsNeeded, atLeast } from '../../approval/check.ts';
import type { InputEdit } from '../../domain/entries/edits.ts';
import type { InputFile, RunCreated, RunRow } from '../../domain/entry.ts';
import type { ApprovalPolicy, PlanFacts } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Job } from '../../job/job.ts';
import type { JobApproval } from '../../job/parts/approval-part.ts';
import type { Journal } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { newRunId, RowGatherer, rowsOf } from '../../runner/plan/plan.ts';
import { retryHash } from '../../runner/retries.ts';
import { comparedRows } from '../compare/comparison.ts';
import { runNamed } from '../compare/earlier-runs.ts';
import { ceilingsOf, limitsOf, refuseExcess, withinJob } from '../limits/limits.ts';
import type { Draft, PlanService } from '../plan/draft.ts';
import { gatherInput, type InputGathered } from '../plan/gather.ts';
import type { Gathered, Given, PlanDeps } from '../plan/given.ts';
import { jobToday } from '../plan/job-today.ts';
import { type MakeDeps, makePlan, type Planned } from '../plan/make-plan.ts';
import type { Preparation } from '../plan/preparer.ts';
import { correctionsRun } from '../plan/require-plan.ts';
import type { WantedStart } from '../schedule/plan-start.ts';
import { matchRows } from './corrections.ts';
import type { Retriable } from './retriable.ts';

/** The rows of a retry, and what stands for its input. */
export type RetryRows = {
  rows: RunRow[];
  input: InputFile;
  corrections_sha256: string | null;
  edits: readonly InputEdit[];
  problems: Problem[];
};

/** The rows as the run had them, but those of these numbers. Throws a `Refusal` (`nothing_to_retry`) where none is left. */
export function rowsAsTheyWere({ run, retryable, family }: Retriable, leaveOut: readonly number[] = []): RetryRows {
  assert(run.header !== null, 'a run without its header');
  const without = new Set(leaveOut);
  const rows = retryable.rows.filter(({ row }) => !without.has(row));
  if (rows.length === 0)
    throw new Refusal({ code: 'nothing_to_retry', runId: run.header.run_id, leftOut: retryable.leftOut });
  const input = { ...run.header.input, sha256: retryHash(family) };
  return { rows, input, corrections_sha256: null, edits: [], problems: [] };
}

export type CorrectedRows =
  | { outcome: 'corrected'; rows: RetryRows; gathered: Gathered }
  | ({ outcome: 'has_problems' } & Gathered);

/**
 * The rows of a file that take the place of those of the run. Throws a `Refusal` where its rows correct none, and where the
 * file was run itself or another retry took rows from it.
 */
export async function correctedRows(
  journal: Journal,
  { given, chosen, retried }: { given: Given; chosen: ChosenInput; retried: Retriable },
): Promise<CorrectedRows> {
  const gathered: InputGathered = await gatherInput(given, chosen, { corrects: retried.run.header });
  if (gathered.outcome === 'has_problems') return { ...gathered, outcome: 'has_problems' };
  const { read, entries } = gathered;
  const { name, sha256 } = read.input;
  const earlier = await correctionsRun(journal, retried.run, sha256);
  if (earlier !== null)
    throw new Refusal({ code: 'corrections_run_before', name, by: await runNamed(journal, earlier) });
  const rows = matchRows(rowsOf(entries), retried);
  const input = { ...read.input, sha256: retryHash(retried.family) };
  const { edits, problems } = read;
  return { outcome: 'corrected', rows: { rows, input, corrections_sha256: sha256, edits, problems }, gathered };
}

export type RetryInput = {
  /** Its job is that of the run as its file is today. */
  given: Given;
  retried: Retriable;
  taken: RetryRows;
  preparation: Preparation;
  /** When it is to be started on its own; absent, or null, where a person starts it. */
  start?: WantedStart | null;
};

/** The plan of the rows, as `planInput` makes that of an input. Throws a `Refusal`. */
export function planRetry(deps: MakeDeps, input: RetryInput): Promise<Planned> {
  return makePlan(deps, input, (service) => draftRetry(deps, input, input.preparation.approval, service));
}

/** Throws a `Refusal` where the service is not the one of the run, or the rows exceed the limits. */
function draftRetry(
  { journal, clock, randomness }: PlanDeps,
  { given, retried, taken }: RetryInput,
  approval: ApprovalPolicy | null,
  service: PlanService,
): Draft {
  const { job, settings } = given;
  const { run, retryable } = retried;
  const runId = newRunId(clock.wallMs(), randomness);
  const header = headerOf(runId, { given, retried, taken }, service);
  const limits = job === null ? (run.plan?.limits ?? null) : limitsOf(job);
  refuseExcess(limits, taken.rows);
  const gatherer = new RowGatherer();
  for (const row of taken.rows) gatherer.add(row);
  const others = taken.problems.filter(({ code }) => code !== 'account_changed');
  const compare = () => comparedRows(header, taken.rows, { repeat_window_ms: null, limits }, { journal, clock });
  return {
    header,
    entries: gatherer.finish(),
    warnings: others.length + retryable.leftOut.length,
    limits,
    approval,
    // Those of the plan that is retried, since its approval was for them, or lower ones that its job names today.
    ceilings: withinJob(run.plan?.conversions?.ceilings ?? ceilingsOf(settings), job),
    repeatWindowMs: null,
    edits: taken.edits,
    notify: run.notices.settings,
    compare: taken.corrections_sha256 === null ? null : compare,
    refusesRepeat: true,
    repeated: async (by) => new Refusal({ code: 'retried_meanwhile', retries: header.retries ?? '', by }),
  };
}

function headerOf(
  run_id: string,
  { given: { settings, profile, jobSource }, retried, taken }: Pick<RetryInput, 'given' | 'retried' | 'taken'>,
  { scope, rehearsal }: PlanService,
): RunCreated {
  const { header } = retried.run;
  assert(header !== null, 'a run without its header');
  if (scope !== header.scope || rehearsal !== header.rehearsal)
    throw new Refusal({ code: 'retry_elsewhere', runId: header.run_id });
  return {
    kind: 'run_created',
    run_id,
    input: taken.input,
    job: header.job,
    rehearsal,
    // The run that is retried has paid its period.
    period: null,
    profile,
    settings: {
      poll_every_ms: settings.pollEvery ?? header.settings.poll_every_ms,
      wait_timeout_ms: settings.waitTimeout ?? header.settings.wait_timeout_ms,
    },
    digest: '',
    payouts: taken.rows.length,
    scope,
    report_dir: settings.reportDir ?? header.report_dir,
    repeats: null,
    retries: header.run_id,
    corrections_sha256: taken.corrections_sha256,
    job_source: jobSource,
    ...(header.entity !== undefined && { entity: header.entity }),
    ...(header.connection !== undefined && { connection: header.connection }),
  };
}

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
