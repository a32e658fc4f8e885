import { OPERATIONS, type OperationName } from '../../../src/contract/operations.ts';
import { addPayee, GBP_ACCOUNT, settled, type TestService, WALLET } from '../harness.ts';
import { addOwn, BANK_RAILS, FULL_RECIPIENT } from '../specification/accounts.ts';
import { eth, eur, gbp, HELD, of, usd, usdc } from '../specification/amounts.ts';
import { freshPayout, freshSwap, payTo } from '../specification/transfers.ts';
import type { Dictionary } from './near-valid.ts';

/** What is there to be named, so that requests reach further than to "not found". */
export type KnownWorld = {
  dictionary: Dictionary;
  /** Bodies that are answered with 200. Swaps are, while the prices stand. */
  valid: Readonly<Record<OperationName, readonly object[]>>;
};

/** Fills a service with one of everything. */
export async function prepareWorld(service: TestService): Promise<KnownWorld> {
  const { recipientId, accountId } = await addPayee(service);
  const send = (body: object): Promise<string> => service.data('transaction.transfer', body);
  const wallet = await service.data('account.external.web3.add', { ...WALLET, recipient_id: recipientId });
  const euros = await addOwn(service, 'EUR_SEPA');
  const completed = await send(payTo(accountId, gbp(100_00), undefined, { reference: 'INV 7' }));
  await service.admin('transaction.settle', { id: completed });
  await settled(service, completed);
  const pending = await send(payTo(wallet.id, usdc(5_000_000)));
  const transfers = [
    payTo(accountId, gbp(100), undefined, { metadata: { description: 'June' }, reference: 'INV 8' }),
    payTo(wallet.id, usdc(2_000_000)),
    await freshSwap(service, gbp(100_00), eur(0)),
    await freshSwap(service, eth(10n ** 18n), usdc(0), { reference: 'hedge' }),
    await freshPayout(service, euros, usd(100_00), eur(0), { metadata: { description: 'rent' } }),
  ];
  const proof = { url: 'https://files.example/invoice.pdf', name: 'invoice.pdf' };
  const swapped = await freshPayout(service, euros, usd(100_00), eur(0));
  const page = await service.data('transaction.getMany', { limit: 1 });
  await addPayee(service, 'Grace');
  const recipients = await service.data('account.recipient.getMany', { limit: 1 });
  const valid: KnownWorld['valid'] = {
    'quote.get': [
      { currency_out: gbp(100_00), currency_in: eur(0) },
      { currency_out: eth(0), currency_in: usd(100_00), destination: 'USD_WIRE' },
      { currency_out: usd(100_00), currency_in: gbp(0), external_account_id: accountId },
    ],
    'transaction.transfer': transfers,
    'transaction.submitWithdraw': [
      {
        external_account_id: accountId,
        currency_out: gbp(100),
        reference: 'INV 9',
        metadata: { description: 'July', proof_of_purpose: proof },
      },
      { external_account_id: wallet.id, currency_out: usdc(2_000_000), fees: null, currency_in: null },
      { external_account_id: euros, currency_out: swapped.currency_out, currency_in: swapped.currency_in },
    ],
    'transaction.get': [{ id: completed }, { id: pending }],
    'transaction.getMany': [
      {},
      { search: 'June', type: 'withdraw', limit: 3, recipient_id: recipientId },
      { limit: 1, cursor: page.next_cursor },
    ],
    'account.recipient.create': [{ metadata: { name: 'Zoë' } }, { metadata: FULL_RECIPIENT }],
    'account.recipient.get': [{ id: recipientId }],
    'account.recipient.getMany': [{}, { limit: 2, cursor: recipients.next_cursor }],
    'account.customer.get': [{ id: service.service.customerId }],
    'account.external.bank.add': [
      { ...GBP_ACCOUNT, recipient_id: recipientId },
      ...BANK_RAILS.map(({ fields }) => fields),
      { ...GBP_ACCOUNT, bank_name: 'Barclays', address: FULL_RECIPIENT.business_info.address },
    ],
    'account.external.web3.add': [
      { ...WALLET, recipient_id: recipientId },
      { ...WALLET, chain: 'polygon' },
    ],
    'account.external.bank.getAll': [{}, { recipient_id: recipientId }],
    'account.external.web3.getAll': [{}, { recipient_id: recipientId }],
    'account.balance.getMany': [{}],
  };
  const amounts = ['0', '1', '10000', '5000000', '1000000000000000000', '9'.repeat(38)];
  const currencies = HELD.flatMap((currency) => amounts.map((value) => of(currency, value)));
  const accounts = [null, { id: accountId }, { id: wallet.id }, { id: euros }];
  const dictionary = {
    currency_in: currencies,
    currency_out: currencies,
    external_accounts: accounts.map((to) => ({ from: null, to })),
    id: [recipientId, accountId, wallet.id, euros, completed, pending, service.service.customerId],
    recipient_id: [recipientId],
    external_account_id: [accountId, wallet.id, euros],
    cursor: [page.next_cursor, recipients.next_cursor, 'after_zz'],
    value: ['0', '1', '10000', '5000000', '1000000000000000000', '9'.repeat(38), '-1'],
    code: ['GBP', 'USD', 'EUR', 'USDC', 'ETH', 'JPY', 'IDR', 'toString'],
    decimals: [2, 2, 6, 18, 0],
    chain: ['ethereum', 'polygon', 'arbitrum', 'solana', '__proto__'],
    account_number: ['12345678', 'DE89370400440532013000', '032180000118359719', 'ada@example.org', '+5511987654321'],
    national_clearing_code: ['200000', '062000', '021000021', 'HDFC0001234', '004', '102100099996'],
    bic: ['CHASUS33', 'COBADEFFXXX', 'HSBCHKHH'],
    account_name: ['Ada Lovelace', 'REHEARSE_KYB', 'REHEARSE_STUCK'],
    name: ['Ada Lovelace', 'REHEARSE_RETURN'],
    address: [WALLET.address, WALLET.address.toLowerCase()],
    search: ['June', 'INV 7', completed, '%', '\u3000'],
    reference: ['INV 7', 'r'.repeat(18), 'r'.repeat(141)],
    limit: [1, 2, 500],
    type: ['direct', 'percentage'],
    country: ['GB', 'DE'],
  };
  return { dictionary, valid };
}

export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];
