import { expect } from 'vitest';
import { WALLET } from '../harness.ts';
import { BANK_RAILS, FULL_RECIPIENT, sortCodeAccount } from './accounts.ts';
import { HASH, INVALID, NOT_FOUND, type Row, TIME } from './row.ts';

const row =
  (section: string, operation: string) =>
  (statement: string, body: Row['body'], is: Row['is'], shows?: Row['shows']): Row => ({
    section,
    statement,
    operation,
    body,
    is,
    ...(shows ? { shows } : {}),
  });

const getRecipient = row('4.5', 'account.recipient.get');
const getCustomer = row('4.6', 'account.customer.get');
const create = row('4.7', 'account.recipient.create');
const add = row('4.8', 'account.external.bank.add');

const READS: readonly Row[] = [
  getRecipient(
    'id names the recipient',
    ({ recipientId }) => ({ id: recipientId }),
    200,
    ({ data }, { recipientId }) => expect([data.id, data.metadata.name]).toEqual([recipientId, 'Ada Lovelace']),
  ),
  getRecipient('id is required', {}, INVALID),
  getRecipient('id is a string', { id: 1 }, INVALID),
  getRecipient('unknown fields are refused', ({ recipientId }) => ({ id: recipientId, name: 'x' }), INVALID),
  getRecipient('a recipient that is not there is not found', { id: 'rcp_nobody' }, NOT_FOUND),
  getRecipient('a customer is no recipient', ({ customerId }) => ({ id: customerId }), NOT_FOUND),
  getCustomer(
    'the customer reads its own record',
    ({ customerId }) => ({ id: customerId }),
    200,
    ({ data }, given) => expect(data.id).toBe(given.customerId),
  ),
  getCustomer('id is required', {}, INVALID),
  getCustomer('unknown fields are refused', ({ customerId }) => ({ id: customerId, name: 'x' }), INVALID),
  getCustomer('another customer is not found', { id: 'cus_somebody' }, NOT_FOUND),
  getCustomer('a recipient is no customer', ({ recipientId }) => ({ id: recipientId }), NOT_FOUND),
];

const CREATE: readonly Row[] = [
  create(
    'only the name is required, and the answer carries the id',
    { metadata: { name: 'Zoë' } },
    200,
    async ({ data }, { service }) => {
      expect(data.id).toEqual(expect.stringMatching(/^\S+$/));
      expect(await service.data('account.recipient.get', { id: data.id })).toEqual(data);
      expect(data).toEqual({
        id: data.id,
        created_at: TIME,
        metadata: { name: 'Zoë', is_hidden: false },
        preferences: { notifications: { transactions: expect.any(Boolean) } },
      });
    },
  ),
  create('e-mail, telephone and business info are kept', { metadata: FULL_RECIPIENT }, 200, ({ data }) =>
    expect(data.metadata).toEqual({ ...FULL_RECIPIENT, is_hidden: false }),
  ),
  create('the name is required', { metadata: { email: 'a@b.example' } }, INVALID),
  create('the name is not empty', { metadata: { name: '' } }, INVALID),
  create('the name is not blank', { metadata: { name: ' \t' } }, INVALID),
  create('an e-mail address is one', { metadata: { name: 'Ada', email: 'not-an-email' } }, INVALID),
  create('the name is a string', { metadata: { name: ['Ada'] } }, INVALID),
  create('metadata is required', {}, INVALID),
  create('unknown fields are refused', { metadata: { name: 'Ada' }, id: 'rcp_1' }, INVALID),
  ...Object.entries({
    'is_hidden is not set by the caller': { is_hidden: true },
    'a second e-mail is not set on creation': { secondary_email: 'b@b.example' },
    'a telephone number has both parts': { phone_number: { number: '1' } },
    'a telephone number has no others': { phone_number: { country_code: '+1', number: '1', type: 'home' } },
    'business info has no unknown fields': { business_info: { vat: '1' } },
    'an address has no unknown fields': { business_info: { address: { street: 'x' } } },
    'a country is a two-letter code': { business_info: { address: { country: 'GBR' } } },
    'a country is one that there is': { business_info: { address: { country: 'ZZ' } } },
    'a line of an address is a string': { business_info: { address: { line1: 1 } } },
  }).map(([statement, fields]) => create(statement, { metadata: { name: 'Ada', ...fields } }, INVALID)),
];

const ADD: readonly Row[] = [
  add(
    'with recipient_id the account is attached to that recipient, and the answer carries its id',
    ({ recipientId }) => sortCodeAccount({ recipient_id: recipientId, account_number: '87654321' }),
    200,
    async ({ data }, { service, recipientId }) => {
      expect(data).toEqual({ id: expect.stringMatching(/^\S+$/) });
      const accounts = await service.data('account.external.bank.getAll', { recipient_id: recipientId });
      expect(accounts.map(({ id }: { id: string }) => id)).toContain(data.id);
      const own = await service.data('account.external.bank.getAll', {});
      expect(own.map(({ id }: { id: string }) => id)).not.toContain(data.id);
    },
  ),
  add(
    'without recipient_id the account is the caller’s own',
    sortCodeAccount({ account_number: '11112222' }),
    200,
    async ({ data }, { service, recipientId }) => {
      const own = await service.data('account.external.bank.getAll', {});
      expect(own.map(({ id }: { id: string }) => id)).toContain(data.id);
      const theirs = await service.data('account.external.bank.getAll', { recipient_id: recipientId });
      expect(theirs.map(({ id }: { id: string }) => id)).not.toContain(data.id);
    },
  ),
  add('a recipient that is not there is not found', sortCodeAccount({ recipient_id: 'rcp_nobody' }), NOT_FOUND),
  add(
    'the id is used as external_accounts.to',
    sortCodeAccount({ account_number: '33334444' }),
    200,
    async ({ data }, { service }) => {
      const to = {
        currency_out: { value: '100', code: 'GBP', decimals: 2 },
        external_accounts: { from: null, to: data },
      };
      const id = await service.data('transaction.transfer', to);
      expect((await service.data('transaction.get', { id })).external_account_metadata.id).toBe(data.id);
    },
  ),
  ...['type', 'account_name', 'account_number', 'national_clearing_code'].map((name) =>
    add(`${name} is required by GBP_FPS`, sortCodeAccount({ [name]: undefined }), INVALID),
  ),
  add('type is a rail', sortCodeAccount({ type: 'UK' }), INVALID),
  add('a wallet is no bank account', sortCodeAccount({ type: 'WEB3' }), INVALID),
  add('unknown fields are refused', sortCodeAccount({ iban: 'x' }), INVALID),
  add('a field that the rail does not have is refused', sortCodeAccount({ bic: 'BARCGB22' }), INVALID),
  add('an account number is a string', sortCodeAccount({ account_number: 12345678 }), INVALID),
];

/** What is wrong with an account of each rail (`rails.md`). */
const WRONG: readonly (readonly [statement: string, rail: string, fields: object])[] = [
  ['a BSB has six digits', 'AUD_NPP', { national_clearing_code: '62000' }],
  ['an Australian account has at most nine digits', 'AUD_NPP', { account_number: '1234567890' }],
  ['an ABA number has its checksum', 'USD_ACH', { national_clearing_code: '021000022' }],
  ['an account type is checking or savings', 'USD_ACH', { account_type: 'current' }],
  ['a wire needs an ABA number', 'USD_WIRE', { national_clearing_code: undefined }],
  ['SWIFT needs a BIC', 'USD_SWIFT', { bic: undefined }],
  ['a BIC has 8 or 11 characters', 'SGD_SWIFT', { bic: 'DBSSSGS' }],
  ['an IBAN in SWIFT is checked as one', 'HKD_SWIFT', { account_number: 'DE89370400440532013001' }],
  ['a bank code of Hong Kong has three digits', 'HKD_FPS', { national_clearing_code: '04' }],
  ['CHATS needs the bank code', 'HKD_CHATS', { national_clearing_code: undefined }],
  ['a CNAPS code has twelve digits', 'CNY_SWIFT', { national_clearing_code: '1021000999' }],
  ['a CLABE has its check digit', 'MXN_SPEI', { account_number: '032180000118359718' }],
  ['a CLABE also by SWIFT', 'MXN_SWIFT', { account_number: '032180000118359718' }],
  ['a Colombian account has digits', 'COP_SWIFT', { account_number: '12-A' }],
  ['a CPF has its check digits', 'BRL_PIX', { account_number: '529.982.247-24' }],
  ['a PIX key that is both a CPF and a telephone needs +55', 'BRL_PIX', { account_number: '11987650034' }],
  ['a Brazilian account by SWIFT is an IBAN', 'BRL_SWIFT', { account_number: '12345678' }],
  ['a sort code that lost its zero', 'GBP_FPS', { national_clearing_code: '10000' }],
  ['a British account has eight digits', 'GBP_FPS', { account_number: '1234567' }],
  ['an IBAN has its check digits', 'EUR_SEPA', { account_number: 'DE89370400440532013001' }],
  ['SEPA reaches its own countries only', 'EUR_SEPA', { account_number: 'AE070331234567890123456' }],
  ['SWIFT in euros needs a BIC', 'EUR_SWIFT', { bic: undefined }],
  ['an IFSC has a zero in the fifth place', 'INR_IMPS', { national_clearing_code: 'HDFC1001234' }],
  ['a rupee account by SWIFT needs a BIC', 'INR_SWIFT', { bic: undefined }],
  ['an Emirati account is an IBAN', 'AED_SWIFT', { account_number: '1234567890' }],
  ['an Indonesian account has at most 16 digits', 'IDR_SWIFT', { account_number: '12345678901234567' }],
];

const RAILS: readonly Row[] = [
  ...BANK_RAILS.map(({ rail, fields }) =>
    add(`${rail} has its fields`, fields, 200, async ({ data }, { service }) => {
      const own = await service.data('account.external.bank.getAll', {});
      expect(own.find(({ id }: { id: string }) => id === data.id)).toMatchObject({ type: rail, fingerprint: HASH });
    }),
  ),
  add('a savings account of USD_ACH', { ...fieldsOf('USD_ACH'), account_type: 'savings' }, 200),
  add('CNY_SWIFT with a CNAPS code', { ...fieldsOf('CNY_SWIFT'), national_clearing_code: '102100099996' }, 200),
  add('EUR_SEPA with a BIC', { ...fieldsOf('EUR_SEPA'), bic: 'COBADEFFXXX' }, 200),
  add(
    'an account with bank name and address',
    {
      ...fieldsOf('USD_SWIFT'),
      bank_name: 'JPMorgan Chase',
      address: FULL_RECIPIENT.business_info.address,
    },
    200,
  ),
  ...WRONG.map(([statement, rail, fields]) => add(`${rail}: ${statement}`, { ...fieldsOf(rail), ...fields }, INVALID)),
];

function fieldsOf(rail: string): object {
  return BANK_RAILS.find((bank) => bank.rail === rail)?.fields ?? WALLET;
}

/** 4.5 to 4.8: reading recipients and the customer, making recipients and bank accounts. */
export const SECTION_4_ACCOUNTS: readonly Row[] = [...READS, ...CREATE, ...ADD, ...RAILS];
