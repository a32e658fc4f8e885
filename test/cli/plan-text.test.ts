import { expect, test } from 'vitest';
import { NO_OLDER_PLANS } from '../../src/app/plan/awaiting.ts';
import { planText } from '../../src/cli/plans/plan-text.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { sampleHeader, samplePlan } from '../journal/samples.ts';

test('the table of a plan groups the thousands of counts as it does those of amounts', () => {
  const header = sampleHeader('R20261125-7K3M9QZ2');
  const facts = samplePlan(header);
  const [total] = facts.totals;
  if (total === undefined) throw new Error('the sample has no total');
  const totals = [{ ...total, payouts: 100_000, planned_minor: '123456789' }];
  const plan = {
    header,
    facts: { ...facts, totals },
    comparison: null,
    cooling: [],
    held: () => 500_000_000n,
    small: [],
    ofDay: [],
  };
  const text = planText({ plan, allowRepeat: undefined, older: NO_OLDER_PLANS, colour: false }, plainCommand);
  expect(text).toMatch(/^AUD +100,000 +1,234,567\.89 +0\.00 +5,000,000\.00 +3,765,432\.11$/m);
});
