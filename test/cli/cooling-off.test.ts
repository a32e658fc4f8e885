import { expect, it } from 'vitest';
import { ComparedPayouts } from '../../src/cli/compare-past.ts';
import { coolingRows, coolingText } from '../../src/cli/cooling-off.ts';
import type { RunRow } from '../../src/domain/entry.ts';
import type { PayoutOrder } from '../../src/domain/payee.ts';
import { sampleRow } from '../journal/samples.ts';

const DAY = 86_400_000;
const LAST_YEAR = { id: 'R1', at: Date.now() - 365 * DAY, isLastOfJob: false, isInWindow: false };
const YESTERDAY = { id: 'R2', at: Date.now() - DAY, isLastOfJob: false, isInWindow: false };

/** A payee who gets something on an account that the service has. */
function orderOf(row: number, payeeId: string, code: string, external_account_id: string): PayoutOrder {
  const { order } = sampleRow(row);
  if (order === null) throw new Error('a sample without an order');
  return {
    ...order,
    payee: { ...order.payee, payee_id: payeeId },
    destination: { kind: 'existing', external_account_id },
    currency: { code, chain: null, decimals: 2 },
  };
}

const rowOf = (order: PayoutOrder): RunRow => ({ ...sampleRow(order.row), order });

it('an account that somebody else was paid on is new to a payee, in a currency that is new to them or not', () => {
  const orders = [
    orderOf(2, 'E1', 'EUR', 'ea_of_mary'),
    orderOf(3, 'E9', 'EUR', 'ea_of_mary'),
    orderOf(4, 'E2', 'EUR', 'ea_of_mary'),
    orderOf(5, 'E1', 'USD', 'ea_of_adam'),
    orderOf(6, 'E8', 'EUR', 'ea_of_none'),
  ];
  const compared = new ComparedPayouts(orders.map(rowOf));
  compared.add(orderOf(2, 'E2', 'EUR', 'ea_of_mary'), YESTERDAY, 'paid');
  compared.add(orderOf(2, 'E1', 'AUD', 'ea_of_adam'), LAST_YEAR, 'paid');
  compared.add(orderOf(3, 'E2', 'EUR', 'ea_of_mary'), LAST_YEAR, 'paid');
  expect(coolingRows(30 * DAY, compared, null).map(({ order, why }) => [order.row, why])).toEqual([
    [2, 'E1 was never paid to ••••mary, as far as this journal knows.'],
    [3, 'E9 was never paid to ••••mary, as far as this journal knows.'],
    [6, 'Nobody was ever paid to ••••none, as far as this journal knows.'],
  ]);
});

it('an account is new to a payee for as long as the job says, whoever was paid on it long ago', () => {
  const compared = new ComparedPayouts([rowOf(orderOf(2, 'E1', 'EUR', 'ea_of_mary'))]);
  compared.add(orderOf(2, 'E1', 'EUR', 'ea_of_mary'), YESTERDAY, 'paid');
  compared.add(orderOf(2, 'E2', 'EUR', 'ea_of_mary'), LAST_YEAR, 'paid');
  const [found] = coolingRows(30 * DAY, compared, null);
  expect(found && coolingText(found)).toMatch(/^Row 2: .* E1 was not paid to ••••mary before run R2 of /);
});
