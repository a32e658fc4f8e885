import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import { amount, currencyName, inputName, runId, sha256, time } from '../../domain/result.ts';
import { problemResult } from '../check/check-result.ts';

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
