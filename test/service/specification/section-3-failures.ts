import { expect } from 'vitest';
import { addPayee, settled } from '../harness.ts';
import { eth, gbp, usd, usdc } from './amounts.ts';
import { type Row, TEXT } from './row.ts';
import { ended, feesOf, freshSwap, moved, payout, payTheOne, payTo, purse, setPrice } from './transfers.ts';

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

/** 3, how transfers end FAILED, and what does not make them. */
export const SECTION_3_FAILURES: readonly Row[] = FAILED;
