import { z } from 'zod';
import { PLAN_VERSION } from '../domain/plan.ts';
import { count, currency, milliseconds, minor, text } from './member-schemas.ts';

const person = z.strictObject({ name: text, public_key: text });
const limitSums = z.array(z.strictObject({ code: text, minor })).nullable();

export const plan = z.strictObject({
  version: z.literal(PLAN_VERSION),
  run_id: text,
  job: text.nullable(),
  period: text.nullable(),
  scope: text,
  rehearsal: z.boolean(),
  input_sha256: text,
  payouts: count,
  totals: z.array(z.strictObject({ currency, payouts: count, planned_minor: minor, fees_minor: minor.nullable() })),
  // Journals from before there were conversions have none.
  conversions: z
    .strictObject({
      pairs: z.array(
        z.strictObject({
          source: currency,
          currency,
          payouts: count,
          planned_minor: minor,
          quoted_minor: minor,
          sent_minor: minor,
          fees_minor: minor.nullable(),
        }),
      ),
      ceilings: z.strictObject({ payout_bps: count, run_bps: count }),
    })
    .nullable()
    .default(null),
  payees: z.strictObject({ recipients_to_create: count, accounts_to_create: count, sha256: text }).nullable(),
  warnings: count.default(0),
  // Journals from before there were limits have none.
  limits: z
    .strictObject({
      per_payout: limitSums,
      per_run: limitSums,
      per_day: limitSums,
      time_zone: text,
      payees: count.nullable(),
      only_payees: z.array(text).nullable(),
      failures_percent: count.nullable(),
      cooling_off_ms: milliseconds.nullable().default(null),
    })
    .nullable()
    .default(null),
  cooling_off: z.array(count).default([]),
  approval: z
    .strictObject({
      approvers: z.array(person),
      bands: z.array(z.strictObject({ over: z.strictObject({ code: text, minor }).nullable(), approvals: count })),
      valid_for_ms: milliseconds,
      preparer: text,
      // Left out where they say nothing, so that the digests of older plans stay what they are.
      preparers: z.array(person).optional(),
      preparer_key: text.optional(),
    })
    .nullable(),
  repeat_window_ms: milliseconds.nullable().default(null),
});

export const approval = z.strictObject({
  version: z.literal(PLAN_VERSION),
  digest: text,
  payouts: count,
  totals: z.array(z.strictObject({ currency, minor })),
  approver: text,
  public_key: text,
  // Journals from before rows were approved by themselves have none.
  rows: z.array(count).default([]),
  signed_at: milliseconds,
  expires_at: milliseconds,
  by: text,
  signature: text,
});
