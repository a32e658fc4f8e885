import { z } from 'zod';
import type { OperationName } from '../../contract/operations.ts';
import { BANK_RAILS, businessInfoRequest, phoneNumberRequest } from '../../contract/shapes.ts';
import { RAIL_NAMES } from '../../domain/rails/rail.ts';
import { ASSETS } from '../accounts/assets.ts';
import { FAILURES } from '../transfers/transfer.ts';

// What this service sends, exactly: every field that there is, and no other. The contract's response shapes are what a
// client relies on at any service, so they let pass what these do not.

/** As `time-text.ts` writes it. */
const time = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

/** As `identifiers.ts` makes them. */
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{20}$`));

/** Four dots and the last four, or the dots alone. */
const masked = z.string().regex(/^(?:••••.{0,4})?$/u);

const named = <Name extends string>(names: Iterable<Name>) => z.enum([...new Set(names)] as [Name, ...Name[]]);

const codes = named(ASSETS.map(({ currency }) => currency.code));
const chains = named(ASSETS.flatMap(({ currency }) => currency.chain ?? []));
const rails = z.enum(RAIL_NAMES);

export const sentCurrency = z.strictObject({
  value: z.string().regex(/^(?:0|[1-9]\d{0,37})$/),
  code: codes,
  decimals: z.int().min(0).max(18),
  chain: chains.optional(),
});

export const sentFee = z.strictObject({
  type: z.enum(['percentage', 'direct']),
  value: sentCurrency,
  label: z.string(),
  rate: z.number().min(0).max(1),
});

export const sentTotals = z.strictObject({ transfers: z.int().min(0), fiatAmount: z.number().min(0) });

const transactionFields = {
  id: id('txn'),
  created_at: time,
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
  currency_in: sentCurrency,
  currency_out: sentCurrency,
  external_reference: z.string(),
  external_reference_type: named([
    'INTERNAL',
    'RETURN',
    ...ASSETS.flatMap(({ currency }) => (currency.chain === null ? [] : `CRYPTO_${currency.chain.toUpperCase()}`)),
    ...BANK_RAILS.map((rail) => `BANK_${rail}`),
  ]),
  fees: z.array(sentFee).max(2),
  metadata: z.strictObject({
    description: z.string().optional(),
    payout_reference: z.string(),
    price_pair: z
      .strictObject({ marketRate: z.number(), direction: z.enum(['bid', 'ask']), tickSize: z.number() })
      .optional(),
    rail: z.enum([...RAIL_NAMES, 'balance']),
    proof_of_purpose: z.strictObject({ url: z.string(), name: z.string() }).optional(),
    required_fields: z.record(z.string(), z.strictObject({ value: z.string(), label: z.string() })),
  }),
};

export const sentTransaction = z.strictObject(transactionFields);

/** What `transaction.get` and webhooks show. */
export const sentTransactionDetail = z.strictObject({
  ...transactionFields,
  external_account_metadata: z
    .strictObject({
      id: id('acc'),
      type: rails,
      account_name: z.string(),
      account_number: masked,
      fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .nullable(),
  failure_reason: z.strictObject({ code: named(Object.keys(FAILURES)), message: z.string() }).nullable(),
});

const recipientFields = {
  id: id('rcp'),
  created_at: time,
  metadata: z.strictObject({
    name: z.string(),
    email: z.string().optional(),
    phone_number: phoneNumberRequest.optional(),
    business_info: businessInfoRequest.optional(),
    is_hidden: z.boolean(),
  }),
  preferences: z.strictObject({ notifications: z.strictObject({ transactions: z.boolean() }) }),
};

export const sentRecipient = z.strictObject(recipientFields);
export const sentRecipientWithTotals = z.strictObject({ ...recipientFields, totals: sentTotals });

export const sentCustomer = z.strictObject({
  id: id('cus'),
  created_at: time,
  metadata: z.strictObject({ name: z.string(), business_info: businessInfoRequest }),
  preferences: recipientFields.preferences,
});

export const sentExternalAccount = z.strictObject({
  id: id('acc'),
  type: rails,
  account_name: z.string(),
  account_number: masked,
  national_clearing_code: z.string().nullable(),
  bic: z.string().nullable(),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .nullable(),
  chain: chains.nullable(),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: time,
});

/** In a 401 with the reason REPLAYED. */
export const sentFirstCopy = z
  .strictObject({ status: z.int().min(200).max(599), transaction_id: id('txn').optional() })
  .describe(
    'What became of the first copy of these bytes: the HTTP status of its answer, and the transaction that it made.',
  );

const cursor = z.string().nullable();

/** `data` of each operation's success. */
export const SENT = {
  'quote.get': z.strictObject({
    bid: sentCurrency,
    ask: sentCurrency,
    direction: z.enum(['bid', 'ask']),
    fees: z.array(sentFee).max(2),
    stablecoin: sentCurrency.nullable(),
  }),
  'transaction.transfer': id('txn'),
  'transaction.submitWithdraw': id('txn'),
  'transaction.get': sentTransactionDetail,
  'transaction.getMany': z.strictObject({
    transactions: z.array(sentTransaction).max(500),
    totals: sentTotals,
    next_cursor: cursor,
  }),
  'account.recipient.create': sentRecipient,
  'account.recipient.get': sentRecipient,
  'account.recipient.getMany': z.strictObject({
    recipients: z.array(sentRecipientWithTotals).max(500),
    next_cursor: cursor,
  }),
  'account.customer.get': sentCustomer,
  'account.external.bank.add': z.strictObject({ id: id('acc') }),
  'account.external.web3.add': z.strictObject({ id: id('acc') }),
  'account.external.bank.getAll': z.array(sentExternalAccount),
  'account.external.web3.getAll': z.array(sentExternalAccount),
  'account.balance.getMany': z.strictObject({
    balances: z.array(z.strictObject({ available: sentCurrency, pending: sentCurrency })),
  }),
} satisfies Record<OperationName, z.ZodType>;

/** The body of a webhook, by its type. */
export const SENT_EVENTS = {
  'transaction.created': eventOf('transaction.created'),
  'transaction.updated': eventOf('transaction.updated'),
};

function eventOf(type: string) {
  return z.strictObject({ type: z.literal(type), timestamp: time, data: sentTransactionDetail });
}
