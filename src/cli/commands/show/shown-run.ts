import { mayStillApprove } from '../../../app/approve/approvals.ts';
import { problemJson } from '../../../app/check/check-result.ts';
import { warningCounts, warningsIn } from '../../../app/compare/comparison.ts';
import { coolingProblem } from '../../../app/compare/cooling-off.ts';
import { besideLast, conversionsResult, plannedSums, totalResult } from '../../../app/plan/plan-result.ts';
import { phaseNow, readKnownRun, standingNow } from '../../../app/runs/known-run.ts';
import { type KnownPlan, knownOf } from '../../../app/show/known-plan.ts';
import type { Withdrawals } from '../../../approval/check.ts';
import { withdrawalsOf } from '../../../compose/withdrawals.ts';
import { currencyLabel } from '../../../domain/currencies.ts';
import { formatMajor } from '../../../domain/money.ts';
import { assert } from '../../../domain/refusal.ts';
import type { RunPhase, RunStanding, RunState } from '../../../domain/run/run-state.ts';
import { isoUtc } from '../../../domain/time.ts';
import type { Journal } from '../../../journal/journal.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { stoppedText } from '../../../messages/stop-words.ts';
import { machineClock } from '../../../platform/machine.ts';
import { doubtJson, doubtsOf } from '../../../report/model/doubts.ts';
import { accountText, rowMasker } from '../../../report/model/identifiers.ts';
import { countsOf } from '../../../report/model/outcome.ts';
import { reportRows } from '../../../report/model/rows.ts';
import { totalsOf } from '../../../report/model/totals.ts';
import { retriedBy } from '../../../runner/retries.ts';
import { approvalsJson, approvalsOf, nextOfPlan, preparerText } from '../../plans/approvals.ts';
import { parkedPayees } from '../../runs/parked-payees.ts';
import { remittanceJson } from '../../runs/remittance-text.ts';
import type { ShownPayout, ShownPlan, ShowOutput } from './json.ts';

/** A run and how it stands now. */
export type ShownRun = {
  run: RunState;
  phase: RunPhase;
  standing: RunStanding;
  /** The runs that retry rows of it. */
  retried: string[];
  withdrawals: Withdrawals;
  /** Of a plan that nobody has started, what the journal holds of it. */
  plan: KnownPlan | null;
};

/** Throws a Refusal for an unknown run or a damaged journal. */
export async function readShown(journal: Journal, runId: string, dataDir: string): Promise<ShownRun> {
  const run = await readKnownRun(journal, runId);
  const phase = await phaseNow(journal, run, runId);
  return {
    run,
    phase,
    standing: await standingNow(journal, run, runId),
    retried: await retriedBy(journal, runId),
    withdrawals: withdrawalsOf(run, dataDir),
    plan: phase === 'planned' ? await knownOf(run, { journal, clock: machineClock }) : null,
  };
}

/** A run as a program reads it, with all payouts. Throws as `readShown` does. */
export async function readShownRun(
  journal: Journal,
  runId: string,
  { dataDir, command }: { dataDir: string; command: CommandLine },
): Promise<Omit<ShowOutput, 'exit'>> {
  const shown = await readShown(journal, runId, dataDir);
  return { ...shownJson(shown, command), payouts: [...shownPayouts(shown.run, command)] };
}

/** Everything of a run but its payouts. */
export function shownJson(shown: ShownRun, command: CommandLine): Omit<ShowOutput, 'payouts' | 'exit'> {
  const { run, plan } = shown;
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const { name, path, sha256, bytes } = header.input;
  return {
    run_id: header.run_id,
    state: shown.standing,
    stopped: run.stopped,
    stop_message: stoppedText(run, 'command_line'),
    rehearsal: header.rehearsal,
    input: { name, path, sha256, bytes },
    job: header.job,
    period: header.period,
    retries: header.retries,
    retried_by: shown.retried,
    digest: header.digest,
    ...approvalsJson(run, shown.withdrawals),
    plan: plan === null ? null : planJson(plan),
    next: plan === null ? null : nextOfPlan(run, command),
    created_at: isoUtc(run.createdAt),
    finished_at: run.finishedAt === null ? null : isoUtc(run.finishedAt),
    counts: countsOf(run),
    totals: totalsOf(run),
    cancelled: run.cancelled,
    replaced_by: run.replacedBy,
    ...remittanceJson(run),
    doubts: Array.from(doubtsOf(run), (doubt) => doubtJson(doubt, command)),
    parked_payees: parkedPayees(run, command),
  };
}

function planJson({ run, facts, past, cooling }: KnownPlan): ShownPlan {
  const warnings = [...cooling.map(coolingProblem), ...(past === null ? [] : warningsIn(past.warnings))];
  return {
    payouts: facts.payouts,
    totals: facts.totals.map(totalResult),
    ...conversionsResult(facts.conversions),
    recipients_to_create: facts.payees?.recipients_to_create ?? null,
    accounts_to_create: facts.payees?.accounts_to_create ?? null,
    compared: past === null ? null : besideLast(past, plannedSums(facts.totals)),
    warning_count: facts.warnings,
    warning_counts: past === null ? {} : warningCounts(past.warnings),
    warnings: warnings.map(problemJson),
    made_by: facts.approval === null ? null : preparerText(facts.approval),
    may_still_approve: mayStillApprove(run, approvalsOf(run).approvals),
  };
}

/** In the order of the input. Account numbers are masked. */
export function* shownPayouts(run: RunState, command: CommandLine): Generator<ShownPayout> {
  assert(run.header !== null, 'a run without its header');
  const maskRow = rowMasker(run.header.input);
  let at = 0;
  for (const { row, result } of reportRows(run, command)) {
    const planned = run.rows[at++];
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
