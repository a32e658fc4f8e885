import { expect, test } from 'vitest';
import { approvableText, isTotal, isTotalOrAmount, lacksCurrency } from '../../src/cli/plans/approvable-text.ts';
import type { PlanFacts } from '../../src/domain/plan.ts';
import { sampleHeader, samplePlan } from '../journal/samples.ts';

const AUD = { code: 'AUD', chain: null, decimals: 2 };

test.each([
  ['1742515', '17425.15 AUD', true],
  ['1742515', ' 17,425.15  AUD ', true],
  ['123456789', '1,234,567.89 AUD', true],
  ['1742515', '174,25.15 AUD', false],
  ['1742515', '17.425,15 AUD', false],
  ['1742515', '17,425.16 AUD', false],
  ['1742515', '17,425.15 USD', false],
  // With one currency the number is enough.
  ['1742515', '17425.15', true],
  ['1742515', '17,425.15', true],
  ['1742515', '17425', false],
  ['1742500', '17425', false],
])('of a total of %s minor units, %j is it: %s', (planned_minor, typed, expected) => {
  const totals = [{ currency: AUD, payouts: 1, planned_minor, fees_minor: null }];
  expect(isTotalOrAmount(typed, { totals } as unknown as PlanFacts)).toBe(expected);
});

test('of a plan in several currencies the total needs its currency, and that is known to be all that is missing', () => {
  const total = (code: string, planned_minor: string) => ({
    currency: { ...AUD, code },
    payouts: 1,
    planned_minor,
    fees_minor: null,
  });
  const facts = { totals: [total('AUD', '1742515'), total('USD', '100')] } as unknown as PlanFacts;
  expect(['17425.15', '17425.15 AUD'].map((typed) => isTotal(typed, facts))).toEqual([false, true]);
  expect(['17425.15', '17425.16', '1.00'].map((typed) => lacksCurrency(typed, facts))).toEqual([true, false, false]);
});

test('an approver is told that everybody is paid once more, and of which run', () => {
  const header = sampleHeader('R2');
  const shown = (repeats: string | null) => approvableText({ ...header, repeats }, samplePlan(header));
  expect(shown('R1')).toContain('\nagain      it pays everyone in R1 again\n');
  expect(shown(null)).not.toContain('once more');
});
