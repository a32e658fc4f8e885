import { expect } from 'vitest';
import { eth, eur, gbp, jpy, shareOf, some, usd, usdc, type Wire } from './amounts.ts';
import { INVALID, type Row, refusedAs, TEXT } from './row.ts';
import { freshSwap, payout, payTo, toWallet } from './transfers.ts';

/** A payout with this as `currency_out`. */
const paying =
  (currency_out: unknown): Row['body'] =>
  ({ accountId }) =>
    payTo(accountId, currency_out as object);

const wrongAmount = (statement: string, currency_out: unknown): Row => ({
  section: '2.1',
  statement,
  operation: 'transaction.transfer',
  body: paying(currency_out),
  is: INVALID,
});

const CURRENCY: readonly Row[] = [
  wrongAmount('value is a string, not a number', { ...gbp(0), value: 100 }),
  wrongAmount('value is no null', { ...gbp(0), value: null }),
  ...['', ' 1', '1 ', '1.5', '1,000', '0100', '+1', '-1', '1e3', '0x10', '١٠', 'NaN', 'Infinity', '1\u0000'].map(
    (value) => wrongAmount(`value counts the smallest denomination: no ${JSON.stringify(value)}`, gbp(value)),
  ),
  wrongAmount('value is required', { code: 'GBP', decimals: 2 }),
  wrongAmount('code is required', { value: '1', decimals: 2 }),
  wrongAmount('decimals are required', { value: '1', code: 'GBP' }),
  wrongAmount('code is a string', { ...gbp(1), code: 826 }),
  wrongAmount('decimals are an integer', { ...gbp(1), decimals: 2.5 }),
  wrongAmount('decimals are a number', { ...gbp(1), decimals: '2' }),
  wrongAmount('decimals are those of the currency: not more', { ...gbp(1), decimals: 3 }),
  wrongAmount('decimals are those of the currency: not fewer', { ...gbp(1), decimals: 0 }),
  wrongAmount('chain is omitted for fiat', { ...gbp(1), chain: 'ethereum' }),
  wrongAmount('chain is a string', { ...usdc(1), chain: 1 }),
  wrongAmount('metadata is a string', { ...gbp(1), metadata: { note: 'x' } }),
  wrongAmount('a currency object has no other fields', { ...gbp(1), unit: 'p' }),
  wrongAmount('an amount is an object', '1 GBP'),
  {
    section: '2.1',
    statement: 'metadata is optional, a string',
    operation: 'transaction.transfer',
    body: paying({ ...gbp(100), metadata: 'wages' }),
    is: 200,
  },
  {
    section: '2.1',
    statement: 'chain is required for crypto assets',
    operation: 'transaction.transfer',
    body: toWallet({ value: '100', code: 'USDC', decimals: 6 }),
    is: INVALID,
  },
  {
    section: '2.1',
    statement: 'the same asset on two chains is told apart',
    operation: 'account.balance.getMany',
    body: {},
    alone: {},
    is: 200,
    shows(reply) {
      const held = reply.data.balances.map((balance: { available: Wire }) => balance.available);
      for (const chain of ['ethereum', 'polygon', 'arbitrum'])
        expect(held.filter(({ code, chain: of }: Wire) => code === 'USDC' && of === chain)).toHaveLength(1);
      expect(held.filter(({ code }: Wire) => code === 'GBP')).toEqual([
        { value: expect.stringMatching(/^\d+$/), code: 'GBP', decimals: 2 },
      ]);
    },
  },
  {
    section: '2.1',
    statement: '100 units of an asset with 6 decimals are 100 and six zeros',
    operation: 'quote.get',
    body: { currency_out: usdc('100000000'), currency_in: usd(0) },
    is: 200,
    shows: ({ data }) => expect(Math.abs(Number(data.bid.value) - 100_00)).toBeLessThan(2_00),
  },
  {
    section: '2.1',
    statement: 'an amount with 18 decimals keeps each of them',
    operation: 'transaction.transfer',
    body: toWallet(eth('1234567890123456789')),
    is: 200,
    async shows(reply, { service }) {
      const record = await service.data('transaction.get', { id: reply.data });
      expect([record.currency_out, record.currency_in]).toEqual([
        eth('1234567890123456789'),
        eth('1234567890123456789'),
      ]);
    },
  },
  {
    section: '2.1',
    statement: 'a currency without decimals is no exception to the schema',
    operation: 'transaction.transfer',
    body: paying(jpy(100)),
    is: refusedAs('NOT_PAYABLE'),
  },
];

const FEES: readonly Row[] = [
  {
    section: '2.2',
    statement: 'a fee has type, value, label and rate; direct for the rail',
    operation: 'transaction.transfer',
    body: payout({}, '12345'),
    is: 200,
    async shows(reply, { service }) {
      const { fees } = await service.data('transaction.get', { id: reply.data });
      expect(fees).toEqual([{ type: 'direct', value: some(gbp(0)), label: TEXT, rate: expect.any(Number) }]);
      expect(fees[0].label).not.toBe('');
    },
  },
  {
    section: '2.2',
    statement: 'percentage for a conversion, its rate a fraction, in currency_out',
    operation: 'transaction.transfer',
    body: ({ service }) => freshSwap(service, gbp(1_234_56), eur(0)),
    is: 200,
    async shows(reply, { service }) {
      const { fees } = await service.data('transaction.get', { id: reply.data });
      expect(fees).toEqual([{ type: 'percentage', value: expect.any(Object), label: TEXT, rate: expect.any(Number) }]);
      const [{ rate, value }] = fees;
      expect(rate).toBeGreaterThan(0);
      expect(rate).toBeLessThan(0.05);
      expect(value).toEqual(gbp(shareOf(1_234_56n, rate)));
    },
  },
];

const QUOTE: readonly Row[] = [
  {
    section: '2.3',
    statement: 'a quote has bid, ask, direction, fees and stablecoin',
    operation: 'quote.get',
    body: { currency_out: gbp(100_00), currency_in: eur(0) },
    is: 200,
    shows: ({ data }) =>
      expect(data).toEqual({
        bid: some(eur(0)),
        ask: some(eur(0)),
        direction: expect.stringMatching(/^(bid|ask)$/),
        fees: [
          {
            type: 'percentage',
            value: some(gbp(0)),
            label: TEXT,
            rate: expect.any(Number),
          },
        ],
        stablecoin: some(usdc(0)),
      }),
  },
  {
    section: '2.3',
    statement: 'stablecoin is null where none applies',
    operation: 'quote.get',
    body: { currency_out: gbp(100_00), currency_in: usdc(0) },
    is: 200,
    shows: ({ data }) => expect(data.stablecoin).toBeNull(),
  },
];

/** 2.1 to 2.3: amounts, fees, quotes. */
export const SECTION_2_AMOUNTS: readonly Row[] = [...CURRENCY, ...FEES, ...QUOTE];
