import type { Currency } from './currencies.ts';
import type { Limits } from './limits.ts';

/** The first word of what an approver signs, and of the canonical form that the digest is over. */
export const PLAN_VERSION = 'payrun-plan-v1';

/** The first word of what is signed by who made a plan. */
export const PREPARED_VERSION = 'payrun-prepared-v1';

/**
 * What a run will do, beside its rows: together with them this is what people see, what an approver signs, and what
 * `run` performs or refuses. The digest is SHA-256 (hex) over the RFC 8785 form of these members and `rows`, the payable
 * orders in the order of the input. JSON-safe: amounts are the decimal text of minor units.
 */
export type PlanFacts = {
  version: typeof PLAN_VERSION;
  run_id: string;
  /** The job and the period that it pays, such as `2026-11`; null where the run is no job's. */
  job: string | null;
  period: string | null;
  /** The service and the key: a plan for one is none for another. */
  scope: string;
  rehearsal: boolean;
  input_sha256: string;
  payouts: number;
  /** Per currency, in the order of its first row. */
  totals: PlannedTotal[];
  /** Null where nothing is converted: then the plan is written as it was before there were conversions. */
  conversions: PlannedConversions | null;
  /** Null where the service was not asked for them: a run that is confirmed where it is planned makes what is missing. */
  payees: PlannedPayees | null;
  /** How many warnings were given of the input and of the plan. */
  warnings: number;
  /** What the job allows; null where it says nothing, and nothing is said of it here. */
  limits: Limits | null;
  /** The rows that go to an account which is new or changed: each waits for an approval of its own. */
  cooling_off: number[];
  /** Null where nobody has to approve. */
  approval: ApprovalPolicy | null;
  /** How long the same amount to the same account is refused; null of a retry, and of files that an older payrun planned. */
  repeat_window_ms: number | null;
};

/** What is sent from other currencies than payees receive, and how much more of them than planned may be. */
export type PlannedConversions = {
  /** In the order of their first row. */
  pairs: PlannedPair[];
  ceilings: Ceilings;
};

/** What is sent from one currency for what payees receive in another. */
export type PlannedPair = {
  source: Currency;
  currency: Currency;
  payouts: number;
  /** What payees receive. */
  planned_minor: string;
  /** What is sent for that sum by the service's quotes: the rate of the plan. */
  quoted_minor: string;
  /** The same where each payout is converted by itself and rounded up: what is planned to be sent. */
  sent_minor: string;
  /** In the currency that is sent, on top of it. Null where the service does not say. */
  fees_minor: string | null;
};

/** By how much more than planned may be sent, in hundredths of a percent: for each payout, and for all of a pair together. */
export type Ceilings = { payout_bps: number; run_bps: number };

/** What payees receive in one currency, and what those payouts cost that are sent from the same one. */
export type PlannedTotal = {
  currency: Currency;
  payouts: number;
  planned_minor: string;
  /** Of the payouts that are not converted. Null where the service does not say what one costs. */
  fees_minor: string | null;
};

/**
 * Which of the service's records the payouts go to. `sha256` is over a line for each, sorted: its key, a blank, and its id
 * at the service or `new`. So a plan is void once a record was made, removed or exchanged.
 */
export type PlannedPayees = {
  recipients_to_create: number;
  accounts_to_create: number;
  sha256: string;
};

/** Who approves, and how many of them. */
export type ApprovalPolicy = {
  approvers: Approver[];
  /** The last band whose `over` the totals exceed says how many sign; the first has none. */
  bands: { over: { code: string; minor: string } | null; approvals: number }[];
  /** How long a signature is good for. */
  valid_for_ms: number;
  /** Who made the plan, and so does not approve it: the account, or the name that the job gives the key. */
  preparer: string;
  /** Who makes plans, each known by a key; absent where a job names nobody, and who makes one is known by the account. */
  preparers?: Approver[];
  /** With which of their keys the plan was made; absent where the account says who made it. */
  preparer_key?: string;
};

/** `public_key` is the base64url of an Ed25519 key. */
export type Approver = { name: string; public_key: string };

/** One approver's signature over the plan. */
export type Approval = ApprovalStatement & {
  /** Who gave it, as far as the machine knew: `anna@desk-7`. */
  by: string;
  /** Base64url of 64 bytes, over the statement. */
  signature: string;
};

/** What an approver signs: which plan, how much of it, and until when. */
export type ApprovalStatement = {
  version: typeof PLAN_VERSION;
  digest: string;
  payouts: number;
  totals: { currency: Currency; minor: string }[];
  /** Names a key among the policy's approvers. */
  approver: string;
  public_key: string;
  /** Of those that cool off, the rows that are approved, ascending. Where there are none, none is signed. */
  rows: number[];
  /** Unix ms. */
  signed_at: number;
  expires_at: number;
};
