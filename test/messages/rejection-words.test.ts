import { expect, test } from 'vitest';
import type { AboveCeiling } from '../../src/domain/entry.ts';
import { rejectionText } from '../../src/messages/rejection-words.ts';

const eur = (amount: string) => ({ amount, currency: 'EUR' });
const now = eur('5.01');

const CEILINGS: [AboveCeiling, string][] = [
  [
    {
      code: 'rate_above_ceiling',
      received: { amount: '5.50', currency: 'USD' },
      now,
      planned: eur('4.90'),
      bps: 50,
      most: eur('4.92'),
    },
    '5.50 USD cost 5.01 EUR now. 4.90 EUR were planned, and with the ceiling of 0.5% at most 4.92 EUR may be sent. Nothing was sent.',
  ],
  [
    { code: 'run_above_ceiling', now, others: eur('1000.00'), planned: eur('1004.00'), bps: 10, most: eur('1005.00') },
    'It costs 5.01 EUR now, and 1,000.00 EUR were sent for others. 1,004.00 EUR were planned for all, and with the ceiling of the run, 0.1%, at most 1,005.00 EUR may be sent. Nothing was sent for this one.',
  ],
  [
    { code: 'limit_per_payout', now, limit: eur('5.00') },
    'It costs 5.01 EUR now, and limits.per_payout of the job allows 5.00 EUR. Nothing was sent for it.',
  ],
  [
    { code: 'limit_per_run', now, all: eur('14.01'), limit: eur('14.00') },
    'It costs 5.01 EUR now. With it the run would come to 14.01 EUR, and limits.per_run of the job allows 14.00 EUR. Nothing was sent for it.',
  ],
];

test.each(CEILINGS)('a payout that costs too much: $code', (above, words) => {
  expect(rejectionText({ message: '', above })).toBe(`${words} Retry the run to plan the row at the new rate.`);
});

test('what the service refuses is in its own words', () => {
  expect(rejectionText({ message: 'The account is closed.' })).toBe('The account is closed.');
});
