import { expect, test } from 'vitest';
import { conversionsResult } from '../../src/app/plan/plan-result.ts';
import {
  approvedConversions,
  conversionNotes,
  conversionsTable,
  plannedNotes,
} from '../../src/cli/plans/conversion-text.ts';
import type { PlannedConversions } from '../../src/domain/plan.ts';

const CONVERSIONS: PlannedConversions = {
  pairs: [
    {
      source: { code: 'ETH', chain: 'arbitrum', decimals: 18 },
      currency: { code: 'IDR', chain: null, decimals: 2 },
      payouts: 2,
      planned_minor: '5000000000',
      quoted_minor: '1002506265664160402',
      sent_minor: '1002506265664160403',
      fees_minor: null,
    },
  ],
  ceilings: { payout_bps: 50, run_bps: 125 },
};

test('what is sent for what is received, with the ceilings, is said to whoever plans, confirms and approves', () => {
  expect(approvedConversions(CONVERSIONS)).toEqual([
    'from 1.002506265664160403 ETH on arbitrum: 50,000,000.00 IDR in 2 payouts, fees unknown',
    'at most 0.5% more for a payout, 1.25% for all of a pair',
  ]);
  expect(conversionNotes(CONVERSIONS).join()).toContain(
    '50,000,000.00 IDR are paid from 1.002506265664160403 ETH on arbitrum, by the rate of now',
  );
  expect(plannedNotes(CONVERSIONS)).toEqual([
    '50,000,000.00 IDR are planned from 1.002506265664160403 ETH on arbitrum; each is quoted again when it is sent, and is not sent where it costs more than 0.5% above the plan',
  ]);
  const table = conversionsTable(CONVERSIONS);
  expect(table).toMatch(
    /^ETH on arbitrum +IDR +2 +50,000,000\.00 +1\.002506265664160403 +unknown +1 ETH = 49,87\S+ IDR$/m,
  );
  expect(table).toContain('more than 0.5% above the plan (all of a pair: 1.25%)');
});

test('nothing is said where nothing is converted', () => {
  expect([approvedConversions(null), conversionNotes(null), plannedNotes(null), conversionsTable(null)]).toEqual([
    [],
    [],
    [],
    '',
  ]);
  expect(conversionsResult(null)).toEqual({ conversions: [], ceilings: null });
});
