import { z } from 'zod';
import { actor, attempt, count, currency, minor, signedRequest, text } from './members.ts';
import { note } from './note.ts';

/** How we came to know a record of the service. */
const found = z.enum(['answer', 'look', 'resend', 'person']);
export type Found = z.output<typeof found>;

/** What a payee receives of a payout that is converted; null where that is what is sent. */
const received = z.strictObject({ amount_minor: minor, currency });
export type Received = z.output<typeof received>;

const sent = {
  token: text,
  external_account_id: text,
  recipient_id: text.nullable(),
  /** What is sent. */
  amount_minor: minor,
  currency,
  /** Absent in journals from before there were conversions. */
  received: received.nullable().default(null),
};

const intent = z.strictObject({ kind: z.literal('intent'), ...attempt, ...sent, request: signedRequest });
export type Intent = z.output<typeof intent>;

/** The HTTP status that the first copy of a request was answered with, and the transaction that it made. */
const firstCopy = z.strictObject({ status: z.int(), transaction_id: text.nullable() });
export type FirstCopy = z.output<typeof firstCopy>;

/**
 * The service had the request's bytes before (401 `REPLAYED`). `first`: what it reports became of the first copy; null
 * where it reports nothing.
 */
const replayed = z.strictObject({ kind: z.literal('replayed'), ...attempt, first: firstCopy.nullable() });
export type Replayed = z.output<typeof replayed>;

/**
 * The attempt is proven to have taken no effect: by what the service listed, by a person who accepts that evidence, or by
 * what the service reports of the first copy. `witness` is of journals from before lists were known to lag per record.
 */
const absent = z.strictObject({
  kind: z.literal('absent'),
  ...attempt,
  witness: text.nullable(),
  listings: count,
  /** Journals of version 1 know only absence that a listing proved. */
  by: z.enum(['listing', 'person', 'first_copy']).default('listing'),
});
export type Absent = z.output<typeof absent>;

/**
 * Why a payout is parked for a person. `no_expiry`: the service does not promise that an expired request is dead.
 * `incomplete`: its list does not prove absence. `candidate`: a payment is there that could be this one. `mismatch`: a
 * record carries our token and is not what we sent. `twice`: several carry it. `replayed`: the service had the request
 * before, and does not list what it did. `no_canary`: no payout of the run has come back, so that its list proves nothing.
 * `unknown_id`: it accepted the payout as a transaction that it does not know.
 */
const about = z.enum([
  'no_expiry',
  'incomplete',
  'candidate',
  'mismatch',
  'twice',
  'replayed',
  'no_canary',
  'unknown_id',
]);
/** `old_copy`: the service holds payments that look like rows which this journal never sent. */
export const unresolvedAbout = z.enum([...about.options, 'old_copy']);
export type UnresolvedAbout = z.output<typeof unresolvedAbout>;

const unresolved = z.strictObject({
  kind: z.literal('unresolved'),
  ...attempt,
  /** Journals of version 1 have it in the reason only. */
  about: about.default('incomplete'),
  reason: note,
  /** Of the service, where some are to be looked at. */
  transactions: z.array(text).default([]),
});
export type Unresolved = z.output<typeof unresolved>;

/** A person's decision about an unresolved payout. `sent` is what was sent, where no intent of ours has it. */
const resolved = z.strictObject({
  kind: z.literal('resolved'),
  ...attempt,
  verdict: z.enum(['sent', 'not_sent']),
  transaction_id: text.nullable(),
  sent: z.strictObject(sent).nullable(),
  ...actor,
});
export type Resolved = z.output<typeof resolved>;

/** A plain decimal, and the label of its currency. */
const sum = z.strictObject({ amount: text, currency: text });

/**
 * Why a payout that is converted was not sent at the rate of the moment, where `now` is what it costs. `planned` and `most`:
 * what the plan sends for it, or for all payouts of its pair, and how much that may become. `others` were sent before it;
 * `all` is what the run would come to.
 */
const aboveCeiling = z.discriminatedUnion('code', [
  z.strictObject({
    code: z.literal('rate_above_ceiling'),
    received: sum,
    now: sum,
    planned: sum,
    bps: count,
    most: sum,
  }),
  z.strictObject({ code: z.literal('run_above_ceiling'), now: sum, others: sum, planned: sum, bps: count, most: sum }),
  z.strictObject({ code: z.literal('limit_per_payout'), now: sum, limit: sum }),
  z.strictObject({ code: z.literal('limit_per_run'), now: sum, all: sum, limit: sum }),
]);
export type AboveCeiling = z.output<typeof aboveCeiling>;

const final = z.strictObject({
  kind: z.literal('final'),
  row: count,
  transaction_id: text,
  status: z.enum(['COMPLETED', 'FAILED']),
  code: text.nullable(),
  message: text.nullable(),
  sent_minor: minor,
  sent_currency: currency,
  received_minor: minor,
  received_currency: currency,
  /** In the sent currency. */
  fees_minor: minor,
});
export type Final = z.output<typeof final>;

/** The market had left the quote that the request was made with. */
const drifted = z.boolean().optional();
/** The request's nonce is used up: no copy can take effect any more, and what one did is listed. */
const spent = z.boolean().optional();

/** What became of the answer to a request in doubt: it was lost, or its HTTP status leaves the outcome open. */
const doubtfulAnswer = z.union([z.literal('lost'), count]);
export type DoubtfulAnswer = z.output<typeof doubtfulAnswer>;

/** What happens to one payout. `row` names it. */
export const PAYOUT_ENTRIES = {
  intent,
  accepted: z.strictObject({ kind: z.literal('accepted'), ...attempt, transaction_id: text, by: found }),
  /**
   * `answered`: the service refused it. A network can deliver a request twice, so that another copy may take effect until
   * the deadline, unless the nonce is `spent`.
   */
  no_effect: z.strictObject({
    kind: z.literal('no_effect'),
    ...attempt,
    reason: note,
    answered: z.boolean().default(false),
    spent,
    drifted,
  }),
  /**
   * Unless the nonce is `spent`, another copy may take effect until the deadline. `message`: in the service's words, or a
   * code; empty where payrun rejects it, `above` a ceiling.
   */
  rejected: z.strictObject({
    kind: z.literal('rejected'),
    ...attempt,
    code: text,
    message: note,
    above: aboveCeiling.optional(),
    spent,
  }),
  doubt: z.strictObject({
    kind: z.literal('doubt'),
    ...attempt,
    reason: note,
    answer: doubtfulAnswer.optional(),
    drifted,
  }),
  replayed,
  /** An accepted payout is in doubt again: the service does not know the transaction that its answer named. */
  unknown_transaction: z.strictObject({ kind: z.literal('unknown_transaction'), ...attempt, transaction_id: text }),
  looked: z.strictObject({ kind: z.literal('looked'), ...attempt, found: count, complete: z.boolean() }),
  absent,
  unresolved,
  suspected: z.strictObject({ kind: z.literal('suspected'), ...attempt, transactions: z.array(text), reason: note }),
  resolved,
  surfaced: z.strictObject({ kind: z.literal('surfaced'), ...attempt, transaction_id: text }),
  final,
  /** `message`: why. Journals from before it had a code have it in words. */
  not_submitted: z.strictObject({ kind: z.literal('not_submitted'), row: count, code: text, message: note }),
};
export type PayoutEntry = z.output<(typeof PAYOUT_ENTRIES)[keyof typeof PAYOUT_ENTRIES]>;
