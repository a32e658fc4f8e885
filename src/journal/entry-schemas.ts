import { z } from 'zod';
import type { Entry, EntryKind } from '../domain/entry.ts';
import { count, currency, milliseconds, minor, text } from './member-schemas.ts';
import { notify, notifyEvent } from './notify-schemas.ts';
import { approval, plan } from './plan-schemas.ts';
import { runRow } from './row-schemas.ts';

const target = z.enum(['recipient', 'account']);
const found = z.enum(['answer', 'look', 'resend', 'person']);
const request = z.strictObject({ operation: text, body: text, created: z.int(), expires: z.int(), nonce: text });

const input = z.strictObject({
  name: text,
  path: text,
  sha256: text,
  bytes: count,
  header: z.array(text),
  columns: z.array(text.nullable()),
});

const signing = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('rfc9421') }),
  z.strictObject({ scheme: z.literal('template'), headers: z.record(text, text), message: text }),
]);

const guarantees = z.strictObject({
  enforces_expiry: z.union([z.boolean(), z.literal('at_arrival')]),
  replay_protection: z.boolean(),
  refusals_are_final: z.boolean().optional(),
});
const commits_within_ms = milliseconds.nullable().optional();

const profile = z.strictObject({
  base_url: text.nullable(),
  api_key: text.nullable(),
  signing_key_file: text.nullable(),
  signing,
  request_lifetime_ms: milliseconds,
  guarantees,
  commits_within_ms,
  listing_lag_ms: milliseconds.nullable(),
  cursor: z.boolean(),
  rate: z.strictObject({ requests: z.number(), window_ms: milliseconds }).nullable(),
  concurrency: count,
  // Journals of the first version have none.
  webhooks: z
    .strictObject({ listen: text, public_key: text.nullable(), secret: text.nullable() })
    .nullable()
    .default(null),
});

const counts = z.strictObject({
  completed: count,
  failed: count,
  rejected: count,
  unresolved: count,
  not_submitted: count,
});

const ensure = { target, key: text, attempt: count };
const attempt = { row: count, attempt: count };
const sent = {
  token: text,
  external_account_id: text,
  recipient_id: text.nullable(),
  amount_minor: minor,
  currency,
  // Journals from before there were conversions have none.
  received: z.strictObject({ amount_minor: minor, currency }).nullable().default(null),
};

// Journals from before there was a page have none.
const onPage = { page_person: text.optional() };

/** One schema for each kind. A kind that is added to the domain without one does not compile, nor one that is wider. */
export const SCHEMAS = {
  run_created: z.strictObject({
    kind: z.literal('run_created'),
    run_id: text,
    input,
    job: text.nullable(),
    // Journals of the first version have none.
    period: text.nullable().default(null),
    rehearsal: z.boolean(),
    profile,
    settings: z.strictObject({ poll_every_ms: milliseconds, wait_timeout_ms: milliseconds }),
    digest: text,
    payouts: count,
    scope: text,
    report_dir: text,
    repeats: text.nullable(),
    // Journals from before there were retries have neither.
    retries: text.nullable().default(null),
    corrections_sha256: text.nullable().default(null),
    job_source: z
      .strictObject({ file: text, base_url: text.nullable(), api_key: text.nullable() })
      .nullable()
      .default(null),
  }),
  rows: z.strictObject({ kind: z.literal('rows'), rows: z.array(runRow) }),
  planned: z.strictObject({
    kind: z.literal('planned'),
    plan,
    signature: text.optional(),
    by: text.optional(),
    ...onPage,
  }),
  approved: z.strictObject({ kind: z.literal('approved'), approval }),
  started: z.strictObject({ kind: z.literal('started'), by: text, ...onPage }),
  lease_taken: z.strictObject({
    kind: z.literal('lease_taken'),
    epoch: count,
    holder: text,
    lease_id: text.optional(),
    ...onPage,
  }),
  canary: z.strictObject({
    kind: z.literal('canary'),
    row: count,
    transaction_id: text,
    visible_after_ms: milliseconds,
  }),
  canary_failed: z.strictObject({
    kind: z.literal('canary_failed'),
    row: count,
    transaction_id: text,
    failed: z.enum(['get', 'search']),
    message: text,
  }),
  promises: z.strictObject({
    kind: z.literal('promises'),
    promises: z.strictObject({
      guarantees,
      commits_within_ms,
      listing_lag_ms: milliseconds.nullable(),
      cursor: z.boolean(),
    }),
  }),
  lag_seen: z.strictObject({ kind: z.literal('lag_seen'), transaction_id: text, lag_ms: milliseconds }),
  expiry_broken: z.strictObject({
    kind: z.literal('expiry_broken'),
    row: count,
    transaction_id: text,
    late_ms: milliseconds,
  }),
  accounted: z.strictObject({ kind: z.literal('accounted') }),
  cancelled: z.strictObject({ kind: z.literal('cancelled'), by: text, replaced_by: text.optional(), ...onPage }),
  paused: z.strictObject({ kind: z.literal('paused'), by: text, ...onPage }),
  resumed: z.strictObject({ kind: z.literal('resumed'), by: text, ...onPage }),
  stopped: z.strictObject({
    kind: z.literal('stopped'),
    reason: z.enum(['interrupted', 'wait_timeout', 'outage', 'person_needed']),
    message: text.optional(),
  }),
  finished: z.strictObject({ kind: z.literal('finished'), counts }),
  notify: z.strictObject({ kind: z.literal('notify'), notify }),
  notified: z.strictObject({ kind: z.literal('notified'), event: notifyEvent, of: text }),
  remittance: z.strictObject({ kind: z.literal('remittance'), row: count }),
  remittance_sent: z.strictObject({ kind: z.literal('remittance_sent'), row: count }),
  remittance_refused: z.strictObject({ kind: z.literal('remittance_refused'), row: count, reason: text }),
  ensure_intent: z.strictObject({ kind: z.literal('ensure_intent'), ...ensure, request }),
  ensure_doubt: z.strictObject({ kind: z.literal('ensure_doubt'), ...ensure, reason: text }),
  ensure_no_effect: z.strictObject({ kind: z.literal('ensure_no_effect'), ...ensure, reason: text }),
  ensure_rejected: z.strictObject({ kind: z.literal('ensure_rejected'), ...ensure, code: text, message: text }),
  ensure_unresolved: z.strictObject({
    kind: z.literal('ensure_unresolved'),
    ...ensure,
    about: z.enum(['no_expiry', 'incomplete']),
    reason: text,
  }),
  ensure_ambiguous: z.strictObject({ kind: z.literal('ensure_ambiguous'), target, key: text, ids: z.array(text) }),
  ensured: z.strictObject({
    kind: z.literal('ensured'),
    target,
    key: text,
    id: text,
    by: z.enum(['created', 'found']),
    scope: text,
  }),
  intent: z.strictObject({
    kind: z.literal('intent'),
    ...attempt,
    ...sent,
    request,
  }),
  accepted: z.strictObject({ kind: z.literal('accepted'), ...attempt, transaction_id: text, by: found }),
  no_effect: z.strictObject({
    kind: z.literal('no_effect'),
    ...attempt,
    reason: text,
    answered: z.boolean().default(false),
    spent: z.boolean().optional(),
    drifted: z.boolean().optional(),
  }),
  rejected: z.strictObject({
    kind: z.literal('rejected'),
    ...attempt,
    code: text,
    message: text,
    spent: z.boolean().optional(),
  }),
  doubt: z.strictObject({ kind: z.literal('doubt'), ...attempt, reason: text, drifted: z.boolean().optional() }),
  replayed: z.strictObject({
    kind: z.literal('replayed'),
    ...attempt,
    first: z.strictObject({ status: z.int(), transaction_id: text.nullable() }).nullable(),
  }),
  unknown_transaction: z.strictObject({ kind: z.literal('unknown_transaction'), ...attempt, transaction_id: text }),
  looked: z.strictObject({ kind: z.literal('looked'), ...attempt, found: count, complete: z.boolean() }),
  absent: z.strictObject({
    kind: z.literal('absent'),
    ...attempt,
    witness: text.nullable(),
    listings: count,
    // Journals of the first version know only absence that a listing proved.
    by: z.enum(['listing', 'person', 'first_copy']).default('listing'),
  }),
  unresolved: z.strictObject({
    kind: z.literal('unresolved'),
    ...attempt,
    // Journals of the first version say it in the reason only.
    about: z
      .enum(['no_expiry', 'incomplete', 'candidate', 'mismatch', 'twice', 'replayed', 'no_canary', 'unknown_id'])
      .default('incomplete'),
    reason: text,
    transactions: z.array(text).default([]),
  }),
  suspected: z.strictObject({ kind: z.literal('suspected'), ...attempt, transactions: z.array(text), reason: text }),
  resolved: z.strictObject({
    kind: z.literal('resolved'),
    ...attempt,
    verdict: z.enum(['sent', 'not_sent']),
    transaction_id: text.nullable(),
    by: text,
    ...onPage,
    sent: z.strictObject(sent).nullable(),
  }),
  surfaced: z.strictObject({ kind: z.literal('surfaced'), ...attempt, transaction_id: text }),
  final: z.strictObject({
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
    fees_minor: minor,
  }),
  not_submitted: z.strictObject({ kind: z.literal('not_submitted'), row: count, code: text, message: text }),
} satisfies { [Kind in EntryKind]: z.ZodType<Extract<Entry, { kind: Kind }>> };

type Never<T extends never> = T;

/** Kinds whose schema would refuse some entry that the domain allows. A compile error here names them. */
export type UncoveredKinds = Never<
  {
    [Kind in EntryKind]: Extract<Entry, { kind: Kind }> extends z.input<(typeof SCHEMAS)[Kind]> ? never : Kind;
  }[EntryKind]
>;
