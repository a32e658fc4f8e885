import { z } from 'zod';

const warning = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  row: z.number().nullable(),
  cell: z.string().nullable(),
  message: z.string(),
  remedy: z.string(),
});

const compared = z.object({
  run_id: z.string(),
  started_at: z.string(),
  payees_new: z.number(),
  payees_missing: z.number(),
  amounts_changed: z.number(),
  totals: z.array(z.object({ currency: z.string(), before: z.string(), now: z.string() })),
});

const balance = z.object({
  currency: z.string(),
  before: z.string(),
  after: z.string().nullable(),
  short: z.string(),
});

/** By code, also of those that are not in the list any more. */
const counts = z.record(z.string(), z.number()).default({});

/** What `plan --json` says of a plan that it made. */
export const planResult = z.object({
  run_id: z.string(),
  digest: z.string(),
  balances: z.array(balance),
  compared: compared.nullable(),
  warnings: z.array(warning),
  warning_counts: counts,
  replaces: z.array(z.string()).default([]),
});

export type PlanResult = z.output<typeof planResult>;
export type PlanWarning = z.output<typeof warning>;
export type Compared = z.output<typeof compared>;
