import type { Entry, InputFile, RunCreated, RunRow } from '../../domain/entry.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import type { Problem } from '../../domain/problem.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Journal } from '../../journal/journal.ts';
import { newRunId, RowGatherer } from '../../runner/plan/plan.ts';
import { rowsOf } from '../../runner/plan/plan-digest.ts';
import { askForBalances } from '../../runner/plan/preflight.ts';
import { retryHash } from '../../runner/retries.ts';
import { comparedRows } from '../compare/comparison.ts';
import { ceilingsOf, withinJob } from '../plan/ceilings.ts';
import { type DrawnPlan, drawPlan } from '../plan/draw-plan.ts';
import { gatherInput, type InputGathered } from '../plan/gather.ts';
import type { Gathered, Given } from '../plan/given.ts';
import { limitsOf, refuseExcess } from '../plan/limits.ts';
import { notifyEntries } from '../plan/notify-entries.ts';
import type { Older, PlanConnection, PlanDeps, Preparation } from '../plan/plan-deps.ts';
import { matchRows } from './corrections.ts';
import { requireNewFile } from './new-file.ts';
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

/** The rows of a file that take the place of those of the run. Throws a `Refusal` where its rows correct none. */
export async function correctedRows(
  journal: Journal,
  { given, chosen, retried }: { given: Given; chosen: ChosenInput; retried: Retriable },
): Promise<CorrectedRows> {
  const gathered = await gatherInput(given, chosen, { isCorrection: true });
  if (gathered.outcome === 'has_problems') return gathered;
  const { read, entries } = gathered;
  await requireNewFile(journal, retried.run, read.input);
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

export type RetryMade =
  | { outcome: 'planned'; plan: DrawnPlan; notify: NotifySettings | null }
  | { outcome: 'interrupted' };

/** The plan, on disk when it resolves and held by nobody. Nothing is written to the service. Throws a `Refusal`. */
export async function planRetry(
  deps: Omit<PlanDeps<Older>, 'openJournal'> & { journal: Journal },
  input: RetryInput,
): Promise<RetryMade> {
  const connection = await deps.connect();
  try {
    return await planAt(deps, input, connection);
  } finally {
    await connection.close();
  }
}

async function planAt(
  deps: Omit<PlanDeps<Older>, 'openJournal'> & { journal: Journal },
  { given, retried, taken, preparation }: RetryInput,
  { client, scope, log }: PlanConnection,
): Promise<RetryMade> {
  const { settings, clock, randomness, job } = given;
  const { journal, stop } = deps;
  const { run } = retried;
  const header = headerOf(given, retried, taken, scope);
  const { isRehearsal, held } = await askForBalances(client, clock);
  if (isRehearsal !== header.rehearsal) throw new Refusal({ code: 'retry_elsewhere', runId: header.retries ?? '' });
  const limits = job === null ? (run.plan?.limits ?? null) : limitsOf(job);
  refuseExcess(limits, taken.rows);
  const gatherer = new RowGatherer();
  for (const row of taken.rows) gatherer.add(row);
  const others = taken.problems.filter(({ code }) => code !== 'account_changed');
  const past = { journal, clock };
  const subject = {
    header,
    entries: gatherer.finish(),
    warnings: others.length + retried.retryable.leftOut.length,
    limits,
    approval: preparation.approval,
    // Those of the plan that is retried, since its approval was for them, or lower ones that its job names today.
    ceilings: withinJob(run.plan?.conversions?.ceilings ?? ceilingsOf(settings), job),
    repeatWindowMs: null,
    compare:
      taken.corrections_sha256 === null
        ? null
        : (unsigned: RunCreated) => comparedRows(unsigned, taken.rows, { repeat_window_ms: null, limits }, past),
  };
  const { requireApprovable } = deps.awaiting(journal);
  const plan = await drawPlan(subject, { ...past, randomness, client, log, stop, held, requireApprovable });
  if (stop.aborted) return { outcome: 'interrupted' };
  const { settings: notify } = run.notices;
  const signature = preparation.sign(plan.header.digest);
  const planned = { kind: 'planned' as const, plan: plan.facts, signature, ...deps.actor };
  const entries = [...subject.entries, ...notifyEntries(notify), planned];
  await deps.keeping(plan.header.run_id, () => keep(journal, plan.header, entries));
  return { outcome: 'planned', plan, notify };
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
