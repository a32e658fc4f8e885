import type { Entry, RunCreated, RunRow, SignedRequest } from '../../src/domain/entry.ts';
import type { PlanFacts } from '../../src/domain/plan.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import type { Hint } from '../../src/journal/journal.ts';

/** What the webhook of this id said. */
export function sampleHint(webhook_id: string): Hint {
  return {
    webhook_id,
    transaction_id: `tx_${webhook_id}`,
    type: 'transaction.updated',
    received_at: 1_800_000_000_000,
  };
}

/** A run's first entry; `input` is the SHA-256 of its file. */
export function sampleHeader(runId: string, input = 'a'.repeat(64)): RunCreated {
  return {
    kind: 'run_created',
    run_id: runId,
    input: {
      name: 'payroll.csv',
      path: 'in/payroll.csv',
      sha256: input,
      bytes: 1234,
      header: ['Name', 'Amount', 'Team'],
      columns: ['name', 'amount', null],
    },
    job: null,
    period: null,
    rehearsal: true,
    profile: DEFAULT_PROFILE,
    settings: { poll_every_ms: 1000, wait_timeout_ms: 60_000 },
    digest: 'd'.repeat(64),
    payouts: 3,
    scope: 'shipped service',
    report_dir: 'reports',
    repeats: null,
    retries: null,
    corrections_sha256: null,
    job_source: null,
  };
}

/** A plan of that run. */
export function samplePlan({ run_id, job, period, scope, rehearsal, input, payouts }: RunCreated): PlanFacts {
  return {
    version: 'payrun-plan-v1',
    run_id,
    job,
    period,
    scope,
    rehearsal,
    input_sha256: input.sha256,
    payouts,
    totals: [
      {
        currency: { code: 'AUD', chain: null, decimals: 2 },
        payouts,
        planned_minor: '3702',
        fees_minor: '0',
      },
    ],
    conversions: null,
    payees: { recipients_to_create: 3, accounts_to_create: 3, sha256: 'e'.repeat(64) },
    warnings: 0,
    limits: null,
    cooling_off: [],
    approval: null,
    repeat_window_ms: 86_400_000,
  };
}

export function sampleRow(row: number): RunRow {
  return {
    row,
    cells: ['Zoë Näme', '12.34', 'R&D'],
    order: {
      row,
      payee: { payee_id: `E${row}`, name: 'Zoë Näme', email: null, phone: null, business: null },
      recipient_id: null,
      destination: {
        kind: 'account',
        rail: 'AUD_NPP',
        account_name: 'Zoë Näme',
        fields: {
          account_number: '12345678',
          national_clearing_code: '062000',
          bic: '',
          account_type: '',
          wallet_address: '',
          chain: '',
        },
      },
      amount_minor: '1234',
      currency: { code: 'AUD', chain: null, decimals: 2 },
      source: null,
      reference: null,
      description: null,
    },
    problem: null,
  };
}

export function sampleRows(count: number): Entry {
  return { kind: 'rows', rows: Array.from({ length: count }, (_, index) => sampleRow(index + 2)) };
}

/** The `rows` entries, of 256 rows each, of the large runs that a child process creates. */
export const CHILD_ROWS_ENTRIES = 40;

export function sampleIntent(row: number, attempt = 1): Entry {
  return {
    kind: 'intent',
    row,
    attempt,
    token: 'PR0123456789ABC',
    external_account_id: 'ea_1',
    recipient_id: 'rc_1',
    amount_minor: '1234',
    currency: { code: 'AUD', chain: null, decimals: 2 },
    received: null,
    request: sampleRequest(),
  };
}

/** A payout that was sent, accepted and ended. */
export function endedPayout(
  row: number,
  { minor = '1234', status = 'COMPLETED' }: { minor?: string; status?: 'COMPLETED' | 'FAILED' } = {},
): Entry[] {
  const AUD = { code: 'AUD', chain: null, decimals: 2 };
  const transaction_id = `tx_${row}`;
  const amounts = { sent_minor: minor, sent_currency: AUD, received_minor: minor, received_currency: AUD };
  return [
    sampleIntent(row),
    { kind: 'accepted', row, attempt: 1, transaction_id, by: 'answer' },
    { kind: 'final', row, transaction_id, status, code: null, message: null, fees_minor: '0', ...amounts },
  ];
}

export function sampleRequest(): SignedRequest {
  return {
    operation: 'transaction.transfer',
    body: '{"amount":"12.34"}',
    created: 1_800_000_000,
    expires: 1_800_000_030,
    nonce: 'n',
  };
}

export function sampleEnsured(id: string): Entry {
  return { kind: 'ensured', target: 'recipient', key: `key of ${id}`, id, by: 'created', scope: 'shipped service' };
}
