import { problemJson } from '../../../app/check/check-result.ts';
import { besideLast, warningCounts, warningsIn } from '../../../app/compare/comparison.ts';
import { coolingProblem } from '../../../app/compare/cooling-off.ts';
import { conversionsResult, plannedSums, totalResult } from '../../../app/plan/shown-plan.ts';
import type { KnownPlan } from '../../../app/show/known-plan.ts';
import { printable } from '../../../messages/text.ts';
import { pastText, summaryText } from '../../paid/compare-text.ts';
import { approvalsOf, mayStillApprove } from '../../plans/approvals.ts';
import { conversionsTable } from '../../plans/conversion-text.ts';
import { preparerText } from '../../plans/preparer.ts';
import { planLines } from '../approve/approvable-text.ts';
import type { ShownPlan } from './json.ts';

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
export function shownPlanJson({ run, facts, past, cooling }: KnownPlan): ShownPlan {
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
