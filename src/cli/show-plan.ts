import type { RunCreated } from '../domain/entry.ts';
import type { PlanFacts } from '../domain/plan.ts';
import { Refusal } from '../domain/refusal.ts';
import type { RunState } from '../domain/run.ts';
import type { Journal } from '../journal/journal.ts';
import { planLines } from './approvable-text.ts';
import { approvalsOf, mayStillApprove } from './approvals.ts';
import { coolingOf } from './approve-rows.ts';
import { type Comparison, comparedJson, summaryText, warningCounts, warningsIn } from './compare-text.ts';
import { conversionsJson, conversionsTable } from './conversion-text.ts';
import { type CoolingRow, coolingProblem } from './cooling-off.ts';
import { plannedSums, totalJson } from './plan-text.ts';
import { preparerText } from './preparer.ts';
import { problemJson } from './problem-text.ts';
import { comparedWithPast, pastText } from './shown-past.ts';
import { printable } from './tables.ts';

/** A plan that waits, and what the journal says now of those whom it would pay. */
export type KnownPlan = {
  run: RunState;
  header: RunCreated;
  facts: PlanFacts;
  /** Null where it cannot be read, and `unread` says why. */
  past: Comparison | null;
  cooling: CoolingRow[];
  unread: string | null;
};

/** Everything that the journal holds of a plan that waits, but for its rows and approvals: what `plan` and `approve` show. */
export function shownPlanText({ header, facts, past, cooling, unread }: KnownPlan, colour: boolean): string {
  const first = pastText(past, colour);
  const summary = past === null ? '' : summaryText(past, plannedSums(facts.totals));
  return [
    unread === null ? '' : `${printable(unread)}\n\n`,
    first === '' ? '' : `${first}\n`,
    `${planLines(header, facts, cooling).map(printable).join('\n')}\n`,
    conversionsTable(facts.conversions),
    summary === '' ? '' : `\n${summary}`,
    '\n',
  ].join('');
}

/** The same for `show --json`. */
export function shownPlanJson({ run, facts, past, cooling }: KnownPlan): Record<string, unknown> {
  const warnings = [...cooling.map(coolingProblem), ...(past === null ? [] : warningsIn(past.warnings))];
  return {
    payouts: facts.payouts,
    totals: facts.totals.map(totalJson),
    ...conversionsJson(facts.conversions),
    recipients_to_create: facts.payees?.recipients_to_create ?? null,
    accounts_to_create: facts.payees?.accounts_to_create ?? null,
    compared: past === null ? null : comparedJson(past, plannedSums(facts.totals)),
    warning_count: facts.warnings,
    warning_counts: past === null ? {} : warningCounts(past.warnings),
    warnings: warnings.map(problemJson),
    made_by: facts.approval === null ? null : preparerText(facts.approval),
    may_still_approve: mayStillApprove(run, approvalsOf(run).approvals),
  };
}

/** A plan can be looked at whatever became of the runs before it. Null where the run is none. */
export function knownOf(run: RunState, given: { journal: Journal; dataDir: string }): KnownPlan | null {
  const { header, plan: facts } = run;
  if (header === null || facts === null) return null;
  try {
    const cooling = [...coolingOf(run, given).values()];
    return { run, header, facts, past: comparedWithPast(run, given), cooling, unread: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { run, header, facts, past: null, cooling: [], unread: error.message };
  }
}
