import { expect, test } from 'vitest';
import { approvableText, isTotal } from '../../src/cli/approvable-text.ts';
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
  ['1742515', '17425.15', false],
])('of a total of %s minor units, %j is it: %s', (planned_minor, typed, expected) => {
  const totals = [{ currency: AUD, payouts: 1, planned_minor, fees_minor: null }];
  expect(isTotal(typed, { totals } as unknown as PlanFacts)).toBe(expected);
});

test('an approver is told that everybody is paid once more, and of which run', () => {
  const header = sampleHeader('R2');
  const shown = (repeats: string | null) => approvableText({ ...header, repeats }, samplePlan(header));
  expect(shown('R1')).toContain('\nagain      it pays everybody of R1 once more\n');
  expect(shown(null)).not.toContain('once more');
});
