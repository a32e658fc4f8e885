import { expect } from 'vitest';
import { settled } from '../harness.ts';
import { CRYPTO, FIAT, gbp, nameOf, usd, usdc } from './amounts.ts';
import { aMinuteLater, INVALID, NOT_FOUND, type Row } from './row.ts';
import { freshSwap, moved, payout, purse } from './transfers.ts';

/** 1. What the service does. */
export const SECTION_1: readonly Row[] = [
  {
    section: '1',
    statement: 'it holds balances in fiat currencies and crypto assets',
    operation: 'account.balance.getMany',
    body: {},
    is: 200,
    shows(reply) {
      const held = reply.data.balances.map(({ available }: { available: { code: string } }) => available.code);
      for (const code of [...FIAT, 'USDC', 'USDT', 'ETH']) expect(held).toContain(code);
    },
  },
  {
    section: '1',
    statement: 'the customer fetches quotes',
    operation: 'quote.get',
    body: { currency_out: usd(100_00), currency_in: gbp(0) },
    is: 200,
  },
  {
    section: '1',
    statement: 'the customer swaps one held currency for another',
    operation: 'transaction.transfer',
    body: ({ service }) => freshSwap(service, usd(100_00), usdc(0)),
    is: 200,
  },
  {
    section: '1',
    statement: 'the customer withdraws to a recipient',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
  },
  {
    section: '1',
    statement: 'the customer withdraws to an account of its own',
    operation: 'transaction.transfer',
    body: async ({ own }) => ({
      currency_out: gbp(100),
      external_accounts: { from: null, to: { id: await own('GBP_FPS') } },
    }),
    is: 200,
  },
  {
    section: '1',
    statement: 'every operation is a POST',
    operation: 'account.balance.getMany',
    body: {},
    change: (outgoing) => ({ ...outgoing, method: 'GET' }),
    is: [405, 'METHOD_NOT_SUPPORTED'],
  },
  {
    section: '1',
    statement: 'a PUT is no POST',
    operation: 'account.balance.getMany',
    body: {},
    change: (outgoing) => ({ ...outgoing, method: 'PUT' }),
    is: [405, 'METHOD_NOT_SUPPORTED'],
  },
  {
    section: '1',
    statement: 'an operation that has no name of these is not found',
    operation: 'transaction.cancel',
    body: {},
    is: NOT_FOUND,
  },
  {
    section: '1',
    statement: 'operation names are dotted, not paths',
    operation: 'account/balance/getMany',
    body: {},
    is: NOT_FOUND,
  },
  {
    section: '1',
    statement: 'bodies are JSON, and their content-type says so',
    operation: 'account.balance.getMany',
    body: {},
    signing: { contentType: 'text/plain' },
    is: [415, 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    section: '1',
    statement: 'a body that is no JSON is refused',
    operation: 'account.balance.getMany',
    body: 'limit=1',
    is: [400, 'PARSE_ERROR'],
  },
  {
    section: '1',
    statement: 'a body is an object',
    operation: 'account.balance.getMany',
    body: '[]',
    is: INVALID,
  },
  {
    section: '1',
    statement: 'a success is an object with the one key data, in JSON',
    operation: 'account.balance.getMany',
    body: {},
    is: 200,
    shows(reply) {
      expect(Object.keys(JSON.parse(reply.text))).toEqual(['data']);
      expect(reply.headers['content-type']).toMatch(/^application\/json/);
    },
  },
  {
    section: '1',
    statement: 'an error is an object with the one key error, in JSON',
    operation: 'transaction.get',
    body: { id: 'nothing' },
    is: NOT_FOUND,
    shows(reply) {
      expect(Object.keys(JSON.parse(reply.text))).toEqual(['error']);
      expect(reply.headers['content-type']).toMatch(/^application\/json/);
    },
  },
  {
    section: '1',
    statement: 'a withdrawal is asynchronous: the call returns an id, the transaction reaches a final status later',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service }) {
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('PENDING');
      await aMinuteLater(service);
      expect((await settled(service, reply.data)).status).toBe('COMPLETED');
    },
  },
  {
    section: '1',
    statement: 'a swap is asynchronous too',
    operation: 'transaction.transfer',
    body: ({ service }) => freshSwap(service, usd(100_00), usdc(0)),
    is: 200,
    async shows(reply, { service }) {
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('PENDING');
      await aMinuteLater(service);
      expect((await settled(service, reply.data)).status).toBe('COMPLETED');
    },
  },
  {
    section: '1',
    statement: 'there is no client idempotency key: the same request with a new nonce is another payout',
    operation: 'transaction.transfer',
    body: async (given) => {
      given.kept.first = await given.service.data('transaction.transfer', payout()(given));
      return payout()(given);
    },
    change: (outgoing) => ({ ...outgoing, headers: { ...outgoing.headers, 'idempotency-key': 'run-1' } }),
    is: 200,
    shows: (reply, { kept }) => expect(reply.data).not.toBe(kept.first),
  },
  {
    section: '1',
    statement: 'a quote binds nobody and moves nothing',
    operation: 'quote.get',
    body: async ({ service, kept }) => {
      kept.purse = await purse(service);
      kept.state = (await service.admin('state')).data.postings;
      return { currency_out: usd(100_00), currency_in: gbp(0) };
    },
    is: 200,
    async shows(_reply, { service, kept }) {
      expect(await moved(service, kept.purse)).toEqual({});
      expect((await service.admin('state')).data.postings).toBe(kept.state);
    },
  },
  ...CRYPTO.map(
    (currency): Row => ({
      section: '1',
      statement: `it holds ${nameOf(currency)}`,
      operation: 'account.balance.getMany',
      body: {},
      is: 200,
      shows(reply) {
        const held = reply.data.balances.map(({ available }: { available: object }) => available);
        expect(held).toContainEqual({ ...currency, value: expect.stringMatching(/^[1-9]\d*$/) });
      },
    }),
  ),
];
