import { expect } from 'vitest';
import { WALLET } from '../harness.ts';
import { FULL_RECIPIENT } from './accounts.ts';
import { eur, gbp, some, usd, usdc } from './amounts.ts';
import { HASH, type Row, TEXT, TIME } from './row.ts';
import { ended, freshPayout, freshSwap, payout, toWallet } from './transfers.ts';

const REFERENCE = expect.stringMatching(/^\S+$/);

const RECORDS: readonly Row[] = [
  {
    section: '2.4',
    statement: 'a transaction record has every field: a payout',
    operation: 'transaction.transfer',
    body: payout({ metadata: { description: 'June' }, reference: 'INV 7' }, '12345'),
    is: 200,
    async shows(reply, { service }) {
      const { transactions } = await service.data('transaction.getMany', { search: reply.data });
      expect(transactions).toEqual([
        {
          id: reply.data,
          created_at: TIME,
          status: 'PENDING',
          currency_in: gbp(12345),
          currency_out: gbp(12345),
          external_reference: REFERENCE,
          external_reference_type: 'BANK_GBP_FPS',
          fees: [expect.objectContaining({ type: 'direct' })],
          metadata: {
            description: 'June',
            payout_reference: REFERENCE,
            rail: 'GBP_FPS',
            required_fields: { reference: { value: 'INV 7', label: TEXT } },
          },
        },
      ]);
    },
  },
  {
    section: '2.4',
    statement: 'a payout without description and reference has neither',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service }) {
      const { metadata } = await service.data('transaction.get', { id: reply.data });
      expect(metadata).toEqual({ payout_reference: REFERENCE, rail: 'GBP_FPS', required_fields: {} });
    },
  },
  {
    section: '2.4',
    statement: 'a transaction record has every field: a swap, with its price pair',
    operation: 'transaction.transfer',
    body: ({ service }) => freshSwap(service, gbp(500_00), eur(0), { metadata: { description: 'hedge' } }),
    is: 200,
    async shows(reply, { service, kept }) {
      kept.id = reply.data;
      const { transactions } = await service.data('transaction.getMany', { search: reply.data });
      expect(transactions).toEqual([
        {
          id: reply.data,
          created_at: TIME,
          status: 'PENDING',
          currency_in: some(eur(0)),
          currency_out: gbp(500_00),
          external_reference: REFERENCE,
          external_reference_type: 'INTERNAL',
          fees: [expect.objectContaining({ type: 'percentage' })],
          metadata: {
            description: 'hedge',
            payout_reference: REFERENCE,
            rail: 'balance',
            required_fields: {},
            price_pair: {
              marketRate: expect.any(Number),
              direction: expect.stringMatching(/^(bid|ask)$/),
              tickSize: expect.any(Number),
            },
          },
        },
      ]);
      const { marketRate, tickSize } = transactions[0].metadata.price_pair;
      expect([marketRate > 0, tickSize > 0]).toEqual([true, true]);
    },
  },
  {
    section: '2.4',
    statement: 'a converting payout has both fees and a price pair, and its rail',
    operation: 'transaction.transfer',
    body: async ({ service, own }) => freshPayout(service, await own('EUR_SEPA'), gbp(500_00), eur(0)),
    is: 200,
    async shows(reply, { service }) {
      const record = await service.data('transaction.get', { id: reply.data });
      expect(record.fees.map(({ type }: { type: string }) => type).sort()).toEqual(['direct', 'percentage']);
      for (const { value } of record.fees) expect(value).toEqual(some(gbp(0)));
      expect(Object.keys(record.metadata.price_pair).sort()).toEqual(['direction', 'marketRate', 'tickSize']);
      expect([record.metadata.rail, record.external_reference_type]).toEqual(['EUR_SEPA', 'BANK_EUR_SEPA']);
    },
  },
  {
    section: '2.4',
    statement: 'a crypto payout has an external reference type of its chain',
    operation: 'transaction.transfer',
    body: toWallet(usdc('2500000')),
    is: 200,
    async shows(reply, { service }) {
      const record = await service.data('transaction.get', { id: reply.data });
      expect([record.external_reference_type, record.metadata.rail]).toEqual(['CRYPTO_ETHEREUM', 'WEB3']);
    },
  },
  ...['polygon', 'arbitrum'].map(
    (chain): Row => ({
      section: '2.4',
      statement: `a crypto payout on ${chain} has that chain in its external reference type, also a converting one`,
      operation: 'transaction.transfer',
      body: async ({ service }) => {
        const { id } = await service.data('account.external.web3.add', { ...WALLET, chain });
        return freshPayout(service, id, usd(100_00), usdc(0, chain));
      },
      is: 200,
      async shows(reply, { service }) {
        const record = await service.data('transaction.get', { id: reply.data });
        expect(record.external_reference_type).toBe(`CRYPTO_${chain.toUpperCase()}`);
        expect(record.external_account_metadata).toMatchObject({ type: 'WEB3', account_name: WALLET.account_name });
      },
    }),
  ),
  {
    section: '2.4',
    statement: 'a single read also has a snapshot of the destination, and no failure while there is none',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service, accountId }) {
      const detail = await service.data('transaction.get', { id: reply.data });
      const { transactions } = await service.data('transaction.getMany', { search: reply.data });
      const { external_account_metadata, failure_reason, ...record } = detail;
      expect(transactions).toEqual([record]);
      expect(failure_reason).toBeNull();
      expect(external_account_metadata).toEqual({
        id: accountId,
        type: 'GBP_FPS',
        account_name: 'Ada Lovelace',
        account_number: expect.stringMatching(/^[^0-9]+5678$/),
        fingerprint: HASH,
      });
    },
  },
  {
    section: '2.4',
    statement: 'a swap has no destination',
    operation: 'transaction.transfer',
    body: ({ service }) => freshSwap(service, gbp(500_00), eur(0)),
    is: 200,
    shows: async (reply, { service }) =>
      expect((await service.data('transaction.get', { id: reply.data })).external_account_metadata).toBeNull(),
  },
  {
    section: '2.4',
    statement: 'created_at is the time of creation, and stays',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service }) {
      const { created_at } = await service.data('transaction.get', { id: reply.data });
      const { now } = (await service.admin('state')).data;
      expect(Math.abs(Date.parse(now) - Date.parse(created_at))).toBeLessThan(30_000);
      expect((await ended(service, reply.data)).created_at).toBe(created_at);
    },
  },
  {
    section: '2.5',
    statement: 'totals are two numbers',
    operation: 'transaction.getMany',
    body: {},
    is: 200,
    shows: ({ data }) => expect(data.totals).toEqual({ transfers: expect.any(Number), fiatAmount: expect.any(Number) }),
  },
];

const PARTIES: readonly Row[] = [
  {
    section: '2.6',
    statement: 'a recipient record has every field that was given, is shown, and has its notifications',
    operation: 'account.recipient.get',
    body: async ({ service, kept }) => {
      kept.id = (await service.data('account.recipient.create', { metadata: FULL_RECIPIENT })).id;
      return { id: kept.id };
    },
    is: 200,
    shows: ({ data }, { kept }) =>
      expect(data).toEqual({
        id: kept.id,
        created_at: TIME,
        metadata: { ...FULL_RECIPIENT, is_hidden: false },
        preferences: { notifications: { transactions: expect.any(Boolean) } },
      }),
  },
  {
    section: '2.7',
    statement: 'a customer record has its fields',
    operation: 'account.customer.get',
    body: ({ customerId }) => ({ id: customerId }),
    is: 200,
    shows: ({ data }, { customerId }) =>
      expect(data).toEqual({
        id: customerId,
        created_at: TIME,
        metadata: { name: TEXT, business_info: expect.any(Object) },
        preferences: { notifications: { transactions: expect.any(Boolean) } },
      }),
  },
  {
    section: '2.8',
    statement: 'an external account is identified by an id',
    operation: 'account.external.bank.getAll',
    body: ({ recipientId }) => ({ recipient_id: recipientId }),
    is: 200,
    shows: ({ data }, { accountId }) => expect(data.map(({ id }: { id: string }) => id)).toContain(accountId),
  },
];

/** 2.4 to 2.8: transactions, totals, recipients, customers, external accounts. */
export const SECTION_2_RECORDS: readonly Row[] = [...RECORDS, ...PARTIES];
