import { expect } from 'vitest';
import { addPayee, settled } from '../harness.ts';
import { eth, eur, gbp, usd, usdc } from './amounts.ts';
import { NOT_FOUND, type Row, TEXT } from './row.ts';
import { ended, feesOf, freshPayout, freshSwap, moved, payout, payTo, purse, setPrice, swap } from './transfers.ts';

/** A payout to somebody of that name, by the account or by the recipient. */
const payTheOne =
  (accountName: string, recipientName = accountName): Row['body'] =>
  async ({ service, kept }) => {
    const recipient = await service.data('account.recipient.create', { metadata: { name: recipientName } });
    const account = await service.data('account.external.bank.add', {
      type: 'GBP_FPS',
      account_name: accountName,
      account_number: '12345678',
      national_clearing_code: '200000',
      recipient_id: recipient.id,
    });
    kept.purse = await purse(service);
    return payTo(account.id, gbp(50_00));
  };

const endsFailed = (name: string, code: string, condition: string): Row => ({
  section: '3',
  statement: `${condition} ends FAILED, and everything is given back`,
  operation: 'transaction.transfer',
  body: payTheOne(name),
  is: 200,
  async shows(reply, { service, kept }) {
    const { status, failure_reason } = await ended(service, reply.data);
    expect([status, failure_reason]).toEqual(['FAILED', { code, message: TEXT }]);
    expect(await moved(service, kept.purse)).toEqual({});
  },
});

const completes = (statement: string, body: Row['body']): Row => ({
  section: '3',
  statement,
  operation: 'transaction.transfer',
  body,
  is: 200,
  shows: async (reply, { service }) => expect((await ended(service, reply.data)).status).toBe('COMPLETED'),
});

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

/** A payout of 100 pounds from a balance of that and its fee, but for so many pence. */
function coverRow(statement: string, difference: bigint, status: string): Row {
  return {
    section: '3',
    statement,
    operation: 'transaction.transfer',
    body: async (given) => {
      const { service } = given;
      const quoted = { currency_out: gbp(100_00), currency_in: gbp(0), destination: 'GBP_FPS' };
      const fee = feesOf({ ...(await service.data('quote.get', quoted)), currency_out: gbp(0) });
      await service.admin('balance.set', { code: 'GBP', value: String(100_00n + fee + difference) });
      return payout({}, '10000')(given);
    },
    alone: {},
    is: 200,
    shows: async (reply, { service }) => expect((await ended(service, reply.data)).status).toBe(status),
  };
}

const FAILED: readonly Row[] = [
  {
    section: '3',
    statement: 'an insufficient balance is no error of the call: a payout reaches FAILED',
    operation: 'transaction.transfer',
    body: payout({}, '99999999999999999999'),
    is: 200,
    async shows(reply, { service }) {
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('PENDING');
      const { status, failure_reason } = await ended(service, reply.data);
      expect([status, failure_reason]).toEqual(['FAILED', { code: 'INSUFFICIENT_BALANCE', message: TEXT }]);
    },
  },
  {
    section: '3',
    statement: 'a swap that passed submission can still end FAILED for its balance',
    operation: 'transaction.transfer',
    body: ({ service }) => freshSwap(service, eth('99999999999999999999999999'), usdc(0)),
    is: 200,
    async shows(reply, { service }) {
      const { status, failure_reason } = await ended(service, reply.data);
      expect([status, failure_reason]).toEqual(['FAILED', { code: 'INSUFFICIENT_BALANCE', message: TEXT }]);
    },
  },
  {
    section: '3',
    statement: 'a swap that passed submission can still end FAILED for its rate, everything given back',
    operation: 'transaction.transfer',
    body: async ({ service, kept }) => {
      await setPrice(service, gbp(0), '1.25');
      kept.purse = await purse(service);
      return freshSwap(service, gbp(800_00), usd(0));
    },
    alone: {},
    is: 200,
    async shows(reply, { service, kept }) {
      await setPrice(service, gbp(0), '1.20');
      const { status, failure_reason } = await ended(service, reply.data);
      expect([status, failure_reason]).toEqual(['FAILED', { code: 'RATE_DRIFT', message: TEXT }]);
      expect(await moved(service, kept.purse)).toEqual({});
    },
  },
  {
    section: '3',
    statement: 'what was short at submission and is there at execution is paid',
    operation: 'transaction.transfer',
    body: async (given) => {
      await given.service.admin('balance.set', { code: 'GBP', value: '0' });
      return payout()(given);
    },
    alone: {},
    is: 200,
    async shows(reply, { service }) {
      await service.admin('balance.set', { code: 'GBP', value: '100000' });
      expect((await ended(service, reply.data)).status).toBe('COMPLETED');
    },
  },
  coverRow('a balance that covers the amount and not the fee ends FAILED', -1n, 'FAILED'),
  coverRow('a balance that covers both exactly is paid', 0n, 'COMPLETED'),
  {
    section: '3',
    statement: 'what is reserved is not spent twice',
    operation: 'transaction.transfer',
    body: async (given) => {
      await given.service.admin('balance.set', { code: 'GBP', value: '10000' });
      given.kept.first = await given.service.data('transaction.transfer', payout({}, '6000')(given));
      return payout({}, '6000')(given);
    },
    alone: {},
    is: 200,
    async shows(reply, { service, kept }) {
      expect((await ended(service, kept.first)).status).toBe('COMPLETED');
      expect((await ended(service, reply.data)).failure_reason.code).toBe('INSUFFICIENT_BALANCE');
    },
  },
  endsFailed('REHEARSE_FUNDS', 'INSUFFICIENT_BALANCE', 'insufficient balance at execution'),
  endsFailed('REHEARSE_KYB', 'RECIPIENT_VERIFICATION', 'a failed recipient business verification'),
  endsFailed('REHEARSE_SANCTIONS', 'SANCTIONS_SCREENING', 'a failed sanctions screening'),
  endsFailed('REHEARSE_MONITORING', 'TRANSACTION_MONITORING', 'failed transaction monitoring'),
  endsFailed('REHEARSE_CLOSED', 'ACCOUNT_CLOSED', 'a closed account'),
  completes('the names of rehearsals count only at the beginning', payTheOne('Ada REHEARSE_KYB')),
  completes('a name that merely ends with the word of a rehearsal is paid', payTheOne('Bank of KYB')),
  {
    section: '3',
    statement: 'the recipient’s name chooses an ending where the account’s does not',
    operation: 'transaction.transfer',
    body: payTheOne('Ada Lovelace', 'REHEARSE_KYB Ltd'),
    is: 200,
    shows: async (reply, { service }) => expect((await ended(service, reply.data)).status).toBe('FAILED'),
  },
  {
    section: '3',
    statement: 'a payout that is stuck stays PENDING',
    operation: 'transaction.transfer',
    body: payTheOne('REHEARSE_STUCK'),
    alone: {},
    is: 200,
    async shows(reply, { service }) {
      const other = await addPayee(service);
      const id = await service.data('transaction.transfer', payTo(other.accountId, gbp(100)));
      await service.admin('clock.advance', { ms: 30 * 86_400_000 });
      await settled(service, id);
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('PENDING');
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
export const SECTION_3: readonly Row[] = [...PENDING, ...FAILED, ...RETURNS];
