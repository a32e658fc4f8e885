import { expect } from 'vitest';
import { eur, gbp, usd, usdc } from './amounts.ts';
import { INVALID, NOT_FOUND, type Row, refusedAs, TEXT } from './row.ts';
import { ended, received } from './transfers.ts';

const OPERATION = 'transaction.submitWithdraw';

/** A withdrawal to the recipient's account, with more fields or others. */
const withdraw =
  (more: object = {}): Row['body'] =>
  ({ accountId }) => ({ external_account_id: accountId, currency_out: gbp(100_00), ...more });

const refuses = (statement: string, more: object, is = INVALID): Row => ({
  section: '4.1',
  statement,
  operation: OPERATION,
  body: withdraw(more),
  is,
});

const PROOF = { url: 'https://files.example/invoice.pdf', name: 'invoice.pdf' };

const REQUEST: readonly Row[] = [
  {
    section: '4.1',
    statement: 'it needs an account and an amount, and answers with the transaction’s id',
    operation: OPERATION,
    body: withdraw(),
    is: 200,
    async shows(reply, { service, accountId }) {
      expect(reply.data).toEqual(expect.stringMatching(/^\S+$/));
      const record = await service.data('transaction.get', { id: reply.data });
      expect(record).toMatchObject({ status: 'PENDING', currency_out: gbp(100_00), currency_in: gbp(100_00) });
      expect(record.external_account_metadata.id).toBe(accountId);
      expect((await ended(service, reply.data)).status).toBe('COMPLETED');
    },
  },
  {
    section: '4.1',
    statement: 'it reaches an account of the caller’s own',
    operation: OPERATION,
    body: async ({ own }) => ({ external_account_id: await own('EUR_SEPA'), currency_out: eur(20_00) }),
    is: 200,
    shows: async (reply, { service }) => expect((await ended(service, reply.data)).status).toBe('COMPLETED'),
  },
  {
    section: '4.1',
    statement: 'it reaches a wallet',
    operation: OPERATION,
    body: ({ walletId }) => ({ external_account_id: walletId, currency_out: usdc(20_000_000) }),
    is: 200,
    shows: async (reply, { service }) =>
      expect((await service.data('transaction.get', { id: reply.data })).metadata.rail).toBe('WEB3'),
  },
  refuses('external_account_id is required', { external_account_id: undefined }),
  refuses('external_account_id is a string', { external_account_id: { id: 'acc_1' } }),
  refuses('external_account_id is no null', { external_account_id: null }),
  refuses('currency_out is required', { currency_out: undefined }),
  refuses('an account that is not there is not found', { external_account_id: 'acc_nowhere' }, NOT_FOUND),
  refuses('the reference has no line break', { reference: 'INV\n7' }),
  refuses('unknown fields are refused', { idempotency_key: 'x' }),
  refuses('external_accounts belong to transaction.transfer', { external_accounts: { from: null, to: null } }),
  refuses('zero is refused', { currency_out: gbp(0) }),
  refuses('a negative amount is refused', { currency_out: gbp(-1) }),
  refuses('metadata has no other keys', { metadata: { note: 'x' } }),
  refuses('a proof of purpose has a url', { metadata: { proof_of_purpose: { name: 'x' } } }),
  refuses('a proof of purpose has a name', { metadata: { proof_of_purpose: { url: PROOF.url } } }),
  refuses('a proof of purpose has nothing else', { metadata: { proof_of_purpose: { ...PROOF, size: 1 } } }),
  refuses('the rail must receive what is sent', { currency_out: usd(100_00) }, refusedAs('RAIL_CURRENCY_MISMATCH')),
  refuses('identical currencies are refused', { currency_in: gbp(100_00) }, refusedAs('SAME_CURRENCY')),
  refuses(
    'a reference too long for the rail is refused',
    { reference: 'r'.repeat(19) },
    refusedAs('REFERENCE_TOO_LONG'),
  ),
];

const OPTIONAL: readonly Row[] = [
  {
    section: '4.1',
    statement: 'currency_in and fees may be null',
    operation: OPERATION,
    body: withdraw({ currency_in: null, fees: null }),
    is: 200,
  },
  {
    section: '4.1',
    statement: 'reference, description and proof of purpose are kept and shown',
    operation: OPERATION,
    body: withdraw({ reference: 'INV 9', metadata: { description: 'June', proof_of_purpose: PROOF } }),
    is: 200,
    async shows(reply, { service }) {
      const { metadata } = await service.data('transaction.get', { id: reply.data });
      expect(metadata).toEqual({
        description: 'June',
        payout_reference: TEXT,
        rail: 'GBP_FPS',
        proof_of_purpose: PROOF,
        required_fields: { reference: { value: 'INV 9', label: TEXT } },
      });
      const { transactions } = await service.data('transaction.getMany', { search: reply.data });
      expect(transactions[0].metadata).toEqual(metadata);
    },
  },
  {
    section: '4.1',
    statement: 'currency_in converts first, at the rate that was quoted',
    operation: OPERATION,
    body: async ({ service, own, kept }) => {
      kept.arrives = await received(service, gbp(100_00), eur(0));
      return {
        external_account_id: await own('EUR_SEPA'),
        currency_out: gbp(100_00),
        currency_in: eur(kept.arrives),
      };
    },
    is: 200,
    async shows(reply, { service, kept }) {
      const record = await ended(service, reply.data);
      expect([record.status, record.currency_in]).toEqual(['COMPLETED', eur(kept.arrives)]);
    },
  },
  {
    section: '4.1',
    statement: 'currency_in is checked against the market',
    operation: OPERATION,
    body: async ({ service, own }) => ({
      external_account_id: await own('EUR_SEPA'),
      currency_out: gbp(100_00),
      currency_in: eur(2n * (await received(service, gbp(100_00), eur(0)))),
    }),
    is: refusedAs('RATE_DRIFT'),
  },
  {
    section: '4.1',
    statement: 'the rail must be able to receive currency_in',
    operation: OPERATION,
    body: withdraw({ currency_in: eur(110_00) }),
    is: refusedAs('RAIL_CURRENCY_MISMATCH'),
  },
  {
    section: '4.1',
    statement: 'fees that are those which would be charged are accepted',
    operation: OPERATION,
    body: async ({ service, accountId }) => {
      const request = { currency_out: gbp(100_00), currency_in: gbp(0), external_account_id: accountId };
      const { fees } = await service.data('quote.get', request);
      return { external_account_id: accountId, currency_out: gbp(100_00), fees };
    },
    is: 200,
  },
  refuses('fees that are others are refused', {
    fees: [{ type: 'direct', value: gbp(1), label: 'cheap', rate: 0 }],
  }),
  refuses('no fees where there would be some are refused', { fees: [] }),
  refuses('fees have no unknown fields', { fees: [{ type: 'direct', value: gbp(20), label: 'x', rate: 0, tax: 1 }] }),
];

/** 4.1 `transaction.submitWithdraw`. */
export const SECTION_4_WITHDRAW: readonly Row[] = [...REQUEST, ...OPTIONAL];
