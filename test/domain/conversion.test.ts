import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostToSend, percentOf, plannedToSend, shareUp } from '../../src/domain/conversion.ts';
import type { PlannedPair } from '../../src/domain/plan.ts';
import { percentText } from '../../src/job/values.ts';

const amount = fc.bigInt({ min: 1n, max: 10n ** 24n });

function pairOf(received: bigint, sent: bigint): PlannedPair {
  const currency = { code: 'USD', chain: null, decimals: 2 };
  const source = { code: 'EUR', chain: null, decimals: 2 };
  const of = { planned_minor: String(received), quoted_minor: String(sent), sent_minor: String(sent) };
  return { source, currency, payouts: 1, ...of, fees_minor: null };
}

describe('what is planned to be sent', () => {
  test('is never less than a service asks at the same price, for any share of the sum that was quoted', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), amount, amount, (parts, worth, units) => {
        const all = parts.reduce((sum, one) => sum + one, 0n);
        const ask = (received: bigint): bigint => shareUp(received, worth, units);
        const pair = pairOf(all, ask(all));
        for (const part of parts) expect(plannedToSend(part, pair)).toBeGreaterThanOrEqual(ask(part));
        expect(plannedToSend(all, pair)).toBe(ask(all));
      }),
    );
  });

  test('may be exceeded by the ceiling, rounded down', () => {
    expect([mostToSend(87_175n, 50), mostToSend(1n, 50), mostToSend(100n, 0), mostToSend(100n, 10_000)]).toEqual([
      87_610n,
      1n,
      100n,
      200n,
    ]);
  });

  test('by a payout and by all payouts of a pair: the sum of the most for each is within the most for all', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), fc.nat({ max: 10_000 }), (parts, bps) => {
        const all = parts.reduce((sum, one) => sum + one, 0n);
        const each = parts.reduce((sum, one) => sum + mostToSend(one, bps), 0n);
        expect(each).toBeLessThanOrEqual(mostToSend(all, bps));
      }),
    );
  });
});

describe('a ceiling in per cent', () => {
  test.each([
    ['0.5%', 50],
    ['0.25 %', 25],
    ['1', 100],
    ['0', 0],
    ['100%', 10_000],
    ['2.5', 250],
  ])('%s is %i hundredths of a percent', (text, bps) => {
    expect(percentText.parse(text)).toBe(bps);
    expect(percentText.parse(percentOf(bps))).toBe(bps);
  });

  test.each(['', '%', '-1%', '0.125%', '100.01%', '5e1', 'a lot', '0,5%'])('%s is none', (text) => {
    expect(percentText.safeParse(text).success).toBe(false);
  });
});
