import { expect } from 'vitest';
import { eur, gbp, usd } from './amounts.ts';
import { NOT_FOUND, type Row } from './row.ts';
import { ended, feesOf, freshPayout, freshSwap, moved, payout, payTheOne, purse, swap } from './transfers.ts';

const PENDING: readonly Row[] = [
  {
    section: '3',
    statement: 'a transfer that passed validation is PENDING, and its new id is returned',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service }) {
      expect(reply.data).toEqual(expect.stringMatching(/^\S+$/));
      expect(await service.data('transaction.get', { id: reply.data })).toMatchObject({
        id: reply.data,
        status: 'PENDING',
        failure_reason: null,
      });
    },
  },
  {
    section: '3',
    statement: 'what is PENDING is reserved: amount and fee leave what is available',
    operation: 'transaction.transfer',
    body: async (given) => {
      given.kept.purse = await purse(given.service);
      return payout({}, '7000')(given);
    },
    alone: {},
    is: 200,
    async shows(reply, { service, kept }) {
      const fee = feesOf(await service.data('transaction.get', { id: reply.data }));
      expect(await moved(service, kept.purse)).toEqual({ GBP: { available: -7000n - fee, pending: 7000n + fee } });
      await ended(service, reply.data);
      expect(await moved(service, kept.purse)).toEqual({ GBP: { available: -7000n - fee, pending: 0n } });
    },
  },
  {
    section: '3',
    statement: 'a swap settles: both balances move, by the amounts of its record and the fee',
    operation: 'transaction.transfer',
    body: async ({ service, kept }) => {
      kept.purse = await purse(service);
      return freshSwap(service, gbp(800_00), usd(0));
    },
    alone: {},
    is: 200,
    async shows(reply, { service, kept }) {
      const record = await ended(service, reply.data);
      expect([record.status, record.currency_out]).toEqual(['COMPLETED', gbp(800_00)]);
      expect(await moved(service, kept.purse)).toEqual({
        GBP: { available: -800_00n - feesOf(record), pending: 0n },
        USD: { available: BigInt(record.currency_in.value), pending: 0n },
      });
    },
  },
  {
    section: '3',
    statement: 'a final status stays',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service }) {
      const first = await ended(service, reply.data);
      expect((await service.admin('transaction.fail', { id: reply.data })).status).toBe(400);
      expect(await ended(service, reply.data)).toEqual(first);
    },
  },
];

const RETURNS: readonly Row[] = [
  {
    section: '3',
    statement: 'a return after COMPLETED is a new deposit that names the original; the fee is kept',
    operation: 'transaction.transfer',
    body: payTheOne('REHEARSE_RETURN'),
    alone: {},
    is: 200,
    async shows(reply, { service, kept }) {
      const original = await ended(service, reply.data);
      expect(original.status).toBe('COMPLETED');
      await ended(service, reply.data);
      const { transactions } = await service.data('transaction.getMany', { type: 'deposit' });
      expect(transactions).toMatchObject([
        {
          status: 'COMPLETED',
          external_reference_type: 'RETURN',
          external_reference: reply.data,
          currency_in: gbp(50_00),
          fees: [],
        },
      ]);
      expect(await moved(service, kept.purse)).toEqual({ GBP: { available: -feesOf(original), pending: 0n } });
    },
  },
  {
    section: '3',
    statement: 'a converting payout that comes back is a deposit of what had arrived, in its currency',
    operation: 'transaction.transfer',
    body: async ({ service, own, kept }) => {
      const request = await freshPayout(service, await own('EUR_SEPA'), gbp(100_00), eur(0));
      kept.purse = await purse(service);
      return request;
    },
    alone: {},
    is: 200,
    async shows(reply, { service, kept }) {
      const { currency_in, fees, currency_out } = await ended(service, reply.data);
      const { deposit_id } = (await service.admin('transaction.return', { id: reply.data })).data;
      const deposit = await service.data('transaction.get', { id: deposit_id });
      expect([deposit.currency_in, deposit.fees]).toEqual([currency_in, []]);
      expect(await moved(service, kept.purse)).toEqual({
        GBP: { available: -100_00n - feesOf({ fees, currency_out }), pending: 0n },
        EUR: { available: BigInt(currency_in.value), pending: 0n },
      });
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('COMPLETED');
      expect((await service.admin('transaction.return', { id: reply.data })).status).toBe(400);
    },
  },
  {
    section: '3',
    statement: 'the deposit of a return is no transfer that was submitted: its id is its own',
    operation: 'transaction.get',
    body: async (given) => {
      const id = await given.service.data('transaction.transfer', payout()(given));
      await ended(given.service, id);
      const returned = await given.service.admin('transaction.return', { id });
      given.kept.original = id;
      return { id: returned.data.deposit_id };
    },
    is: 200,
    shows({ data }, { kept }) {
      expect(data.id).not.toBe(kept.original);
      expect([data.status, data.external_reference]).toEqual(['COMPLETED', kept.original]);
    },
  },
  {
    section: '3',
    statement: 'a transfer that was refused leaves no transaction behind',
    operation: 'transaction.transfer',
    body: swap(usd(100_00), usd(99_00)),
    is: [400, 'BAD_REQUEST', 'SAME_CURRENCY'],
  },
  {
    section: '3',
    statement: 'there is no other transaction',
    operation: 'transaction.get',
    body: { id: '' },
    is: NOT_FOUND,
  },
];

/** 3. States and transitions. */
export const SECTION_3: readonly Row[] = [...PENDING, ...RETURNS];
