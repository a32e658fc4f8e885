import fc from 'fast-check';
import type { Note } from '../../src/domain/entries/note.ts';
import type { Entry, EntryKind, RunRow } from '../../src/domain/entry.ts';
import { NOTIFY_EVENTS, type NotifySettings } from '../../src/domain/notices/notify.ts';
import type { StopWhy } from '../../src/domain/outcomes/stop-why.ts';
import type { PlanFacts } from '../../src/domain/plan.ts';
import type { Profile } from '../../src/domain/profile.ts';
import { RAIL_NAMES } from '../../src/domain/rails/rail.ts';

// Any text, with the characters that storage and JSON are known to lose: NUL, lone surrogates, U+FFFD, line separators.
const STOP_WHYS: StopWhy[] = [
  { code: 'service_trouble', trouble: { code: 'failed', status: 502 } },
  {
    code: 'open_payees',
    rows: 1,
    count: 1,
    payees: [{ state: 'ambiguous', name: 'Ada', target: 'account', rows: [2], ids: ['acc_1'] }],
    states: ['ambiguous'],
  },
];

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\ufffd', '\u2028', '__proto__', '\ufeff', "'"),
);
/** Journals of before have texts. */
const note: fc.Arbitrary<Note> = fc.oneof(
  text,
  fc.constantFrom<Note>(
    { code: 'too_late' },
    { code: 'answered', status: 502, lacks: 'error' },
    { code: 'other_amount', transaction_id: 'tx_1', token: 'PR1' },
    { code: 'copy_possible', about: { code: 'slower_pace' } },
    { code: 'resent_in_vain', about: 'no funds' },
    { code: 'rate_drift_each_time', cause: 'ask again', sent: 4 },
    { code: 'plan_replaced', run_id: 'R1' },
    { code: 'plan_ended', as: 'rejected', person: 'Bea', reason: 'too much' },
  ),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const count = fc.nat({ max: 2 ** 31 });
const minor = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String);
const milliseconds = fc.double({ min: 0, max: 1e12, noNaN: true });
const target = fc.constantFrom('recipient' as const, 'account' as const);
const currency = fc.record(
  { code: text, chain: maybe(text), decimals: fc.nat({ max: 18 }) },
  { noNullPrototype: true },
);
const request = record({ operation: text, body: text, created: count, expires: count, nonce: text });
const counts = record({ completed: count, failed: count, rejected: count, unresolved: count, not_submitted: count });
const ensure = { target, key: text, attempt: count };
const attempt = { row: count, attempt: count };
const sent = {
  token: text,
  external_account_id: text,
  recipient_id: maybe(text),
  amount_minor: minor,
  currency,
  received: maybe(record({ amount_minor: minor, currency })),
};

const railFields = record({
  account_number: text,
  national_clearing_code: text,
  bic: text,
  account_type: text,
  wallet_address: text,
  chain: text,
});

const sum = record({ amount: text, currency: text });

const address = record({
  line1: maybe(text),
  line2: maybe(text),
  city: maybe(text),
  state: maybe(text),
  postal_code: maybe(text),
  country: maybe(text),
});

export const runRow: fc.Arbitrary<RunRow> = record({
  row: count,
  cells: fc.array(text, { maxLength: 4 }),
  order: maybe(
    record({
      row: count,
      payee: record({
        payee_id: maybe(text),
        name: text,
        email: maybe(text),
        phone: maybe(record({ country_code: text, number: text })),
        business: maybe(
          record({ entity_name: maybe(text), registration_number: maybe(text), address: maybe(address) }),
        ),
      }),
      recipient_id: maybe(text),
      destination: fc.oneof(
        record({ kind: fc.constant('existing' as const), external_account_id: text }),
        record({
          kind: fc.constant('account' as const),
          rail: fc.constantFrom(...RAIL_NAMES),
          account_name: text,
          fields: railFields,
        }),
      ),
      amount_minor: minor,
      currency,
      source: maybe(currency),
      reference: maybe(text),
      description: maybe(text),
    }),
  ),
  // Journals of before have texts.
  problem: maybe(
    fc.oneof(
      record({ code: text, message: text }),
      record({
        code: text,
        params: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(text, count, fc.array(text)), {
          noNullPrototype: true,
        }),
      }),
    ),
  ),
});

const guarantees = record({
  enforces_expiry: fc.constantFrom(true, false, 'at_arrival' as const),
  replay_protection: fc.boolean(),
  refusals_are_final: fc.boolean(),
});

const profile: fc.Arbitrary<Profile> = record({
  base_url: maybe(text),
  api_key: maybe(text),
  signing_key_file: maybe(text),
  signing: fc.oneof(
    record({ scheme: fc.constant('rfc9421' as const) }),
    record({
      scheme: fc.constant('template' as const),
      headers: fc.dictionary(fc.stringMatching(/^[a-z-]{1,12}$/), text, { noNullPrototype: true }),
      message: text,
    }),
  ),
  request_lifetime_ms: milliseconds,
  guarantees,
  commits_within_ms: maybe(milliseconds),
  listing_lag_ms: maybe(milliseconds),
  cursor: fc.boolean(),
  rate: maybe(record({ requests: count, window_ms: milliseconds })),
  concurrency: count,
  webhooks: maybe(record({ listen: text, public_key: maybe(text), secret: maybe(text) })),
});

const people = fc.array(record({ name: text, public_key: text }), { maxLength: 3 });
const limitSums = fc.array(record({ code: text, minor }), { maxLength: 3 });

const plan: fc.Arbitrary<PlanFacts> = record({
  version: fc.constant('payrun-plan-v1'),
  run_id: text,
  job: maybe(text),
  period: maybe(text),
  scope: text,
  rehearsal: fc.boolean(),
  input_sha256: text,
  payouts: count,
  totals: fc.array(record({ currency, payouts: count, planned_minor: minor, fees_minor: maybe(minor) }), {
    maxLength: 3,
  }),
  conversions: maybe(
    record({
      pairs: fc.array(
        record({
          source: currency,
          currency,
          payouts: count,
          planned_minor: minor,
          quoted_minor: minor,
          sent_minor: minor,
          fees_minor: maybe(minor),
        }),
        { maxLength: 3 },
      ),
      ceilings: record({ payout_bps: count, run_bps: count }),
    }),
  ),
  payees: maybe(record({ recipients_to_create: count, accounts_to_create: count, sha256: text })),
  warnings: count,
  limits: maybe(
    record({
      per_payout: maybe(limitSums),
      per_run: maybe(limitSums),
      per_day: maybe(limitSums),
      time_zone: text,
      payees: maybe(count),
      only_payees: maybe(fc.array(text, { maxLength: 3 })),
      failures_percent: maybe(count),
      cooling_off_ms: maybe(milliseconds),
    }),
  ),
  cooling_off: fc.array(count, { maxLength: 3 }),
  approval: maybe(
    fc.record(
      {
        approvers: people,
        bands: fc.array(record({ over: maybe(record({ code: text, minor })), approvals: count }), { maxLength: 3 }),
        valid_for_ms: milliseconds,
        preparer: text,
        preparers: people,
        preparer_key: text,
      },
      { requiredKeys: ['approvers', 'bands', 'valid_for_ms', 'preparer'], noNullPrototype: true },
    ),
  ),
  repeat_window_ms: maybe(milliseconds),
});

const notifyEvent = fc.constantFrom(...NOTIFY_EVENTS);
const mailbox = record({ name: maybe(text), address: text });

const notify: fc.Arbitrary<NotifySettings> = record({
  on: fc.array(notifyEvent, { maxLength: 4 }),
  email: maybe(record({ to: fc.array(text, { maxLength: 2 }), from: mailbox, smtp: text })),
  webhook: maybe(record({ url: text, secret: text })),
  remittance: maybe(record({ subject: text, body: text, company: maybe(text), from: mailbox, smtp: text })),
});

/** Any entry of each kind. A kind that is added to the domain does not compile until it stands here too. */
export const ANY_OF_KIND: { [Kind in EntryKind]: fc.Arbitrary<Extract<Entry, { kind: Kind }>> } = {
  run_created: record({
    kind: fc.constant('run_created'),
    run_id: text,
    input: record({
      name: text,
      path: text,
      sha256: text,
      bytes: count,
      header: fc.array(text, { maxLength: 4 }),
      columns: fc.array(maybe(text), { maxLength: 4 }),
    }),
    job: maybe(text),
    period: maybe(text),
    rehearsal: fc.boolean(),
    profile,
    settings: record({ poll_every_ms: milliseconds, wait_timeout_ms: milliseconds }),
    digest: text,
    payouts: count,
    scope: text,
    report_dir: text,
    repeats: maybe(text),
    retries: maybe(text),
    corrections_sha256: maybe(text),
    job_source: maybe(record({ file: text, base_url: maybe(text), api_key: maybe(text) })),
  }),
  rows: record({ kind: fc.constant('rows'), rows: fc.array(runRow, { maxLength: 3 }) }),
  planned: fc.record(
    { kind: fc.constant('planned' as const), plan, signature: text, by: text, page_person: text },
    { requiredKeys: ['kind', 'plan'], noNullPrototype: true },
  ),
  approved: record({
    kind: fc.constant('approved'),
    approval: fc
      .tuple(
        record({
          version: fc.constant('payrun-plan-v1'),
          by: text,
          approver: text,
          public_key: text,
          digest: text,
          payouts: count,
          totals: fc.array(record({ currency, minor }), { maxLength: 3 }),
          rows: fc.array(count, { maxLength: 3 }),
          signed_at: milliseconds,
          expires_at: milliseconds,
          signature: text,
        }),
        fc.option(text, { nil: undefined }),
      )
      .map(([signed, comment]) => (comment === undefined ? signed : { ...signed, comment })),
  }),
  started: fc.record(
    { kind: fc.constant('started' as const), by: text, page_person: text },
    { requiredKeys: ['kind', 'by'], noNullPrototype: true },
  ),
  scheduled: fc.record(
    {
      kind: fc.constant('scheduled' as const),
      start: maybe(record({ at: milliseconds, time_zone: text })),
      public_key: text,
      by: text,
      page_person: text,
    },
    { requiredKeys: ['kind', 'start', 'public_key', 'by'], noNullPrototype: true },
  ),
  lease_taken: fc.record(
    { kind: fc.constant('lease_taken' as const), epoch: count, holder: text, page_person: text },
    { requiredKeys: ['kind', 'epoch', 'holder'], noNullPrototype: true },
  ),
  canary: record({ kind: fc.constant('canary'), row: count, transaction_id: text, visible_after_ms: milliseconds }),
  canary_failed: record({
    kind: fc.constant('canary_failed'),
    row: count,
    transaction_id: text,
    failed: fc.constantFrom('get', 'search'),
    fault: fc.oneof(
      record({ fault: fc.constant('unknown_id'), transactionId: text, cause: text }),
      record({ fault: fc.constant('list_without_token'), transactionId: text, token: text }),
    ),
  }),
  promises: record({
    kind: fc.constant('promises'),
    promises: record({
      guarantees,
      commits_within_ms: maybe(milliseconds),
      listing_lag_ms: maybe(milliseconds),
      cursor: fc.boolean(),
    }),
  }),
  lag_seen: record({ kind: fc.constant('lag_seen'), transaction_id: text, lag_ms: milliseconds }),
  expiry_broken: record({
    kind: fc.constant('expiry_broken'),
    row: count,
    transaction_id: text,
    late_ms: milliseconds,
  }),
  accounted: record({ kind: fc.constant('accounted') }),
  returned: record({
    kind: fc.constant('returned'),
    row: count,
    transaction_id: text,
    return_id: text,
    amount_minor: minor,
    currency,
    returned_at: maybe(milliseconds),
  }),
  cancelled: fc.record(
    {
      kind: fc.constant('cancelled' as const),
      by: text,
      replaced_by: text,
      plan_end: record({ as: fc.constantFrom('rejected', 'recalled'), person: text, reason: text }),
      page_person: text,
    },
    { requiredKeys: ['kind', 'by'], noNullPrototype: true },
  ),
  paused: fc.record(
    { kind: fc.constant('paused' as const), by: text, page_person: text },
    { requiredKeys: ['kind', 'by'], noNullPrototype: true },
  ),
  resumed: fc.record(
    { kind: fc.constant('resumed' as const), by: text, page_person: text },
    { requiredKeys: ['kind', 'by'], noNullPrototype: true },
  ),
  stopped: fc.record(
    {
      kind: fc.constant('stopped' as const),
      reason: fc.constantFrom('interrupted', 'wait_timeout', 'outage', 'person_needed'),
      message: text,
      why: fc.constantFrom(...STOP_WHYS),
    },
    { requiredKeys: ['kind', 'reason'], noNullPrototype: true },
  ),
  finished: record({ kind: fc.constant('finished'), counts }),
  notify: record({ kind: fc.constant('notify'), notify }),
  notified: record({ kind: fc.constant('notified'), event: notifyEvent, of: text }),
  remittance: record({ kind: fc.constant('remittance'), row: count }),
  remittance_sent: record({ kind: fc.constant('remittance_sent'), row: count }),
  remittance_refused: record({ kind: fc.constant('remittance_refused'), row: count, reason: text }),
  ensure_intent: record({ kind: fc.constant('ensure_intent'), ...ensure, request }),
  ensure_doubt: record({ kind: fc.constant('ensure_doubt'), ...ensure, reason: note }),
  ensure_no_effect: record({ kind: fc.constant('ensure_no_effect'), ...ensure, reason: note }),
  ensure_rejected: record({ kind: fc.constant('ensure_rejected'), ...ensure, code: text, message: text }),
  ensure_unresolved: record({
    kind: fc.constant('ensure_unresolved'),
    ...ensure,
    about: fc.constantFrom('no_expiry', 'incomplete'),
    reason: note,
  }),
  ensure_ambiguous: record({
    kind: fc.constant('ensure_ambiguous'),
    target,
    key: text,
    ids: fc.array(text, { maxLength: 3 }),
  }),
  ensured: record({
    kind: fc.constant('ensured'),
    target,
    key: text,
    id: text,
    by: fc.constantFrom('created', 'found'),
    scope: text,
  }),
  intent: record({
    kind: fc.constant('intent'),
    ...attempt,
    ...sent,
    request,
  }),
  accepted: record({
    kind: fc.constant('accepted'),
    ...attempt,
    transaction_id: text,
    by: fc.constantFrom('answer', 'look', 'resend', 'person'),
  }),
  no_effect: fc.record(
    {
      kind: fc.constant('no_effect' as const),
      ...attempt,
      reason: note,
      answered: fc.boolean(),
      spent: fc.boolean(),
      drifted: fc.boolean(),
    },
    { requiredKeys: ['kind', 'row', 'attempt', 'reason', 'answered'], noNullPrototype: true },
  ),
  rejected: fc.record(
    {
      kind: fc.constant('rejected' as const),
      ...attempt,
      code: text,
      message: note,
      above: record({ code: fc.constant('limit_per_payout'), now: sum, limit: sum }),
      spent: fc.boolean(),
    },
    { requiredKeys: ['kind', 'row', 'attempt', 'code', 'message'], noNullPrototype: true },
  ),
  replayed: record({
    kind: fc.constant('replayed'),
    ...attempt,
    first: maybe(record({ status: fc.integer({ min: 100, max: 599 }), transaction_id: maybe(text) })),
  }),
  unknown_transaction: record({ kind: fc.constant('unknown_transaction'), ...attempt, transaction_id: text }),
  doubt: fc.record(
    {
      kind: fc.constant('doubt' as const),
      ...attempt,
      reason: note,
      answer: fc.constantFrom('lost' as const, 502),
      drifted: fc.boolean(),
    },
    { requiredKeys: ['kind', 'row', 'attempt', 'reason'], noNullPrototype: true },
  ),
  looked: record({ kind: fc.constant('looked'), ...attempt, found: count, complete: fc.boolean() }),
  absent: record({
    kind: fc.constant('absent'),
    ...attempt,
    witness: maybe(text),
    listings: count,
    by: fc.constantFrom('listing', 'person', 'first_copy'),
  }),
  unresolved: record({
    kind: fc.constant('unresolved'),
    ...attempt,
    about: fc.constantFrom(
      'no_expiry',
      'incomplete',
      'candidate',
      'mismatch',
      'twice',
      'replayed',
      'no_canary',
      'unknown_id',
    ),
    reason: note,
    transactions: fc.array(text, { maxLength: 3 }),
  }),
  suspected: record({
    kind: fc.constant('suspected'),
    ...attempt,
    transactions: fc.array(text, { maxLength: 3 }),
    reason: note,
  }),
  resolved: fc.record(
    {
      kind: fc.constant('resolved' as const),
      ...attempt,
      verdict: fc.constantFrom('sent', 'not_sent'),
      transaction_id: maybe(text),
      by: text,
      page_person: text,
      sent: maybe(record(sent)),
    },
    {
      requiredKeys: ['kind', 'row', 'attempt', 'verdict', 'transaction_id', 'by', 'sent'],
      noNullPrototype: true,
    },
  ),
  surfaced: record({ kind: fc.constant('surfaced'), ...attempt, transaction_id: text }),
  final: record({
    kind: fc.constant('final'),
    row: count,
    transaction_id: text,
    status: fc.constantFrom('COMPLETED', 'FAILED'),
    code: maybe(text),
    message: maybe(text),
    sent_minor: minor,
    sent_currency: currency,
    received_minor: minor,
    received_currency: currency,
    fees_minor: minor,
  }),
  not_submitted: record({ kind: fc.constant('not_submitted'), row: count, code: text, message: note }),
};

/** Any entry that may follow a run's first two. */
export const anyLaterEntry: fc.Arbitrary<Entry> = fc.oneof(
  ...Object.entries(ANY_OF_KIND)
    .filter(([kind]) => kind !== 'run_created' && kind !== 'lease_taken' && kind !== 'planned')
    .map(([, arbitrary]) => arbitrary as fc.Arbitrary<Entry>),
);

function record<Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }): fc.Arbitrary<Model> {
  return fc.record<Model>(model, { noNullPrototype: true }) as fc.Arbitrary<Model>;
}
