import type { Withdrawals } from '../../approval/check.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PlanNext } from '../../domain/outcomes/approve-outcome.ts';
import { assert } from '../../domain/refusal.ts';
import { scheduledResult } from '../../domain/result.ts';
import { type RunPhase, type RunStanding, type RunState, scheduledStart } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { isoUtc } from '../../domain/time.ts';
import type { Journal } from '../../journal/journal.ts';
import type { QueuedRun } from '../../journal/queued-run.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import type { Clock } from '../../platform/clock.ts';
import { doubtJson, doubtsOf } from '../../report/model/doubts.ts';
import { accountText, rowMasker } from '../../report/model/identifiers.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { remittancesOf } from '../../report/model/remittances.ts';
import { approvalInWords } from '../../report/model/report.ts';
import { reportRows } from '../../report/model/rows.ts';
import { totalsOf } from '../../report/model/totals.ts';
import { readSince, retriedBy } from '../../runner/retries.ts';
import { type ApprovalsShown, approvalsAt, mayStillApprove, nextOf } from '../approve/approvals.ts';
import { problemJson } from '../check/check-result.ts';
import { warningCounts, warningsIn } from '../compare/comparison.ts';
import { coolingProblem } from '../compare/cooling-off.ts';
import { besideLast, conversionsResult, plannedSums, totalResult } from '../plan/plan-result.ts';
import { phaseNow, readKnownRun, standingNow } from '../runs/known-run.ts';
import { waitingRunOf } from '../worker/waiting-run.ts';
import { type KnownPlan, knownOf } from './known-plan.ts';
import { parkedPayees } from './parked-payees.ts';
import type { ShownPayout, ShownPlan, ShowResult } from './show-result.ts';

/** A run and how it stands now. */
export type ShownRun = {
  run: RunState;
  phase: RunPhase;
  standing: RunStanding;
  /** The runs that retry rows of it. */
  retried: string[];
  /** As they count now, or did when the plan was started. */
  approvals: ApprovalsShown;
  /** Who may approve it still. */
  mayApprove: string[];
  /** What it needs next, if it is a plan. */
  next: PlanNext;
  /** Of a plan that nobody has started, what the journal holds of it. */
  plan: KnownPlan | null;
  /** How it stands at the workers to which it is left; null where it is not. `isHeld`: a process works on it. */
  queued: (QueuedRun & { isHeld: boolean }) | null;
};

export type ShowDeps = { journal: Journal; clock: Clock; withdrawals(run: RunState): Promise<Withdrawals> };

/** Throws a `Refusal` for an unknown run or a damaged journal. */
export async function readShown(deps: ShowDeps, runId: string): Promise<ShownRun> {
  const { journal, clock } = deps;
  const nowMs = clock.wallMs();
  const run = await readKnownRun(journal, runId);
  const phase = await phaseNow(journal, run, runId);
  const approvals = approvalsAt(run, nowMs, await deps.withdrawals(run));
  return {
    run,
    phase,
    standing: await standingNow(journal, run, runId),
    retried: await retriedBy(journal, runId),
    approvals,
    mayApprove: mayStillApprove(run, approvals.approvals),
    next: nextOf(run, nowMs),
    plan: phase === 'planned' ? await knownOf(run, { journal, clock }) : null,
    queued: await queuedNow(journal, runId),
  };
}

async function queuedNow(journal: Journal, runId: string): Promise<ShownRun['queued']> {
  const found = (await journal.queued?.find(runId)) ?? null;
  return found && { ...found, isHeld: (await journal.holder(runId)) !== null };
}

/** What became of its rows in later runs. */
export function sinceOfShown({ journal }: Pick<ShowDeps, 'journal'>, { run }: ShownRun): Promise<SinceOfRun> {
  return readSince(journal, run);
}

/** A run as a program reads it, with all payouts. Throws as `readShown` does. */
export async function readShownRun(deps: ShowDeps, runId: string, command: CommandLine): Promise<ShowResult> {
  const shown = await readShown(deps, runId);
  return { ...shownResult(shown, command), payouts: [...shownPayouts(shown.run, command)] };
}

/** Everything of a run but its payouts. */
export function shownResult(shown: ShownRun, command: CommandLine): Omit<ShowResult, 'payouts'> {
  const { run, plan, approvals } = shown;
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const { name, path, sha256, bytes } = header.input;
  const remittance = remittancesOf(run);
  const start = scheduledStart(run)?.start;
  return {
    run_id: header.run_id,
    state: shown.standing,
    stopped: run.stopped,
    stop_message: messages.stops.stoppedText(run, 'command_line'),
    rehearsal: header.rehearsal,
    input: { name, path, sha256, bytes },
    job: header.job,
    period: header.period,
    retries: header.retries,
    retried_by: shown.retried,
    digest: header.digest,
    approvals_needed: approvals.needed,
    approvals_missing: approvals.missing,
    ...(run.plan !== null && run.plan.cooling_off.length > 0 && { rows_to_approve: approvals.rowsMissing }),
    approvals: approvals.approvals.map(approvalInWords),
    plan: plan === null ? null : planResult(plan, [...shown.next.mayApprove]),
    next: plan === null ? null : messages.approvals.nextCommand(shown.next, command),
    ...(start !== undefined && { scheduled: scheduledResult(start) }),
    created_at: isoUtc(run.createdAt),
    finished_at: run.finishedAt === null ? null : isoUtc(run.finishedAt),
    counts: countsOf(run),
    totals: totalsOf(run),
    cancelled: run.cancelled,
    replaced_by: run.replacedBy,
    ...(remittance !== null && { remittance }),
    ...(shown.queued !== null && { worker: waitingRunOf(shown.queued, command) }),
    doubts: Array.from(doubtsOf(run), (doubt) => doubtJson(doubt, command)),
    parked_payees: parkedPayees(run, command),
  };
}

function planResult({ facts, past, cooling }: KnownPlan, mayApprove: string[]): ShownPlan {
  const warnings = [...cooling.map(coolingProblem), ...(past === null ? [] : warningsIn(past.warnings))];
  const { payees, approval } = facts;
  return {
    payouts: facts.payouts,
    totals: facts.totals.map(totalResult),
    ...conversionsResult(facts.conversions),
    recipients_to_create: payees?.recipients_to_create ?? null,
    accounts_to_create: payees?.accounts_to_create ?? null,
    compared: past === null ? null : besideLast(past, plannedSums(facts.totals)),
    warning_count: facts.warnings,
    warning_counts: past === null ? {} : warningCounts(past.warnings),
    warnings: warnings.map(problemJson),
    made_by:
      approval && messages.approvals.preparerText({ preparer: approval.preparer, key: approval.preparer_key ?? null }),
    may_still_approve: mayApprove,
  };
}

/** In the order of the input. Account numbers are masked. */
export function* shownPayouts(run: RunState, command: CommandLine): Generator<ShownPayout> {
  assert(run.header !== null, 'a run without its header');
  const maskRow = rowMasker(run.header.input);
  let at = 0;
  for (const { row, result } of reportRows(run, command)) {
    const planned = run.rows.at(at++);
    const payout = run.payouts.get(row);
    assert(planned?.row === row && payout, 'report rows follow the rows of the run');
    const { order } = planned;
    yield {
      row,
      state: payout.state,
      name: order ? maskRow(planned).hide(order.payee.name) : null,
      amount: order ? formatMajor(BigInt(order.amount_minor), order.currency.decimals) : null,
      currency: order ? currencyLabel(order.currency) : null,
      account: order ? accountText(order.destination) : null,
      ...result,
    };
  }
}
