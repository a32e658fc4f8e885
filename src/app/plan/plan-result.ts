import { z } from 'zod';
import { approvalsNeeded } from '../../approval/check.ts';
import { percentOf, rateOf } from '../../domain/conversion.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { count, text } from '../../domain/entries/members.ts';
import { formatMajor, type Money } from '../../domain/money.ts';
import {
  costOf,
  type PlanFacts,
  type PlannedConversions,
  type PlannedPair,
  type PlannedTotal,
} from '../../domain/plan.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { amount, currencyName, inputName, runId, sha256, time } from '../../domain/result.ts';
import { isoUtc } from '../../domain/time.ts';
import { shortages } from '../../runner/plan/preflight.ts';
import { problemResult, problemResultOf } from '../check/check-result.ts';
import { type Comparison, newPayees, totalsBeside, warningCounts, warningsIn } from '../compare/comparison.ts';
import { coolingProblem } from '../compare/cooling-off.ts';
import type { OlderPlans } from './awaiting.ts';
import type { DrawnPlan } from './draw-plan.ts';

export const plannedTotal = z.object({
  currency: currencyName,
  payouts: count,
  planned: amount,
  fees: amount.nullable().describe('Null where the service does not say.'),
});

export const plannedConversion = z.object({
  from: currencyName,
  to: currencyName,
  payouts: count,
  received: amount,
  sent: amount,
  fees: amount.nullable(),
  rate: text.describe('What one unit of `from` buys, as it is quoted.'),
});

export const ceilingsResult = z
  .object({ payout: text, run: text })
  .nullable()
  .describe('By how many percent a payout and the run may cost more than planned.');

const balance = z
  .object({ currency: currencyName, before: amount, after: amount.nullable(), short: amount })
  .describe('What the service held when it was planned; `after` is null where it is short.');

export const compared = z
  .object({
    run_id: runId,
    started_at: time,
    payees_new: count,
    payees_missing: count,
    amounts_changed: count,
    totals: z.array(z.object({ currency: currencyName, before: amount, now: amount })),
  })
  .describe('What changed since the last run of the job.');

export const warningsByCode = z
  .record(text, count)
  .describe('How many by code, also of those that are not in the list any more.');

/** A plan that was made: what `plan --json` prints of it. */
export const planResult = z.object({
  run_id: runId,
  state: z.literal('planned'),
  digest: sha256.describe('The SHA-256 of the plan: what approvers sign.'),
  rehearsal: z.boolean(),
  input: inputName,
  job: text.nullable(),
  period: text.nullable(),
  retries: runId.nullable().describe('The run whose unpaid rows it pays.'),
  payouts: count,
  totals: z.array(plannedTotal),
  conversions: z.array(plannedConversion),
  ceilings: ceilingsResult,
  balances: z.array(balance),
  recipients_to_create: count.nullable(),
  accounts_to_create: count.nullable(),
  compared: compared.nullable(),
  warning_counts: warningsByCode,
  warnings: z.array(problemResult),
  replaces: z.array(runId).describe('Older plans that it took the place of.'),
  waiting_too: z.array(runId).describe('Older plans that can be run as well; only one of both can.'),
  approvals_needed: count,
});

/** What the page keeps of it: neither cells nor what the journal has. */
export const keptPlan = planResult.pick({ run_id: true, digest: true, balances: true, compared: true }).extend({
  // Earlier versions kept sentences in place of parameters.
  warnings: z
    .array(problemResult.pick({ severity: true, code: true, row: true, cell: true, params: true, paid_by: true }))
    .catch([]),
  // Plans of earlier versions have none of these.
  warning_counts: warningsByCode.default({}),
  replaces: planResult.shape.replaces.default([]),
});

export type PlanResult = z.output<typeof planResult>;
export type KeptPlan = z.output<typeof keptPlan>;
export type PlanWarning = KeptPlan['warnings'][number];
export type Compared = z.output<typeof compared>;

export type PlanTotal = z.output<typeof plannedTotal>;
export type PlanBalance = z.output<typeof balance>;

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

/** Beside the last run of the job; null where there is none. Amounts in major units. */
export function besideLast({ compared, warnings }: Comparison, totals: readonly Money[]): Compared | null {
  const { lastOfJob, missing } = compared;
  if (lastOfJob === null) return null;
  return {
    run_id: lastOfJob.id,
    started_at: isoUtc(lastOfJob.at),
    payees_new: newPayees(compared),
    payees_missing: missing.size,
    amounts_changed: warnings.amount_changed.counts.warnings,
    totals: totalsBeside(compared, totals).map(({ before, now }) => ({
      currency: currencyLabel(now.currency),
      before: formatMajor(before.minor, before.currency.decimals),
      now: formatMajor(now.minor, now.currency.decimals),
    })),
  };
}
