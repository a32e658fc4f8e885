import { z } from 'zod';
import { inputEdit } from './entries/edits.ts';
import { count, currency, milliseconds, minor, text } from './entries/members.ts';
import { currencyKey, type Money } from './money.ts';

/** The first word of what an approver signs, and of the canonical form that the digest is over. */
export const PLAN_VERSION = 'payrun-plan-v1';

/** The first word of what is signed by who made a plan. */
export const PREPARED_VERSION = 'payrun-prepared-v1';

/** What payees receive in one currency, and what those payouts cost that are sent from the same one. */
const plannedTotal = z.strictObject({
  currency,
  payouts: count,
  planned_minor: minor,
  /** Of the payouts that are not converted. Null where the service does not give the cost of one. */
  fees_minor: minor.nullable(),
});
export type PlannedTotal = z.output<typeof plannedTotal>;

/** What is sent from one currency for what payees receive in another. */
const plannedPair = z.strictObject({
  source: currency,
  currency,
  payouts: count,
  /** What payees receive. */
  planned_minor: minor,
  /** What is sent for that sum by the service's quotes: the rate of the plan. */
  quoted_minor: minor,
  /** The same where each payout is converted on its own and rounded up: what is planned to be sent. */
  sent_minor: minor,
  /** In the currency that is sent, on top of it. Null where the service does not give it. */
  fees_minor: minor.nullable(),
});
export type PlannedPair = z.output<typeof plannedPair>;

/** By how much more than planned may be sent, in hundredths of a percent: for each payout, and for all of a pair together. */
const ceilings = z.strictObject({ payout_bps: count, run_bps: count });
export type Ceilings = z.output<typeof ceilings>;

/** What is sent from other currencies than payees receive, and how much more of them than planned may be. */
const plannedConversions = z.strictObject({
  /** In the order of their first row. */
  pairs: z.array(plannedPair),
  ceilings,
});
export type PlannedConversions = z.output<typeof plannedConversions>;

/**
 * Which of the service's records the payouts go to. `sha256` is over a line for each, sorted: its key, a blank, and its id
 * at the service or `new`. So a plan is void once a record was made, removed or exchanged.
 */
const plannedPayees = z.strictObject({ recipients_to_create: count, accounts_to_create: count, sha256: text });
export type PlannedPayees = z.output<typeof plannedPayees>;

/** A sum in minor units of one currency, by its code: a crypto asset's is over all its chains. */
const limitSum = z.strictObject({ code: text, minor });
export type LimitSum = z.output<typeof limitSum>;

/** What a job allows its runs. A limit that is null is none; one in sums allows no currency that it does not name. */
const limits = z.strictObject({
  per_payout: z.array(limitSum).nullable(),
  per_run: z.array(limitSum).nullable(),
  /** Of all runs of one day, of whatever job, by the clocks of `time_zone`. */
  per_day: z.array(limitSum).nullable(),
  time_zone: text,
  /** How many payees at most. */
  payees: count.nullable(),
  /** The only payee_ids that may be paid, sorted. */
  only_payees: z.array(text).nullable(),
  /** The run stops where more per cent of its payouts than that fail or are rejected. */
  failures_percent: count.nullable(),
  /** For how long after its first payment an account is new, so that each row to it has to be approved on its own. */
  cooling_off_ms: milliseconds.nullable().default(null),
});
export type Limits = z.output<typeof limits>;

/** `public_key` is the base64url of an Ed25519 key. */
const approver = z.strictObject({ name: text, public_key: text });
export type Approver = z.output<typeof approver>;

/** Who approves, and how many of them. */
const approvalPolicy = z.strictObject({
  approvers: z.array(approver),
  /** The last band whose `over` the totals exceed gives how many sign; the first has none. */
  bands: z.array(z.strictObject({ over: limitSum.nullable(), approvals: count })),
  /** How long a signature is good for. */
  valid_for_ms: milliseconds,
  /** Who made the plan, and so does not approve it: the account, or the name that the job gives the key. */
  preparer: text,
  /**
   * Who makes plans, each known by a key; absent where a job names nobody, and who makes one is known by the account. Left
   * out and never null, as the next, so that the digests of older plans stay what they are.
   */
  preparers: z.array(approver).optional(),
  /** With which of their keys the plan was made; absent where it is known by the account. */
  preparer_key: text.optional(),
});
export type ApprovalPolicy = z.output<typeof approvalPolicy>;

/**
 * What a run will do, beside its rows: together with them this is what people see, what an approver signs, and what
 * `run` performs or refuses. The digest is SHA-256 (hex) over the RFC 8785 form of these members and `rows`, the payable
 * orders in the order of the input. Journals from before a member was there lack it, and it has its default.
 */
export const planFacts = z.strictObject({
  version: z.literal(PLAN_VERSION),
  run_id: text,
  /** The job and the period that it pays, such as `2026-11`; null where the run is no job's. */
  job: text.nullable(),
  period: text.nullable(),
  /** The service and the key: a plan for one is none for another. */
  scope: text,
  rehearsal: z.boolean(),
  input_sha256: text,
  payouts: count,
  /** Per currency, in the order of its first row. */
  totals: z.array(plannedTotal),
  /** Null where nothing is converted: then the plan is written as it was before there were conversions. */
  conversions: plannedConversions.nullable().default(null),
  /** Null where the service was not asked for them: a run that is confirmed where it is planned makes what is missing. */
  payees: plannedPayees.nullable(),
  /** How many warnings were given of the input and of the plan. */
  warnings: count.default(0),
  /** What the job allows; null where it has no limits. */
  limits: limits.nullable().default(null),
  /** The rows that go to an account which is new or changed: each waits for an approval of its own. */
  cooling_off: z.array(count).default([]),
  /** Null where nobody has to approve. */
  approval: approvalPolicy.nullable(),
  /** How long the same amount to the same account is refused; null of a retry, and of files that an older payrun planned. */
  repeat_window_ms: milliseconds.nullable().default(null),
  /** What people changed on the page in the rows of the input; left out, and never empty, where nobody did. */
  edits: z.array(inputEdit).optional(),
});
export type PlanFacts = z.output<typeof planFacts>;

const statement = {
  version: z.literal(PLAN_VERSION),
  digest: text,
  payouts: count,
  totals: z.array(z.strictObject({ currency, minor })),
  /** Names a key among the policy's approvers. */
  approver: text,
  public_key: text,
  /** Of those that cool off, the rows that are approved, ascending. Where there are none, none is signed. */
  rows: z.array(count).default([]),
  /** Unix ms. */
  signed_at: milliseconds,
  expires_at: milliseconds,
  /** What the approver wrote beside it; absent, and not signed, where they wrote nothing. */
  comment: text.optional(),
};

/** One approver's signature over the plan. */
export const approval = z.strictObject({
  ...statement,
  /** Who gave it, as far as the machine knew: `anna@desk-7`. */
  by: text,
  /** Base64url of 64 bytes, over the statement. */
  signature: text,
});
export type Approval = z.output<typeof approval>;

/** What an approver signs: which plan, how much of it, and until when. */
export type ApprovalStatement = Omit<Approval, 'by' | 'signature'>;

/**
 * What leaves each balance: payouts, and fees if known; for conversions, in the currency that is sent. Includes every
 * currency that is paid or sent, even if its balance does not change.
 */
export function costOf({ totals, conversions }: Pick<PlanFacts, 'totals' | 'conversions'>): Money[] {
  const costs = new Map<string, Money>();
  const add = (currency: Money['currency'], minor: bigint): void => {
    const before = costs.get(currencyKey(currency))?.minor ?? 0n;
    costs.set(currencyKey(currency), { currency, minor: before + minor });
  };
  for (const { currency, planned_minor, fees_minor } of totals)
    add(currency, BigInt(planned_minor) + BigInt(fees_minor ?? '0'));
  for (const { source, currency, planned_minor, sent_minor, fees_minor } of conversions?.pairs ?? []) {
    add(currency, -BigInt(planned_minor));
    add(source, BigInt(sent_minor) + BigInt(fees_minor ?? '0'));
  }
  return [...costs.values()];
}
