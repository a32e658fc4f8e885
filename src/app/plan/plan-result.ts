import { z } from 'zod';
import { problemResult } from '../check/check-result.ts';

const total = z.object({
  currency: z.string(),
  payouts: z.number(),
  planned: z.string(),
  /** Null where the service does not say. */
  fees: z.string().nullable(),
});

const conversion = z.object({
  from: z.string(),
  to: z.string(),
  payouts: z.number(),
  received: z.string(),
  sent: z.string(),
  fees: z.string().nullable(),
  rate: z.string(),
});

/** What the service held when it was planned; `after` is null where it is short. */
const balance = z.object({
  currency: z.string(),
  before: z.string(),
  after: z.string().nullable(),
  short: z.string(),
});

const compared = z.object({
  run_id: z.string(),
  started_at: z.string(),
  payees_new: z.number(),
  payees_missing: z.number(),
  amounts_changed: z.number(),
  totals: z.array(z.object({ currency: z.string(), before: z.string(), now: z.string() })),
});

/** By code, also of those that are not in the list any more. */
const counts = z.record(z.string(), z.number());

/** A plan that was made: what `plan --json` prints of it. */
export const planResult = z.object({
  run_id: z.string(),
  state: z.literal('planned'),
  digest: z.string(),
  rehearsal: z.boolean(),
  input: z.object({ name: z.string(), sha256: z.string(), bytes: z.number() }),
  job: z.string().nullable(),
  period: z.string().nullable(),
  retries: z.string().nullable(),
  payouts: z.number(),
  totals: z.array(total),
  conversions: z.array(conversion),
  ceilings: z.object({ payout: z.string(), run: z.string() }).nullable(),
  balances: z.array(balance),
  recipients_to_create: z.number().nullable(),
  accounts_to_create: z.number().nullable(),
  compared: compared.nullable(),
  warning_counts: counts,
  warnings: z.array(problemResult),
  replaces: z.array(z.string()),
  waiting_too: z.array(z.string()),
  approvals_needed: z.number(),
});

/** What the page keeps of it: neither cells nor what the journal has. */
export const keptPlan = planResult.pick({ run_id: true, digest: true, balances: true, compared: true }).extend({
  warnings: z.array(
    problemResult.pick({
      severity: true,
      code: true,
      row: true,
      cell: true,
      message: true,
      remedy: true,
      paid_by: true,
    }),
  ),
  // Plans of earlier versions have none of these.
  warning_counts: counts.default({}),
  replaces: planResult.shape.replaces.default([]),
});

export type PlanResult = z.output<typeof planResult>;
export type KeptPlan = z.output<typeof keptPlan>;
export type PlanWarning = KeptPlan['warnings'][number];
export type Compared = z.output<typeof compared>;

export type PlanTotal = z.output<typeof total>;
export type PlanBalance = z.output<typeof balance>;
