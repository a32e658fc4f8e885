import { approvalsNeeded } from '../../approval/check.ts';
import { percentOf, rateOf } from '../../domain/conversion.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor, type Money } from '../../domain/money.ts';
import type { PlanFacts, PlannedConversions, PlannedPair, PlannedTotal } from '../../domain/plan.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { shortages } from '../../runner/plan/preflight.ts';
import { problemResultOf } from '../check/check-result.ts';
import { besideLast, warningCounts, warningsIn } from '../compare/comparison.ts';
import { coolingProblem } from '../compare/cooling-off.ts';
import type { OlderPlans } from './awaiting.ts';
import { costOf, type DrawnPlan } from './draw-plan.ts';
import type { PlanBalance, PlanResult, PlanTotal } from './plan-result.ts';

/** `ofInput`: the problems of the input that do not keep it from being planned. */
export function planResultOf(plan: DrawnPlan, ofInput: readonly Problem[], older: OlderPlans): PlanResult {
  const { comparison, header, facts, held, cooling } = plan;
  const others = ofInput.filter(({ code }) => comparison === null || code !== 'account_changed');
  const ofPast = comparison === null ? [] : warningsIn(comparison.warnings);
  const warnings = [...others, ...serviceWarnings(plan), ...cooling.map(coolingProblem), ...ofPast];
  return {
    run_id: header.run_id,
    state: 'planned',
    digest: header.digest,
    rehearsal: header.rehearsal,
    input: { name: header.input.name, sha256: header.input.sha256, bytes: header.input.bytes },
    job: header.job,
    period: header.period,
    retries: header.retries,
    payouts: header.payouts,
    totals: facts.totals.map(totalResult),
    ...conversionsResult(facts.conversions),
    balances: costOf(facts).map((cost) => balanceResult(cost, held(cost.currency))),
    recipients_to_create: facts.payees?.recipients_to_create ?? null,
    accounts_to_create: facts.payees?.accounts_to_create ?? null,
    compared: comparison && besideLast(comparison, plannedSums(facts.totals)),
    warning_counts: comparison === null ? {} : warningCounts(comparison.warnings),
    warnings: warnings.map(problemResultOf),
    replaces: older.replaced.map(({ run_id }) => run_id),
    waiting_too: older.waiting.map(({ run_id }) => run_id),
    approvals_needed: approvalsNeededBy(facts),
  };
}

export function approvalsNeededBy(facts: PlanFacts): number {
  return facts.approval === null ? 0 : approvalsNeeded(facts.approval, facts);
}

/** What the service shows, and what may be otherwise when the plan is run: short balances, too little to convert, the day's limit. */
export function serviceWarnings({ facts, held, small, ofDay }: DrawnPlan): Problem[] {
  const short = shortages(held, costOf(facts)).map((shortage) =>
    problemAt('warning', fault('balance_short', shortage)),
  );
  return [...short, ...small, ...ofDay];
}

export function plannedSums(totals: readonly PlannedTotal[]): Money[] {
  return totals.map(({ currency, planned_minor }) => ({ currency, minor: BigInt(planned_minor) }));
}

/** A currency of a plan. */
export function totalResult({ currency, payouts, planned_minor, fees_minor }: PlannedTotal): PlanTotal {
  return {
    currency: currencyLabel(currency),
    payouts,
    planned: formatMajor(BigInt(planned_minor), currency.decimals),
    fees: fees_minor === null ? null : formatMajor(BigInt(fees_minor), currency.decimals),
  };
}

export function conversionsResult(
  conversions: PlannedConversions | null,
): Pick<PlanResult, 'conversions' | 'ceilings'> {
  if (conversions === null) return { conversions: [], ceilings: null };
  const { pairs, ceilings } = conversions;
  return {
    conversions: pairs.map((pair) => ({
      from: currencyLabel(pair.source),
      to: currencyLabel(pair.currency),
      payouts: pair.payouts,
      received: formatMajor(BigInt(pair.planned_minor), pair.currency.decimals),
      sent: formatMajor(BigInt(pair.sent_minor), pair.source.decimals),
      fees: pair.fees_minor === null ? null : formatMajor(BigInt(pair.fees_minor), pair.source.decimals),
      rate: plannedRate(pair),
    })),
    ceilings: { payout: percentOf(ceilings.payout_bps), run: percentOf(ceilings.run_bps) },
  };
}

export function plannedRate(pair: PlannedPair): string {
  return rateOf(pair, { received: BigInt(pair.planned_minor), sent: BigInt(pair.quoted_minor) });
}

function balanceResult({ minor, currency }: Money, held: bigint): PlanBalance {
  const show = (amount: bigint): string => formatMajor(amount, currency.decimals);
  const short = held < minor ? minor - held : 0n;
  return {
    currency: currencyLabel(currency),
    before: show(held),
    after: short > 0n ? null : show(held - minor),
    short: show(short),
  };
}
