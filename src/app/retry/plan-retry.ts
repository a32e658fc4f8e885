import type { Entry, InputFile, RunCreated, RunRow } from '../../domain/entry.ts';
import type { Problem } from '../../domain/problem.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Journal } from '../../journal/journal.ts';
import { newRunId, RowGatherer } from '../../runner/plan/plan.ts';
import { rowsOf } from '../../runner/plan/plan-digest.ts';
import { askForBalances } from '../../runner/plan/preflight.ts';
import { retryHash } from '../../runner/retries.ts';
import { comparedRows } from '../compare/comparison.ts';
import { announcePlan } from '../plan/announce.ts';
import { ceilingsOf, withinJob } from '../plan/ceilings.ts';
import { type DrawnPlan, drawPlan, type PlanSubject } from '../plan/draw-plan.ts';
import { runNamed } from '../plan/earlier-runs.ts';
import { gatherInput, type InputGathered } from '../plan/gather.ts';
import type { Gathered, Given } from '../plan/given.ts';
import { limitsOf, refuseExcess } from '../plan/limits.ts';
import type { PlanDeps } from '../plan/plan-deps.ts';
import { notifyEntries } from '../plan/plan-input.ts';
import type { Preparation } from '../plan/preparer.ts';
import { correctionsRun } from '../plan/require-plan.ts';
import { keepingRun } from '../runs/known-run.ts';
import { matchRows } from './corrections.ts';
import type { Retriable } from './retriable.ts';

/** The rows of a retry, and what stands for its input. */
export type RetryRows = { rows: RunRow[]; input: InputFile; corrections_sha256: string | null; problems: Problem[] };

/** The rows as the run had them. */
export function rowsAsTheyWere({ run, retryable, family }: Retriable): RetryRows {
  assert(run.header !== null, 'a run without its header');
  const input = { ...run.header.input, sha256: retryHash(family) };
  return { rows: retryable.rows, input, corrections_sha256: null, problems: [] };
}

export type CorrectedRows =
  | { outcome: 'corrected'; rows: RetryRows; gathered: Gathered }
  | Extract<InputGathered, { outcome: 'has_problems' }>;

/**
 * The rows of a file that take the place of those of the run. Throws a `Refusal` where its rows correct none, and where the
 * file was run itself or another retry took rows from it.
 */
export async function correctedRows(
  journal: Journal,
  { given, chosen, retried }: { given: Given; chosen: ChosenInput; retried: Retriable },
): Promise<CorrectedRows> {
  const gathered = await gatherInput(given, chosen, { isCorrection: true });
  if (gathered.outcome === 'has_problems') return gathered;
  const { read, entries } = gathered;
  const { name, sha256 } = read.input;
  const earlier = await correctionsRun(journal, retried.run, sha256);
  if (earlier !== null)
    throw new Refusal({ code: 'corrections_run_before', name, by: await runNamed(journal, earlier) });
  const rows = matchRows(rowsOf(entries), retried);
  const input = { ...read.input, sha256: retryHash(retried.family) };
  return {
    outcome: 'corrected',
    rows: { rows, input, corrections_sha256: read.input.sha256, problems: read.problems },
    gathered,
  };
}

export type RetryInput = {
  /** Its job is that of the run as its file is today. */
  given: Given;
  retried: Retriable;
  taken: RetryRows;
  preparation: Preparation;
};

/**
 * The plan of the rows, on disk when it resolves and held by nobody; people are told that it awaits their approval. Nothing
 * is written to the service. Throws a `Refusal`.
 */
export async function planRetry(deps: RetryDeps, input: RetryInput): Promise<DrawnPlan> {
  const { journal } = deps;
  const plan = await planAt(deps, input);
  deps.onPlanned?.();
  const { settings: notify } = input.retried.run.notices;
  await announcePlan(deps, { journal, clock: input.given.clock }, notify, plan);
  return plan;
}

/** `onPlanned` is called before people are told. */
export type RetryDeps = Omit<PlanDeps, 'openJournal'> & { journal: Journal; onPlanned?: () => void };

async function planAt(deps: RetryDeps, { given, retried, taken, preparation }: RetryInput): Promise<DrawnPlan> {
  const connection = await deps.connect();
  try {
    const { client, scope, log } = connection;
    const { clock, randomness } = given;
    const { journal, stop } = deps;
    const header = headerOf(given, retried, taken, scope);
    const { isRehearsal, held } = await askForBalances(client, clock);
    if (isRehearsal !== header.rehearsal) throw new Refusal({ code: 'retry_elsewhere', runId: header.retries ?? '' });
    const subject = subjectOf({ given, retried, taken, preparation }, header, journal);
    const plan = await drawPlan(subject, { journal, clock, randomness, client, log, stop, held });
    if (stop.aborted) throw new Refusal({ code: 'interrupted' });
    const signature = preparation.sign(plan.header.digest);
    const planned = { kind: 'planned' as const, plan: plan.facts, signature, ...deps.actor };
    const entries = [...subject.entries, ...notifyEntries(retried.run.notices.settings), planned];
    await keepingRun(plan.header.run_id, () => keep(journal, plan.header, entries));
    return plan;
  } finally {
    await connection.close();
  }
}

/** Throws a `Refusal` where the rows exceed the limits. */
function subjectOf(
  { given, retried, taken, preparation }: RetryInput,
  header: PlanSubject['header'],
  journal: Journal,
): PlanSubject {
  const { job, settings, clock } = given;
  const { run, retryable } = retried;
  const limits = job === null ? (run.plan?.limits ?? null) : limitsOf(job);
  refuseExcess(limits, taken.rows);
  const gatherer = new RowGatherer();
  for (const row of taken.rows) gatherer.add(row);
  const others = taken.problems.filter(({ code }) => code !== 'account_changed');
  const compare = (unsigned: RunCreated) =>
    comparedRows(unsigned, taken.rows, { repeat_window_ms: null, limits }, { journal, clock });
  return {
    header,
    entries: gatherer.finish(),
    warnings: others.length + retryable.leftOut.length,
    limits,
    approval: preparation.approval,
    // Those of the plan that is retried, since its approval was for them, or lower ones that its job names today.
    ceilings: withinJob(run.plan?.conversions?.ceilings ?? ceilingsOf(settings), job),
    repeatWindowMs: null,
    compare: taken.corrections_sha256 === null ? null : compare,
  };
}

function headerOf(
  { settings, clock, randomness, profile, jobSource }: Given,
  { run }: Retriable,
  { input, rows, corrections_sha256 }: RetryRows,
  scope: string,
): Omit<RunCreated, 'digest'> {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  if (scope !== header.scope) throw new Refusal({ code: 'retry_elsewhere', runId: header.run_id });
  return {
    kind: 'run_created',
    run_id: newRunId(clock.wallMs(), randomness),
    input,
    job: header.job,
    rehearsal: header.rehearsal,
    // The run that is retried has paid its period.
    period: null,
    profile,
    settings: {
      poll_every_ms: settings.pollEvery ?? header.settings.poll_every_ms,
      wait_timeout_ms: settings.waitTimeout ?? header.settings.wait_timeout_ms,
    },
    payouts: rows.length,
    scope,
    report_dir: settings.reportDir ?? header.report_dir,
    repeats: null,
    retries: header.run_id,
    corrections_sha256,
    job_source: jobSource,
  };
}

async function keep(journal: Journal, header: RunCreated, entries: Entry[]): Promise<void> {
  const created = await journal.createRun({ header, rows: entries, refuseRepeat: true });
  assert(created.outcome !== 'job_held' && created.outcome !== 'moved', 'a plan needs no job, and is not started');
  if (created.outcome === 'created') return created.writer.release();
  throw new Refusal({ code: 'retried_meanwhile', retries: header.retries ?? '', by: created.runId });
}
