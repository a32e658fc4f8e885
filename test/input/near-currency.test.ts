import { expect, it } from 'vitest';
import { nearCurrency } from '../../src/input/cells/currency-cells.ts';
import { readAll } from './reading.ts';

it.each([
  ['ERU', 'EUR'],
  ['eurr', 'EUR'],
  ['GB', 'GBP'],
  ['INT', 'INR'],
  ['HKS', 'HKD'],
  // Two letters away from each, or one from several.
  ['XYZ', null],
  ['SD', null],
  ['', null],
])('%s is near %s', (text, near) => {
  expect(nearCurrency(text)).toBe(near);
});

it('what was meant is asked at the cell, and nothing writes it by itself', async () => {
  const { problems } = await readAll('name,amount,currency,external_account_id\nA,1,ERU,acc1\nB,1,XYZ,acc2');
  const [meant, unknown] = problems.filter(({ code }) => code === 'currency_unknown');
  expect(meant?.remedy).toMatch(/^Did you mean EUR\? Write the code of three letters/);
  expect(meant?.suggestion).toBeUndefined();
  expect(unknown?.remedy).toMatch(/^Write the code/);
});
