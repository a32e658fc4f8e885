import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addPayee,
  GBP_ACCOUNT,
  gbpPayout,
  ledgerFindings,
  type Reply,
  settled,
  startTestService,
  type TestService,
  WALLET,
} from './harness.ts';

/*
 * One row for each statement of the interface specification, in its order, with what `decisions.md` adds where it is
 * silent. Each row is a request through HTTP and its answer.
 */

type Given = { service: TestService; customerId: string; recipientId: string; accountId: string; walletId: string };

type Row = {
  section: string;
  statement: string;
  operation: string;
  body: unknown | ((given: Given) => unknown);
  /** The status, or status, code and reason of an error. */
  is: 200 | [status: number, code: string, reason?: string];
  shows?(reply: Reply, given: Given): void | Promise<void>;
};

const usd = (value: string) => ({ value, code: 'USD', decimals: 2 });
const usdc = (value: string, chain = 'ethereum') => ({ value, code: 'USDC', decimals: 6, chain });
const swap = (currency_out: object, currency_in?: object) => ({
  currency_out,
  ...(currency_in ? { currency_in } : {}),
  external_accounts: { from: null, to: null },
});
const payout =
  (more: object = {}, pence = '100') =>
  ({ accountId }: Given) =>
    gbpPayout(accountId, pence, more);
const toWallet = (currency_out: object) => (given: Given) => ({
  currency_out,
  external_accounts: { from: null, to: { id: given.walletId } },
});
const bank = (fields: object) => ({ ...GBP_ACCOUNT, ...fields });
const INVALID: Row['is'] = [400, 'BAD_REQUEST', 'INVALID'];
const text = expect.any(String);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const ROWS: Row[] = [
  // 1. What the service does
  {
    section: '1',
    statement: 'a success is an object with the one key data',
    operation: 'account.balance.getMany',
    body: {},
    is: 200,
    shows: (reply) => expect(Object.keys(JSON.parse(reply.text))).toEqual(['data']),
  },
  {
    section: '1',
    statement: 'an error is an object with the one key error',
    operation: 'transaction.get',
    body: { id: 'nothing' },
    is: [404, 'NOT_FOUND'],
    shows: (reply) => expect(Object.keys(JSON.parse(reply.text))).toEqual(['error']),
  },
  {
    section: '1',
    statement: 'it holds balances in fiat currencies and crypto assets',
    operation: 'account.balance.getMany',
    body: {},
    is: 200,
    shows(reply) {
      const codes = reply.data.balances.map(({ available }: { available: { code: string } }) => available.code);
      for (const code of ['AUD', 'USD', 'SGD', 'HKD', 'CNY', 'MXN', 'COP', 'BRL', 'GBP', 'EUR', 'INR', 'AED', 'IDR'])
        expect(codes).toContain(code);
      for (const code of ['USDC', 'USDT', 'ETH']) expect(codes).toContain(code);
    },
  },
  {
    section: '1',
    statement: 'a payout is asynchronous: the call returns an id, the transaction reaches a final status later',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service }) {
      expect(reply.data).toMatch(/^txn_[0-9a-z]{20}$/);
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('PENDING');
      await service.admin('clock.advance', { ms: 60_000 });
      expect((await settled(service, reply.data)).status).toBe('COMPLETED');
    },
  },
  // 2.1 Currency object
  {
    section: '2.1',
    statement: 'the same asset on two chains is told apart, and chain is omitted for fiat',
    operation: 'account.balance.getMany',
    body: {},
    is: 200,
    shows(reply) {
      const available = reply.data.balances.map((balance: { available: object }) => balance.available);
      for (const chain of ['ethereum', 'polygon', 'arbitrum'])
        expect(available).toContainEqual({ value: '1000000000000000', code: 'USDC', decimals: 6, chain });
      expect(available).toContainEqual({ value: '100000000000', code: 'AUD', decimals: 2 });
    },
  },
  {
    section: '2.1',
    statement: 'value is a string of the smallest denomination, not a number',
    operation: 'transaction.transfer',
    body: ({ accountId }: Given) => ({
      ...gbpPayout(accountId, 1),
      currency_out: { value: 100, code: 'GBP', decimals: 2 },
    }),
    is: INVALID,
  },
  {
    section: '2.1',
    statement: 'value has no point',
    operation: 'transaction.transfer',
    body: payout({}, '1.5'),
    is: INVALID,
  },
  {
    section: '2.1',
    statement: 'value has no leading zero',
    operation: 'transaction.transfer',
    body: payout({}, '0100'),
    is: INVALID,
  },
  {
    section: '2.1',
    statement: 'decimals are those of the currency',
    operation: 'transaction.transfer',
    body: ({ accountId }: Given) => ({
      ...gbpPayout(accountId, 1),
      currency_out: { value: '100', code: 'GBP', decimals: 3 },
    }),
    is: INVALID,
  },
  {
    section: '2.1',
    statement: 'a fiat currency has no chain',
    operation: 'transaction.transfer',
    body: ({ accountId }: Given) => ({
      ...gbpPayout(accountId, 1),
      currency_out: { value: '100', code: 'GBP', decimals: 2, chain: 'ethereum' },
    }),
    is: INVALID,
  },
  // 2.2 and 2.4
  {
    section: '2.2, 2.4',
    statement: 'a transaction record has every field; a direct fee is charged in currency_out, on top',
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
          currency_in: { value: '12345', code: 'GBP', decimals: 2 },
          currency_out: { value: '12345', code: 'GBP', decimals: 2 },
          external_reference: text,
          external_reference_type: 'BANK_GBP_FPS',
          fees: [{ type: 'direct', value: { value: '20', code: 'GBP', decimals: 2 }, label: text, rate: 0 }],
          metadata: {
            description: 'June',
            payout_reference: expect.stringMatching(/^PO[0-9A-Z]{12}$/),
            rail: 'GBP_FPS',
            required_fields: { reference: { value: 'INV 7', label: 'Reference' } },
          },
        },
      ]);
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
      expect(record.external_reference_type).toBe('CRYPTO_ETHEREUM');
      expect(record.fees[0].value).toEqual(usdc('500000'));
    },
  },
  {
    section: '2.4',
    statement: 'a single read also has the destination as it was at payout time',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service, accountId }) {
      const { external_account_metadata } = await service.data('transaction.get', { id: reply.data });
      expect(external_account_metadata).toEqual({
        id: accountId,
        type: 'GBP_FPS',
        account_name: 'Ada Lovelace',
        account_number: '••••5678',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    },
  },
  // 2.6 and 4.5, 4.7
  {
    section: '2.6, 4.7',
    statement: 'a recipient needs only a name',
    operation: 'account.recipient.create',
    body: { metadata: { name: 'Zoë' } },
    is: 200,
    async shows(reply, { service }) {
      expect(reply.data).toEqual({
        id: expect.stringMatching(/^rcp_/),
        created_at: TIME,
        metadata: { name: 'Zoë', is_hidden: false },
        preferences: { notifications: { transactions: false } },
      });
      expect(await service.data('account.recipient.get', { id: reply.data.id })).toEqual(reply.data);
    },
  },
  {
    section: '2.6, 4.7',
    statement: 'a recipient keeps e-mail, telephone and business info',
    operation: 'account.recipient.create',
    body: { metadata: FULL_RECIPIENT() },
    is: 200,
    shows: (reply) => expect(reply.data.metadata).toEqual({ ...FULL_RECIPIENT(), is_hidden: false }),
  },
  {
    section: '4.7',
    statement: 'a recipient without a name is refused',
    operation: 'account.recipient.create',
    body: { metadata: { email: 'a@b.example' } },
    is: INVALID,
  },
  {
    section: '4.7',
    statement: 'unknown fields of a recipient are refused',
    operation: 'account.recipient.create',
    body: { metadata: { name: 'Zoë', is_hidden: true } },
    is: INVALID,
  },
  {
    section: '4.5',
    statement: 'a recipient that is not there is not found',
    operation: 'account.recipient.get',
    body: { id: 'rcp_nobody' },
    is: [404, 'NOT_FOUND'],
  },
  { section: '4.5', statement: 'id is required', operation: 'account.recipient.get', body: {}, is: INVALID },
  // 2.7, 4.6
  {
    section: '2.7, 4.6',
    statement: 'the customer reads its own record',
    operation: 'account.customer.get',
    body: ({ customerId }: Given) => ({ id: customerId }),
    is: 200,
    shows: (reply, { customerId }) =>
      expect(reply.data).toEqual({
        id: customerId,
        created_at: TIME,
        metadata: { name: text, business_info: {} },
        preferences: { notifications: { transactions: true } },
      }),
  },
  {
    section: '4.6',
    statement: 'another customer is not found',
    operation: 'account.customer.get',
    body: { id: 'cus_somebody' },
    is: [404, 'NOT_FOUND'],
  },
  // 3. States
  {
    section: '3',
    statement: 'an insufficient balance is no error of the call: the transaction reaches FAILED',
    operation: 'transaction.transfer',
    body: payout({}, '99999999999999999999'),
    is: 200,
    async shows(reply, { service }) {
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('PENDING');
      await service.admin('clock.advance', { ms: 60_000 });
      const { status, failure_reason } = await settled(service, reply.data);
      expect([status, failure_reason.code, failure_reason.message]).toEqual(['FAILED', 'INSUFFICIENT_BALANCE', text]);
    },
  },
  // 4.3 transaction.transfer
  {
    section: '4.3',
    statement: 'currency_in may be omitted: exactly what is held is sent, and amount and fee are reserved',
    operation: 'transaction.transfer',
    body: payout({}, '7000'),
    is: 200,
    async shows(_reply, { service }) {
      const { balances } = await service.data('account.balance.getMany', {});
      const gbp = balances.find((balance: { available: { code: string } }) => balance.available.code === 'GBP');
      expect(BigInt(gbp.pending.value)).toBeGreaterThanOrEqual(7_020n);
    },
  },
  {
    section: '4.3',
    statement: 'metadata allows only description',
    operation: 'transaction.transfer',
    body: payout({ metadata: { description: 'x', note: 'y' } }),
    is: INVALID,
  },
  {
    section: '4.3',
    statement: 'from and to are each null or an object with an id',
    operation: 'transaction.transfer',
    body: { currency_out: usd('1'), external_accounts: { from: null, to: 'acc_1' } },
    is: INVALID,
  },
  {
    section: '4.3',
    statement: 'a payout is made from the balance, not from an account',
    operation: 'transaction.transfer',
    body: ({ accountId }: Given) => ({
      ...gbpPayout(accountId, 1),
      external_accounts: { from: { id: accountId }, to: { id: accountId } },
    }),
    is: INVALID,
  },
  {
    section: '4.3 rule 1',
    statement: 'a swap needs both amounts',
    operation: 'transaction.transfer',
    body: swap(usd('100')),
    is: INVALID,
  },
  {
    section: '4.3 rule 1',
    statement: 'a swap’s amounts are not zero',
    operation: 'transaction.transfer',
    body: swap(usd('100'), usdc('0')),
    is: INVALID,
  },
  {
    section: '4.3 rule 3',
    statement: 'to names an account that is there',
    operation: 'transaction.transfer',
    body: gbpPayout('acc_nowhere', 100),
    is: [404, 'NOT_FOUND'],
  },
  {
    section: '4.3 rule 3',
    statement: 'the rail must be able to receive the currency',
    operation: 'transaction.transfer',
    body: ({ accountId }: Given) => ({ ...gbpPayout(accountId, 1), currency_out: usd('100') }),
    is: [400, 'BAD_REQUEST', 'RAIL_CURRENCY_MISMATCH'],
  },
  {
    section: '4.3 rule 3',
    statement: 'a wallet receives assets of its own chain only',
    operation: 'transaction.transfer',
    body: toWallet(usdc('1000000', 'polygon')),
    is: [400, 'BAD_REQUEST', 'RAIL_CURRENCY_MISMATCH'],
  },
  {
    section: '4.3 rule 3',
    statement: 'a wallet receives no fiat',
    operation: 'transaction.transfer',
    body: toWallet(usd('100')),
    is: [400, 'BAD_REQUEST', 'RAIL_CURRENCY_MISMATCH'],
  },
  // 4.4 transaction.getMany
  {
    section: '4.4',
    statement: 'it answers with transactions and totals',
    operation: 'transaction.getMany',
    body: {},
    is: 200,
    shows(reply) {
      expect(Array.isArray(reply.data.transactions)).toBe(true);
      expect(reply.data.totals).toEqual({ transfers: expect.any(Number), fiatAmount: expect.any(Number) });
    },
  },
  ...['all', 'deposit', 'buy', 'sell', 'withdraw'].map(
    (type): Row => ({
      section: '4.4',
      statement: `type may be ${type}`,
      operation: 'transaction.getMany',
      body: { type },
      is: 200,
    }),
  ),
  { section: '4.4', statement: 'no other type', operation: 'transaction.getMany', body: { type: 'swap' }, is: INVALID },
  { section: '4.4', statement: 'limit 1', operation: 'transaction.getMany', body: { limit: 1 }, is: 200 },
  { section: '4.4', statement: 'limit 500', operation: 'transaction.getMany', body: { limit: 500 }, is: 200 },
  ...[0, 501, 1.5, -1, '50'].map(
    (limit): Row => ({
      section: '4.4',
      statement: `limit ${JSON.stringify(limit)} is refused`,
      operation: 'transaction.getMany',
      body: { limit },
      is: INVALID,
    }),
  ),
  {
    section: '4.4',
    statement: 'a cursor that was made up is refused',
    operation: 'transaction.getMany',
    body: { cursor: 'next' },
    is: INVALID,
  },
  {
    section: '4.4',
    statement: 'recipient_id restricts to a recipient',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service, recipientId }) {
      const own = await service.data('transaction.getMany', { recipient_id: recipientId, limit: 1 });
      expect(own.transactions[0].id).toBe(reply.data);
      const other = await addPayee(service);
      const none = await service.data('transaction.getMany', { recipient_id: other.recipientId });
      expect(none).toEqual({ transactions: [], totals: { transfers: 0, fiatAmount: 0 }, next_cursor: null });
    },
  },
  // 4.8 account.external.bank.add
  {
    section: '4.8',
    statement: 'an account is attached to its recipient',
    operation: 'account.external.bank.add',
    body: ({ recipientId }: Given) => bank({ recipient_id: recipientId, account_number: '87654321' }),
    is: 200,
    async shows(reply, { service, recipientId }) {
      const accounts = await service.data('account.external.bank.getAll', { recipient_id: recipientId });
      expect(accounts.at(-1)).toEqual({
        id: reply.data.id,
        type: 'GBP_FPS',
        account_name: 'Ada Lovelace',
        account_number: '••••4321',
        national_clearing_code: '200000',
        bic: null,
        address: null,
        chain: null,
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        created_at: TIME,
      });
    },
  },
  {
    section: '4.8',
    statement: 'without a recipient it is the caller’s own',
    operation: 'account.external.bank.add',
    body: bank({ account_number: '11112222' }),
    is: 200,
    async shows(reply, { service }) {
      const own = await service.data('account.external.bank.getAll', {});
      expect(own.map(({ id }: { id: string }) => id)).toContain(reply.data.id);
    },
  },
  {
    section: '4.8',
    statement: 'a recipient that is not there',
    operation: 'account.external.bank.add',
    body: bank({ recipient_id: 'rcp_nobody' }),
    is: [404, 'NOT_FOUND'],
  },
  {
    section: '4.8',
    statement: 'the rail determines which routing fields are required',
    operation: 'account.external.bank.add',
    body: { type: 'GBP_FPS', account_name: 'Ada', account_number: '12345678' },
    is: INVALID,
  },
  {
    section: '4.8',
    statement: 'a field that the rail does not have is refused',
    operation: 'account.external.bank.add',
    body: bank({ bic: 'BARCGB22' }),
    is: INVALID,
  },
  {
    section: '4.8',
    statement: 'a wallet is no bank account',
    operation: 'account.external.bank.add',
    body: bank({ type: 'WEB3' }),
    is: INVALID,
  },
  {
    section: '4.8',
    statement: 'a sort code that lost its zero is refused',
    operation: 'account.external.bank.add',
    body: bank({ national_clearing_code: '10000' }),
    is: INVALID,
  },
  {
    section: '4.8',
    statement: 'an IBAN with a wrong check digit is refused',
    operation: 'account.external.bank.add',
    body: { type: 'EUR_SEPA', account_name: 'Ada', account_number: 'DE89370400440532013001' },
    is: INVALID,
  },
  ...(
    [
      ['AUD_NPP', { account_number: '12345678', national_clearing_code: '062-000' }],
      ['USD_ACH', { account_number: '123456789', national_clearing_code: '021000021', account_type: 'savings' }],
      ['USD_WIRE', { account_number: '123456789', national_clearing_code: '021000021' }],
      ['EUR_SEPA', { account_number: 'DE89 3704 0044 0532 0130 00' }],
      ['INR_IMPS', { account_number: '50100012345678', national_clearing_code: 'HDFC0001234' }],
      ['MXN_SPEI', { account_number: '032180000118359719' }],
    ] as const
  ).map(
    ([type, fields]): Row => ({
      section: '4.8',
      statement: `an account of ${type}`,
      operation: 'account.external.bank.add',
      body: { type, account_name: 'Ada', ...fields },
      is: 200,
    }),
  ),
  // 4.9
  {
    section: '4.9',
    statement: 'recipients are listed with their transfer totals',
    operation: 'transaction.transfer',
    body: payout({}, '100000'),
    is: 200,
    async shows(_reply, { service }) {
      const { recipientId, accountId } = await addPayee(service, 'Grace');
      await service.data('transaction.transfer', gbpPayout(accountId, 100_000));
      const { recipients } = await service.data('account.recipient.getMany', { limit: 1 });
      expect(recipients[0]).toMatchObject({ id: recipientId, totals: { transfers: 1, fiatAmount: 1_320 } });
    },
  },
  {
    section: '4.9',
    statement: 'wallets are added with their chain',
    operation: 'account.external.web3.add',
    body: ({ recipientId }: Given) => ({ ...WALLET, chain: 'polygon', recipient_id: recipientId }),
    is: 200,
    async shows(reply, { service, recipientId }) {
      const wallets = await service.data('account.external.web3.getAll', { recipient_id: recipientId });
      expect(wallets.at(-1)).toMatchObject({ id: reply.data.id, type: 'WEB3', chain: 'polygon', address: '••••6045' });
    },
  },
  {
    section: '4.9',
    statement: 'a wallet address whose EIP-55 case is wrong is refused',
    operation: 'account.external.web3.add',
    body: { ...WALLET, address: WALLET.address.replace('d8dA', 'd8da') },
    is: INVALID,
  },
  {
    section: '4.9',
    statement: 'the zero address is refused',
    operation: 'account.external.web3.add',
    body: { ...WALLET, address: `0x${'0'.repeat(40)}` },
    is: INVALID,
  },
  {
    section: '4.9',
    statement: 'a chain that nothing is on is refused',
    operation: 'account.external.web3.add',
    body: { ...WALLET, chain: 'solana' },
    is: INVALID,
  },
  {
    section: '4.9',
    statement: 'a transaction that is not there',
    operation: 'transaction.get',
    body: { id: 'txn_nothing' },
    is: [404, 'NOT_FOUND'],
  },
  // 7. Errors
  {
    section: '7',
    statement: 'a currency that cannot be paid',
    operation: 'transaction.transfer',
    body: ({ accountId }: Given) => ({
      ...gbpPayout(accountId, 1),
      currency_out: { value: '100', code: 'JPY', decimals: 0 },
    }),
    is: [400, 'BAD_REQUEST', 'NOT_PAYABLE'],
    shows: (reply) => expect(reply.error?.message).toBe('JPY is not a payable currency'),
  },
  {
    section: '7',
    statement: 'an asset on a chain where it is not',
    operation: 'transaction.transfer',
    body: toWallet(usdc('100', 'solana')),
    is: [400, 'BAD_REQUEST', 'NOT_PAYABLE'],
  },
  {
    section: '7',
    statement: 'a currency that cannot be received',
    operation: 'transaction.transfer',
    body: swap(usd('100'), { value: '100', code: 'JPY', decimals: 0 }),
    is: [400, 'BAD_REQUEST', 'NOT_RECEIVABLE'],
    shows: (reply) => expect(reply.error?.message).toBe('JPY is not a receivable currency'),
  },
  { section: '7', statement: 'zero', operation: 'transaction.transfer', body: payout({}, '0'), is: INVALID },
  { section: '7', statement: 'negative', operation: 'transaction.transfer', body: payout({}, '-100'), is: INVALID },
  {
    section: '7',
    statement: 'identical currency_in and currency_out, in a swap',
    operation: 'transaction.transfer',
    body: swap(usd('100'), usd('99')),
    is: [400, 'BAD_REQUEST', 'SAME_CURRENCY'],
  },
  {
    section: '7',
    statement: 'identical currency_in and currency_out, in a payout',
    operation: 'transaction.transfer',
    body: payout({ currency_in: { value: '100', code: 'GBP', decimals: 2 } }),
    is: [400, 'BAD_REQUEST', 'SAME_CURRENCY'],
  },
  {
    section: '7',
    statement: 'the same asset on two chains is not identical',
    operation: 'transaction.transfer',
    body: swap(usdc('1000000'), usdc('999500', 'polygon')),
    is: 200,
  },
  {
    section: '7',
    statement: 'crypto without chain',
    operation: 'transaction.transfer',
    body: toWallet({ value: '100', code: 'USDC', decimals: 6 }),
    is: INVALID,
  },
  {
    section: '7',
    statement: 'unknown fields',
    operation: 'transaction.transfer',
    body: payout({ idempotency_key: 'x' }),
    is: INVALID,
  },
  {
    section: '7',
    statement: 'unknown fields in a Currency',
    operation: 'transaction.transfer',
    body: ({ accountId }: Given) => ({
      ...gbpPayout(accountId, 1),
      currency_out: { value: '1', code: 'GBP', decimals: 2, unit: 'p' },
    }),
    is: INVALID,
  },
  {
    section: '7',
    statement: 'a body that is no JSON',
    operation: 'transaction.transfer',
    body: '{"currency_out":',
    is: [400, 'PARSE_ERROR'],
  },
  // 8. Limits
  {
    section: '8',
    statement: 'a reference as long as the rail carries',
    operation: 'transaction.transfer',
    body: payout({ reference: 'r'.repeat(18) }),
    is: 200,
  },
  {
    section: '8',
    statement: 'a reference that is longer is refused, never cut',
    operation: 'transaction.transfer',
    body: payout({ reference: 'r'.repeat(19) }),
    is: [400, 'BAD_REQUEST', 'REFERENCE_TOO_LONG'],
  },
];

let given: Given;

beforeAll(async () => {
  // Nothing settles by itself: a row that wants it moves the clock.
  const service = await startTestService({ settleMs: 50_000 });
  const { recipientId, accountId } = await addPayee(service);
  const wallet = await service.data('account.external.web3.add', { ...WALLET, recipient_id: recipientId });
  given = { service, customerId: service.service.customerId, recipientId, accountId, walletId: wallet.id };
});
afterEach(async () => {
  expect((await given.service.admin('verify')).data.findings).toEqual([]);
  expect(ledgerFindings(given.service.dataDir)).toEqual([]);
});
afterAll(() => given.service.close());

describe('the interface specification, statement by statement', () => {
  it.each(ROWS)('$section: $statement', async ({ operation, body, is, shows }) => {
    const { service } = given;
    const before = is === 200 ? '' : await booksOf(service);
    const request = typeof body === 'function' ? body(given) : body;
    const reply = await service.call(operation, request);
    if (is === 200) expect(reply.status, reply.text).toBe(200);
    else expect([reply.status, reply.error?.code, reply.error?.reason]).toEqual([is[0], is[1], is[2]]);
    if (is !== 200) expect(await booksOf(service)).toBe(before);
    await shows?.(reply, given);
  });
});

/** Everything that an error must leave as it was. */
async function booksOf(service: TestService): Promise<string> {
  const { postings, recipients, external_accounts, transactions } = (await service.admin('state')).data;
  return JSON.stringify({ postings, recipients, external_accounts, transactions });
}

function FULL_RECIPIENT() {
  return {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    phone_number: { country_code: '+44', number: '2071234567' },
    business_info: {
      entity_name: 'Analytical Engines Ltd',
      registration_number: '0001815',
      address: { line1: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
    },
  };
}
