import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PayoutOrder } from '../../src/domain/payee.ts';
import { canonicalJson, canonicalOrder, newRunId, RowGatherer } from '../../src/runner/plan.ts';

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
  currency: fc.record({ code: text, chain: maybe, decimals: fc.integer({ min: 0, max: 18 }) }),
  reference: maybe,
  description: maybe,
});

test('an order in canonical form is RFC 8785 of all of it', () => {
  fc.assert(
    fc.property(order, (one) => {
      expect(canonicalOrder(one)).toBe(canonicalJson(one));
    }),
  );
});

test('canonical JSON sorts keys at every depth and has no blanks', () => {
  expect(canonicalJson({ b: [{ d: null, c: 'é"\n' }], a: 1 })).toBe('{"a":1,"b":[{"c":"é\\"\\n","d":null}]}');
});

test('the digest changes with any payout and with the file', () => {
  const digest = (amount: string, file: string): string => {
    const gatherer = new RowGatherer();
    const [sample] = fc.sample(order, { numRuns: 1, seed: 1 });
    const changed = { ...(sample as PayoutOrder), amount_minor: amount };
    gatherer.add({ row: 2, cells: [], order: changed, problem: null });
    return gatherer.finish(file).digest;
  };
  expect(digest('1', 'a')).toBe(digest('1', 'a'));
  expect(digest('2', 'a')).not.toBe(digest('1', 'a'));
  expect(digest('1', 'b')).not.toBe(digest('1', 'a'));
});

test('a run id names its day', () => {
  const zeros = { bytes: (count: number) => new Uint8Array(count) };
  expect(newRunId(Date.UTC(2026, 10, 25, 23, 59), zeros)).toBe('R20261125-00000000');
});
