import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import type { RunRow } from '../../src/domain/entry.ts';
import type { PayoutOrder } from '../../src/domain/payee.ts';
import type { PlanFacts } from '../../src/domain/plan.ts';
import { canonicalOrder, newRunId, planDigest } from '../../src/runner/plan/plan.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const maybe = fc.option(text, { nil: null });
const fields = fc.record({
  account_number: text,
  national_clearing_code: text,
  bic: text,
  account_type: text,
  wallet_address: text,
  chain: text,
});
const currency = fc.record({ code: text, chain: maybe, decimals: fc.integer({ min: 0, max: 18 }) });
const order: fc.Arbitrary<PayoutOrder> = fc.record({
  row: fc.integer({ min: 2, max: 1_000_000 }),
  payee: fc.record({
    payee_id: maybe,
    name: text,
    email: maybe,
    phone: fc.option(fc.record({ country_code: text, number: text }), { nil: null }),
    business: fc.option(
      fc.record({
        entity_name: maybe,
        registration_number: maybe,
        address: fc.option(
          fc.record({ line1: maybe, line2: maybe, city: maybe, state: maybe, postal_code: maybe, country: maybe }),
          { nil: null },
        ),
      }),
      { nil: null },
    ),
  }),
  recipient_id: maybe,
  destination: fc.oneof(
    fc.record({ kind: fc.constant('existing' as const), external_account_id: text }),
    fc.record({
      kind: fc.constant('account' as const),
      rail: fc.constant('AUD_NPP' as const),
      account_name: text,
      fields,
    }),
  ),
  amount_minor: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String),
  currency,
  source: fc.option(currency, { nil: null }),
  reference: maybe,
  description: maybe,
});

/** A digest is older than conversions are: an order without one is written as it was before there were any. */
function written({ source, ...rest }: PayoutOrder): object {
  return source === null ? rest : { ...rest, source };
}

test('an order in canonical form is RFC 8785 of all of it', () => {
  fc.assert(
    fc.property(order, (one) => {
      expect(canonicalOrder(one)).toBe(canonicalJson(written(one)));
    }),
  );
});

test('canonical JSON sorts keys at every depth and has no blanks', () => {
  expect(canonicalJson({ b: [{ d: null, c: 'é"\n' }], a: 1 })).toBe('{"a":1,"b":[{"c":"é\\"\\n","d":null}]}');
});

const facts: PlanFacts = {
  version: 'payrun-plan-v1',
  run_id: 'R20261125-00000000',
  job: null,
  period: null,
  scope: 'https://service.example/|key',
  rehearsal: false,
  input_sha256: 'a1'.repeat(32),
  payouts: 1,
  totals: [],
  conversions: null,
  payees: { recipients_to_create: 1, accounts_to_create: 1, sha256: 'b2'.repeat(32) },
  warnings: 0,
  limits: null,
  cooling_off: [],
  approval: null,
  repeat_window_ms: null,
};

const inRow = (one: PayoutOrder): RunRow => ({ row: one.row, cells: ['any'], order: one, problem: null });

test('the digest is SHA-256 of the canonical form of the facts and the rows', () => {
  fc.assert(
    fc.property(fc.array(order, { maxLength: 5 }), (rows) => {
      const { conversions: _, limits: __, cooling_off: ___, ...rest } = facts;
      const text = canonicalJson({ ...rest, rows: rows.map(written) });
      const withProblem = { row: 1, cells: [], order: null, problem: { code: 'a', message: 'b' } };
      expect(planDigest(facts, [withProblem, ...rows.map(inRow)])).toBe(
        createHash('sha256').update(text).digest('hex'),
      );
    }),
  );
});

test('the digest changes with every member, the order of the rows, and any payout', () => {
  const rows = fc.sample(order, { numRuns: 2, seed: 1 }).map((one, row) => inRow({ ...one, row }));
  const [first, second] = rows as [RunRow, RunRow];
  const changed = { ...first, order: { ...(first.order as PayoutOrder), amount_minor: '1' } };
  const source = { code: 'EUR', chain: null, decimals: 2 };
  const otherSource = { ...first, order: { ...(first.order as PayoutOrder), source } };
  const others: Record<keyof PlanFacts, unknown> = {
    version: 'payrun-plan-v2',
    run_id: 'R20261125-00000001',
    job: 'payroll',
    period: '2026-11',
    scope: 'https://another.example/|key',
    rehearsal: true,
    input_sha256: 'a2'.repeat(32),
    payouts: 2,
    totals: [{ currency: { code: 'AUD', chain: null, decimals: 2 }, payouts: 1, planned_minor: '1', fees_minor: null }],
    conversions: { pairs: [], ceilings: { payout_bps: 50, run_bps: 50 } },
    payees: null,
    warnings: 1,
    limits: {
      per_payout: null,
      per_run: null,
      per_day: null,
      time_zone: 'UTC',
      payees: 1,
      only_payees: null,
      failures_percent: null,
      cooling_off_ms: null,
    },
    cooling_off: [2],
    approval: { approvers: [], bands: [], valid_for_ms: 1, preparer: 'ana' },
    repeat_window_ms: 86_400_000,
    edits: [{ kind: 'row_deleted', row: 2, old: [], sheet: null, by: 'Ana', at: 1 }],
  };
  const digests = [
    planDigest(facts, rows),
    planDigest(facts, [second, first]),
    planDigest(facts, [first]),
    planDigest(facts, [changed, second]),
    planDigest(facts, [otherSource, second]),
    ...Object.entries(others).map(([name, value]) => planDigest({ ...facts, [name]: value } as PlanFacts, rows)),
  ];
  expect(new Set(digests).size).toBe(5 + Object.keys(others).length);
});

test('a run id names its day', () => {
  const zeros = { bytes: (count: number) => new Uint8Array(count) };
  expect(newRunId(Date.UTC(2026, 10, 25, 23, 59), zeros)).toBe('R20261125-00000000');
});
