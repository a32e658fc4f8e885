import { z } from 'zod';
import { RAIL_NAMES } from '../domain/rails/rail.ts';
import {
  bankAccountRequest,
  currencyRequest,
  currencyResponse,
  externalAccountRecord,
  fee,
  feeRequest,
  recipientCreateRequest,
  recipientRecord,
  recipientWithTotals,
  referenceText,
  text,
  transactionDetail,
  transactionRecord,
  walletAccountRequest,
} from './shapes.ts';

/**
 * Every operation of the interface specification (sections 4.1 to 4.9) with the shapes that `decisions.md` adds where
 * it is silent. Requests are strict: the service refuses an unknown field. Responses are tolerant: the client ignores
 * one. All are `POST {base_url}/v1/<operation>`.
 */
export const OPERATIONS = {
  'quote.get': {
    request: z.strictObject({
      currency_in: currencyRequest,
      currency_out: currencyRequest,
      destination: z.enum(RAIL_NAMES).nullish(),
      external_account_id: text(200).optional(),
    }),
    response: z.object({
      bid: currencyResponse,
      ask: currencyResponse,
      direction: z.enum(['bid', 'ask']),
      fees: z.array(fee),
      stablecoin: currencyResponse.nullable(),
    }),
  },
  'transaction.transfer': {
    request: z.strictObject({
      currency_out: currencyRequest,
      currency_in: currencyRequest.optional(),
      external_accounts: z.strictObject({
        from: z.strictObject({ id: text(200) }).nullable(),
        to: z.strictObject({ id: text(200) }).nullable(),
      }),
      metadata: z.strictObject({ description: text(2_000).optional() }).optional(),
      reference: referenceText(1_000).optional(),
    }),
    response: z.string().min(1),
  },
  'transaction.submitWithdraw': {
    request: z.strictObject({
      external_account_id: text(200),
      currency_out: currencyRequest,
      currency_in: currencyRequest.nullish(),
      fees: z.array(feeRequest).nullish(),
      reference: referenceText(1_000).optional(),
      metadata: z
        .strictObject({
          description: text(2_000).optional(),
          proof_of_purpose: z.strictObject({ url: text(2_000), name: text(500) }).optional(),
        })
        .optional(),
    }),
    response: z.string().min(1),
  },
  'transaction.get': {
    request: z.strictObject({ id: text(200) }),
    response: transactionDetail,
  },
  'transaction.getMany': {
    request: z.strictObject({
      search: text(1_000).optional(),
      type: z.enum(['all', 'deposit', 'buy', 'sell', 'withdraw']).optional(),
      limit: z.int().min(1).max(500).optional(),
      recipient_id: text(200).optional(),
      cursor: text(1_000).optional(),
    }),
    response: z.object({
      transactions: z.array(transactionRecord),
      totals: z.object({ transfers: z.number(), fiatAmount: z.number() }),
      next_cursor: z.string().nullish(),
    }),
  },
  'account.recipient.create': { request: recipientCreateRequest, response: z.object({ id: z.string().min(1) }) },
  'account.recipient.get': { request: z.strictObject({ id: text(200) }), response: recipientRecord },
  'account.recipient.getMany': {
    request: z.strictObject({ limit: z.int().min(1).max(500).optional(), cursor: text(1_000).optional() }),
    response: z.object({ recipients: z.array(recipientWithTotals), next_cursor: z.string().nullish() }),
  },
  'account.customer.get': {
    request: z.strictObject({ id: text(200) }),
    response: z.object({
      id: z.string(),
      created_at: z.string(),
      metadata: z.object({ name: z.string(), business_info: z.unknown().optional() }),
      preferences: z.unknown().optional(),
    }),
  },
  'account.external.bank.add': { request: bankAccountRequest, response: z.object({ id: z.string().min(1) }) },
  'account.external.web3.add': { request: walletAccountRequest, response: z.object({ id: z.string().min(1) }) },
  'account.external.bank.getAll': {
    request: z.strictObject({ recipient_id: text(200).optional() }),
    response: z.array(externalAccountRecord),
  },
  'account.external.web3.getAll': {
    request: z.strictObject({ recipient_id: text(200).optional() }),
    response: z.array(externalAccountRecord),
  },
  'account.balance.getMany': {
    request: z.strictObject({}),
    response: z.object({ balances: z.array(z.object({ available: currencyResponse, pending: currencyResponse })) }),
  },
} as const;

export type OperationName = keyof typeof OPERATIONS;

export type OperationRequest<Name extends OperationName> = z.input<(typeof OPERATIONS)[Name]['request']>;

export type OperationResponse<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['response']>;

/** `{ data }` of a success, read before the operation's own shape. */
export const successEnvelope = z.object({ data: z.unknown() });

/** Codes of `decisions.md`, "Errors". */
export const ERROR_CODES = [
  'PARSE_ERROR',
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_SUPPORTED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What became of the first copy of a request whose nonce was used before (401 `REPLAYED`). */
export const firstCopy = z.object({
  /** The HTTP status that it was answered with. */
  status: z.int().min(100).max(599),
  /** The transaction that it made, where it made one. */
  transaction_id: z.string().min(1).optional(),
});

export type FirstCopy = z.infer<typeof firstCopy>;

/** `{ error }` of a failure. The code is any string: another service may have words of its own. */
export const errorEnvelope = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    reason: z.string().optional(),
    first: firstCopy.optional(),
  }),
});

export type ErrorBody = z.infer<typeof errorEnvelope>['error'];

/** The path of an operation below the base URL. */
export function pathOf(operation: string): string {
  return `/v1/${operation}`;
}
