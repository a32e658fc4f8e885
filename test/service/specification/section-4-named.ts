import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { addPayee, WALLET } from '../harness.ts';
import { FULL_RECIPIENT, sortCodeAccount } from './accounts.ts';
import { gbp, HELD, usd } from './amounts.ts';
import { INVALID, NOT_FOUND, type Row, TIME } from './row.ts';
import { ended, payout, payTo } from './transfers.ts';

const row =
  (operation: string) =>
  (statement: string, body: Row['body'], is: Row['is'], shows?: Row['shows']): Row => ({
    section: '4.9',
    statement: `${operation}: ${statement}`,
    operation,
    body,
    is,
    ...(shows ? { shows } : {}),
  });

const get = row('transaction.get');
const recipients = row('account.recipient.getMany');
const banks = row('account.external.bank.getAll');
const wallets = row('account.external.web3.getAll');
const addWallet = row('account.external.web3.add');
const balances = row('account.balance.getMany');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
type Identified = { id: string };

const TRANSACTION: readonly Row[] = [
  get(
    'one by its id',
    async (given) => {
      given.kept.id = await given.service.data('transaction.transfer', payout()(given));
      return { id: given.kept.id };
    },
    200,
    ({ data }, { kept, accountId }) => {
      expect(Object.keys(data).sort()).toEqual([
        'created_at',
        'currency_in',
        'currency_out',
        'external_account_metadata',
        'external_reference',
        'external_reference_type',
        'failure_reason',
        'fees',
        'id',
        'metadata',
        'status',
      ]);
      expect([data.id, data.external_account_metadata.id]).toEqual([kept.id, accountId]);
    },
  ),
  get('id is required', {}, INVALID),
  get('unknown fields are refused', { id: 'txn_1', expand: true }, INVALID),
  get('one that is not there', { id: 'txn_nothing' }, NOT_FOUND),
  get('an account is no transaction', ({ accountId }) => ({ id: accountId }), NOT_FOUND),
];

const RECIPIENTS: readonly Row[] = [
  recipients(
    'every recipient, newest first, each a record with its transfer totals',
    async ({ service, kept }) => {
      kept.older = (await addPayee(service, 'Grace')).recipientId;
      const { recipientId, accountId } = await addPayee(service, 'Barbara');
      kept.newer = recipientId;
      for (const amount of [100_00, 50_00]) await service.data('transaction.transfer', payTo(accountId, gbp(amount)));
      return { limit: 2 };
    },
    200,
    async ({ data }, { service, kept }) => {
      expect(Object.keys(data).sort()).toEqual(['next_cursor', 'recipients']);
      expect(data.recipients.map(({ id }: Identified) => id)).toEqual([kept.newer, kept.older]);
      const { totals, ...record } = data.recipients[0];
      expect(record).toEqual(await service.data('account.recipient.get', { id: kept.newer }));
      const listed = await service.data('transaction.getMany', { recipient_id: kept.newer });
      expect([totals, totals.transfers]).toEqual([listed.totals, 2]);
      expect(data.recipients[1].totals).toEqual({ transfers: 0, fiatAmount: 0 });
    },
  ),
  recipients(
    'a transfer that FAILED is not in the totals',
    async ({ service, kept }) => {
      const { recipientId, accountId } = await addPayee(service, 'REHEARSE_KYB');
      kept.id = await service.data('transaction.transfer', payTo(accountId, gbp(100_00)));
      await ended(service, kept.id);
      kept.recipientId = recipientId;
      return { limit: 1 };
    },
    200,
    ({ data }, { kept }) =>
      expect(data.recipients).toMatchObject([{ id: kept.recipientId, totals: { transfers: 0, fiatAmount: 0 } }]),
  ),
  recipients('a cursor leads to the next page', { limit: 1 }, 200, async ({ data }, { service }) => {
    const next = await service.data('account.recipient.getMany', { limit: 1, cursor: data.next_cursor });
    const both = await service.data('account.recipient.getMany', { limit: 2 });
    expect([...data.recipients, ...next.recipients]).toEqual(both.recipients);
  }),
  ...[0, 501, 1.5, '1'].map((limit) => recipients(`no limit ${JSON.stringify(limit)}`, { limit }, INVALID)),
  recipients('a cursor that was made up is refused', { cursor: 'next' }, INVALID),
  recipients('unknown fields are refused', { search: 'Ada' }, INVALID),
];

const ACCOUNTS: readonly Row[] = [
  banks(
    'a record has every field, its number masked to the last four',
    async ({ service, kept }) => {
      const { recipientId } = await addPayee(service);
      kept.recipientId = recipientId;
      return { recipient_id: recipientId };
    },
    200,
    ({ data }) =>
      expect(data).toEqual([
        {
          id: expect.stringMatching(/^\S+$/),
          type: 'GBP_FPS',
          account_name: 'Ada Lovelace',
          account_number: expect.stringMatching(/^[^0-9]+5678$/),
          national_clearing_code: '200000',
          bic: null,
          address: null,
          chain: null,
          fingerprint: sha256('GBP_FPS|200000|12345678|'),
          created_at: TIME,
        },
      ]),
  ),
  banks('the number leaves the service nowhere', {}, 200, async ({ text }, { service, recipientId }) => {
    await service.data(
      'account.external.bank.add',
      sortCodeAccount({ recipient_id: recipientId, account_number: '90817263' }),
    );
    const theirs = await service.call('account.external.bank.getAll', { recipient_id: recipientId });
    expect(theirs.text).toContain('7263');
    expect(theirs.text + text).not.toContain('90817263');
  }),
  banks(
    'a fingerprint is of upper case without blanks and hyphens',
    async ({ service, kept }) => {
      const written = {
        type: 'EUR_SEPA',
        account_name: 'Ada',
        account_number: 'de89 3704-0044 0532 0130 00',
        bic: 'cobadeff',
      };
      kept.id = (await service.data('account.external.bank.add', written)).id;
      return {};
    },
    200,
    ({ data }, { kept }) =>
      expect(data.find(({ id }: Identified) => id === kept.id)).toMatchObject({
        fingerprint: sha256('EUR_SEPA||DE89370400440532013000|COBADEFF'),
        bic: 'COBADEFF',
      }),
  ),
  banks(
    'wallets are not among them',
    ({ recipientId }) => ({ recipient_id: recipientId }),
    200,
    ({ data }, { walletId }) => expect(data.map(({ id }: Identified) => id)).not.toContain(walletId),
  ),
  banks('a recipient that is not there is not found', { recipient_id: 'rcp_nobody' }, NOT_FOUND),
  banks('unknown fields are refused', { type: 'GBP_FPS' }, INVALID),
  wallets(
    'a record has every field',
    async ({ service, kept }) => {
      kept.recipient = await service.data('account.recipient.create', { metadata: FULL_RECIPIENT });
      const { id } = await service.data('account.external.web3.add', { ...WALLET, recipient_id: kept.recipient.id });
      kept.id = id;
      return { recipient_id: kept.recipient.id };
    },
    200,
    ({ data }, { kept }) =>
      expect(data).toEqual([
        {
          id: kept.id,
          type: 'WEB3',
          account_name: WALLET.account_name,
          account_number: expect.stringMatching(/6045$/),
          national_clearing_code: null,
          bic: null,
          address: WALLET.address,
          chain: 'ethereum',
          fingerprint: sha256(`WEB3|ETHEREUM|${WALLET.address.toUpperCase()}`),
          created_at: TIME,
        },
      ]),
  ),
  wallets(
    'bank accounts are not among them',
    ({ recipientId }) => ({ recipient_id: recipientId }),
    200,
    ({ data }, { accountId, walletId }) => {
      const ids = data.map(({ id }: Identified) => id);
      expect(ids).toContain(walletId);
      expect(ids).not.toContain(accountId);
    },
  ),
  wallets(
    'without a recipient those of the caller',
    async ({ own, kept }) => {
      kept.id = await own('WEB3');
      return {};
    },
    200,
    ({ data }, { kept, walletId }) => {
      const ids = data.map(({ id }: Identified) => id);
      expect([ids.includes(kept.id), ids.includes(walletId)]).toEqual([true, false]);
    },
  ),
  wallets('a recipient that is not there is not found', { recipient_id: 'rcp_nobody' }, NOT_FOUND),
];

const WALLETS: readonly Row[] = [
  ...['ethereum', 'polygon', 'arbitrum'].map((chain) =>
    addWallet(`a wallet on ${chain}`, { ...WALLET, chain }, 200, ({ data }) =>
      expect(data).toEqual({ id: expect.stringMatching(/^\S+$/) }),
    ),
  ),
  ...['account_name', 'address', 'chain'].map((name) =>
    addWallet(`${name} is required`, { ...WALLET, [name]: undefined }, INVALID),
  ),
  addWallet('unknown fields are refused', { ...WALLET, memo: '1' }, INVALID),
  addWallet('a chain that nothing is on is refused', { ...WALLET, chain: 'solana' }, INVALID),
  addWallet('an address has 20 bytes', { ...WALLET, address: WALLET.address.slice(0, -2) }, INVALID),
  addWallet('mixed case must satisfy EIP-55', { ...WALLET, address: WALLET.address.replace('d8dA', 'd8da') }, INVALID),
  addWallet('one case only is taken', { ...WALLET, address: WALLET.address.toLowerCase() }, 200),
  addWallet('the zero address is refused', { ...WALLET, address: `0x${'0'.repeat(40)}` }, INVALID),
  addWallet('a recipient that is not there is not found', { ...WALLET, recipient_id: 'rcp_nobody' }, NOT_FOUND),
];

const BALANCES: readonly Row[] = [
  {
    ...balances('every currency once, available and pending, in whole minor units', {}, 200, ({ data }) => {
      expect(Object.keys(data)).toEqual(['balances']);
      expect(data.balances).toHaveLength(HELD.length);
      for (const { value: _, ...currency } of HELD) {
        const whole = { ...currency, value: expect.stringMatching(/^\d+$/) };
        expect(data.balances).toContainEqual({ available: whole, pending: { ...whole, value: '0' } });
      }
    }),
    alone: {},
  },
  {
    ...balances(
      'pending is what is on its way, available what can be spent',
      async ({ service, accountId }) => {
        await service.admin('balance.set', { code: 'GBP', value: '100000' });
        await service.data('transaction.transfer', payTo(accountId, gbp(40_000)));
        return {};
      },
      200,
      async ({ data }, { service }) => {
        const quoted = { currency_out: gbp(40_000), currency_in: gbp(0), destination: 'GBP_FPS' };
        const fee = Number((await service.data('quote.get', quoted)).fees[0].value.value);
        expect(data.balances).toContainEqual({ available: gbp(60_000 - fee), pending: gbp(40_000 + fee) });
        const untouched = data.balances.find(
          ({ available }: { available: { code: string } }) => available.code === 'USD',
        );
        expect(untouched.pending).toEqual(usd(0));
      },
    ),
    alone: {},
  },
  balances('unknown fields are refused', { code: 'GBP' }, INVALID),
];

/** 4.9: the operations that are named without their shapes; those are of `decisions.md`. */
export const SECTION_4_NAMED: readonly Row[] = [
  ...TRANSACTION,
  ...RECIPIENTS,
  ...ACCOUNTS,
  ...WALLETS,
  ...BALANCES,
  ...['account.recipient.update', 'account.recipient.delete'].map((operation) =>
    row(operation)(
      'is no operation: it is done on the dashboard',
      ({ recipientId }) => ({ id: recipientId }),
      NOT_FOUND,
    ),
  ),
];
