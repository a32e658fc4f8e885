import { expect } from 'vitest';
import { eth, eur, gbp, some, usd, usdc, usdt, type Wire } from './amounts.ts';
import { INVALID, type Row, refusedAs, transferRow as row } from './row.ts';
import {
  ended,
  feesOf,
  freshPayout,
  freshSwap,
  moved,
  payout,
  payTo,
  purse,
  setPrice,
  swap,
  toWallet,
} from './transfers.ts';

const OPERATION = 'transaction.transfer';
const FIELDS: readonly Row[] = [
  row('4.3', 'metadata allows description', payout({ metadata: { description: 'x' } }), 200),
  row('4.3', 'metadata may be empty', payout({ metadata: {} }), 200),
  row('4.3', 'description is a string', payout({ metadata: { description: 7 } }), INVALID),
  ...['note', 'payout_reference', 'rail', 'price_pair', 'proof_of_purpose', 'required_fields', 'Description', ''].map(
    (key) =>
      row(
        '4.3',
        `metadata has no ${JSON.stringify(key)}`,
        payout({ metadata: { description: 'x', [key]: 'y' } }),
        INVALID,
      ),
  ),
  row(
    '4.3',
    'metadata has no __proto__ either',
    ({ accountId }) =>
      JSON.stringify(payTo(accountId, gbp(100), undefined, { metadata: {} })).replace(
        '"metadata":{}',
        '"metadata":{"__proto__":{"description":"x"}}',
      ),
    INVALID,
  ),
  row('4.3', 'reference may accompany a payout', payout({ reference: 'INV 7' }), 200),
  row(
    '4.3',
    'reference may accompany a swap',
    ({ service }) => freshSwap(service, usd(100_00), usdc(0), { reference: 'INV 7' }),
    200,
    async (reply, { service }) => {
      const { metadata } = await service.data('transaction.get', { id: reply.data });
      expect(metadata.required_fields.reference.value).toBe('INV 7');
    },
  ),
  row('4.3', 'reference is a string', payout({ reference: 7 }), INVALID),
  row(
    '4.3',
    'from and to are each null or an object',
    swap(usd(1), usdc(1), { external_accounts: { from: null, to: 'acc_1' } }),
    INVALID,
  ),
  row(
    '4.3',
    'an account is named by an id',
    swap(usd(1), usdc(1), { external_accounts: { from: null, to: {} } }),
    INVALID,
  ),
  row('4.3', 'an id is a string', swap(usd(1), usdc(1), { external_accounts: { from: null, to: { id: 1 } } }), INVALID),
  row(
    '4.3',
    'from may name an account of one’s own, in whose name is sent',
    async ({ accountId, own }) => paidFrom(await own('GBP_FPS'), accountId),
    200,
    async (reply, { service }) => {
      const { metadata } = await service.data('transaction.get', { id: reply.data });
      expect(metadata.required_fields.ordering_account).toEqual({ value: '••••5678', label: 'Sent in the name of' });
    },
  ),
  row('4.3', 'from names an account that is there', ({ accountId }) => paidFrom('acc_nowhere', accountId), INVALID),
  row('4.3', 'from is no account of a recipient', ({ accountId, walletId }) => paidFrom(walletId, accountId), INVALID),
  row(
    '4.3',
    'from and to are two accounts',
    async ({ own }) => paidFrom(await own('GBP_FPS'), await own('GBP_FPS')),
    INVALID,
  ),
  row('4.3', 'from is an account by its id', ({ accountId }) => paidFrom(undefined, accountId), INVALID),
  row(
    '4.3',
    'a swap has no from',
    async ({ own }) => swap(usd(1), usdc(1), { external_accounts: { from: { id: await own('GBP_FPS') }, to: null } }),
    INVALID,
  ),
  row('4.3', 'reference has no line break', payout({ reference: 'INV\n7' }), INVALID),
];

function paidFrom(from: string | undefined, to: string) {
  return { currency_out: gbp(100), external_accounts: { from: { id: from }, to: { id: to } } };
}

const SWAPS: readonly Row[] = [
  row(
    '4.3 rule 1',
    'a swap has both accounts null and both amounts',
    ({ service }) => freshSwap(service, gbp(100_00), eur(0)),
    200,
  ),
  row('4.3 rule 1', 'a swap needs currency_in', swap(usd(100)), INVALID),
  row('4.3 rule 1', 'a swap’s currency_in is not zero', swap(usd(100_00), usdc(0)), INVALID),
  row('4.3 rule 1', 'a swap’s currency_out is not zero', swap(usd(0), usdc(100)), INVALID),
  ...(
    [
      [usd(100_00), usdc(0)],
      [usdc(100_000_000), usd(0)],
      [usdc(100_000_000), usdt(0)],
      [usdc(100_000_000), usdc(0, 'polygon')],
      [eth(10n ** 18n), usdc(0)],
      [usdt(100_000_000, 'arbitrum'), eth(0)],
      [gbp(100_00), eth(0)],
      [eth(10n ** 18n, 'arbitrum'), eur(0)],
    ] as [Wire, Wire][]
  ).map(
    ([out, into]): Row => ({
      section: '4.3 rule 1',
      statement: `a swap of ${out.code} ${out.chain ?? ''} to ${into.code} ${into.chain ?? ''}`,
      operation: OPERATION,
      body: ({ service }) => freshSwap(service, out, into),
      is: 200,
      async shows(reply, { service }) {
        const record = await ended(service, reply.data);
        expect([record.status, record.currency_out, record.currency_in]).toEqual(['COMPLETED', out, some(into)]);
      },
    }),
  ),
];

const QUOTED: readonly Row[] = [
  row(
    '4.3 rule 1',
    'a swap may be taken from a quote of what is to be received: its ask is sent, and brings it',
    async ({ service }) => {
      const { ask } = await service.data('quote.get', { currency_out: gbp(0), currency_in: eur(500_00) });
      return swap(ask, eur(500_00));
    },
    200,
    async (reply, { service }) => {
      const record = await ended(service, reply.data);
      expect(record.status).toBe('COMPLETED');
      expect(BigInt(record.currency_in.value)).toBeGreaterThanOrEqual(500_00n);
    },
  ),
  {
    ...row(
      '4.3 rule 1',
      'also of a small amount, where rounding is more than the tolerance',
      async ({ service }) => {
        await setPrice(service, gbp(0), '1.32');
        // Of 1.33 dollars, 1.02 pounds bring 1.34: one cent is three quarters of a percent.
        const { ask } = await service.data('quote.get', { currency_out: gbp(0), currency_in: usd(1_33) });
        expect(ask).toEqual(gbp(1_02));
        return swap(ask, usd(1_33));
      },
      200,
    ),
    alone: {},
  },
  row(
    '4.3 rule 1',
    'the fees of a swap are those of its quote',
    async ({ service, kept }) => {
      const quoted = await service.data('quote.get', { currency_out: gbp(777_77), currency_in: eur(0) });
      kept.fees = quoted.fees;
      return swap(gbp(777_77), quoted.bid);
    },
    200,
    async (reply, { service, kept }) =>
      expect((await service.data('transaction.get', { id: reply.data })).fees).toEqual(kept.fees),
  ),
  row(
    '4.3 rule 1',
    'currency_in is left out or an amount, not null',
    swap(usd(100_00), undefined, { currency_in: null }),
    INVALID,
  ),
];

const PAYOUTS: readonly Row[] = [
  row('4.3 rule 3', 'to holds the destination’s id', payout(), 200, async (reply, { service, accountId }) => {
    const { external_account_metadata } = await service.data('transaction.get', { id: reply.data });
    expect(external_account_metadata.id).toBe(accountId);
  }),
  row(
    '4.3 rule 3',
    'without currency_in exactly what is held is sent',
    payout({}, '7000'),
    200,
    async (reply, { service }) => {
      const { currency_in, currency_out } = await service.data('transaction.get', { id: reply.data });
      expect([currency_in, currency_out]).toEqual([gbp(7000), gbp(7000)]);
    },
  ),
  row('4.3 rule 3', 'a payout to a wallet', toWallet(usdc(2_000_000)), 200),
  row('4.3 rule 3', 'native crypto to a wallet', toWallet(eth(10n ** 16n)), 200),
  row(
    '4.3 rule 3',
    'a withdrawal to a wallet of one’s own',
    async ({ own }) => payTo(await own('WEB3'), usdc(2_000_000)),
    200,
  ),
  row(
    '4.3 rule 3',
    'with currency_in funds are converted first, and the fees are on top',
    async ({ service, own, kept }) => {
      kept.purse = await purse(service);
      return freshPayout(service, await own('EUR_SEPA'), gbp(800_00), eur(0));
    },
    200,
    async (reply, { service, kept }) => {
      const { status, fees } = await service.data('transaction.get', { id: reply.data });
      expect(status).toBe('PENDING');
      const whole = 800_00n + feesOf({ fees, currency_out: gbp(0) });
      expect((await moved(service, kept.purse)).GBP).toEqual({ available: -whole, pending: whole });
      expect((await ended(service, reply.data)).status).toBe('COMPLETED');
    },
  ),
  row(
    '4.3 rule 3',
    'dollars are converted for a wallet',
    ({ service, walletId }) => freshPayout(service, walletId, usd(500_00), usdc(0)),
    200,
    async (reply, { service }) => expect((await ended(service, reply.data)).status).toBe('COMPLETED'),
  ),
  row('4.3 rule 3', 'to names an account that is there', payTo('acc_nowhere', gbp(100)), INVALID),
  row('4.3 rule 3', 'a recipient is no account', ({ recipientId }) => payTo(recipientId, gbp(100)), INVALID),
  ...(
    [
      ['the rail must be able to receive what is sent', ({ accountId }) => payTo(accountId, usd(100))],
      ['the rail must be able to receive currency_in', ({ accountId }) => payTo(accountId, gbp(100_00), eur(110_00))],
      ['a wallet receives assets of its own chain only', toWallet(usdc('1000000', 'polygon'))],
      ['a wallet receives no fiat', toWallet(usd(100))],
      ['a bank account receives no crypto', ({ accountId }) => payTo(accountId, usdc(1_000_000))],
    ] as [string, Row['body']][]
  ).map(([statement, body]) => row('4.3 rule 3', statement, body, refusedAs('RAIL_CURRENCY_MISMATCH'))),
  row('4.3 rule 4', 'the answer is the id, a string, and nothing else', payout(), 200, (reply) =>
    expect(JSON.parse(reply.text)).toEqual({ data: expect.stringMatching(/^\S+$/) }),
  ),
];

/** 4.3 `transaction.transfer`. */
export const SECTION_4_TRANSFER: readonly Row[] = [...FIELDS, ...SWAPS, ...QUOTED, ...PAYOUTS];
