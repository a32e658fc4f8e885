import { z } from 'zod';
import { ERROR_CODES, OPERATIONS, type OperationName } from '../../contract/operations.ts';
import {
  addressRequest,
  businessInfoRequest,
  currencyRequest,
  feeRequest,
  phoneNumberRequest,
} from '../../contract/shapes.ts';
import { REASONS, type Reason, STATUS } from '../gateway/answers.ts';
import {
  SENT,
  SENT_EVENTS,
  sentCurrency,
  sentExternalAccount,
  sentFee,
  sentFirstCopy,
  sentRecipient,
  sentRecipientWithTotals,
  sentTotals,
  sentTransaction,
  sentTransactionDetail,
} from './response-shapes.ts';

export type JsonSchema = { [keyword: string]: unknown };

/** `{ error }` of section 7. */
const sentError = z.strictObject({
  error: z.strictObject({
    code: z.enum(ERROR_CODES),
    message: z.string().max(500),
    reason: z.enum(Object.keys(REASONS) as Reason[]).optional(),
    first: sentFirstCopy.optional(),
  }),
});

/** Shapes that stand in several places, by the names under which the document has them. */
const PARTS: Readonly<Record<string, z.ZodType>> = {
  Address: addressRequest,
  BusinessInfo: businessInfoRequest,
  PhoneNumber: phoneNumberRequest,
  CurrencyRequest: currencyRequest,
  FeeRequest: feeRequest,
  Currency: sentCurrency,
  Fee: sentFee,
  Totals: sentTotals,
  Transaction: sentTransaction,
  TransactionDetail: sentTransactionDetail,
  Recipient: sentRecipient,
  RecipientWithTotals: sentRecipientWithTotals,
  ExternalAccount: sentExternalAccount,
  FirstCopy: sentFirstCopy,
  Error: sentError,
};

/** `TransactionGetMany` for `transaction.getMany`. */
export function componentName(operation: string): string {
  return operation
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

export function reference(kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Every schema of the document, made from those that requests are checked by. Draft 2020-12, as OpenAPI 3.1 has it. */
export function schemaComponents(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, shape] of Object.entries(PARTS)) registry.add(shape, { id: name });
  for (const operation of Object.keys(OPERATIONS) as OperationName[]) {
    registry.add(OPERATIONS[operation].request, { id: `${componentName(operation)}Request` });
    // Where `data` is one of the parts it has its name already.
    if (!registry.has(SENT[operation])) registry.add(SENT[operation], { id: `${componentName(operation)}Data` });
  }
  for (const [type, shape] of Object.entries(SENT_EVENTS)) registry.add(shape, { id: `${componentName(type)}Event` });
  const uri = (id: string): string => reference('schemas', id).$ref;
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input' });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]));
}

/** Where the shape of an operation's `data` stands. */
export function dataReference(operation: OperationName): { $ref: string } {
  const part = Object.entries(PARTS).find(([, shape]) => shape === SENT[operation])?.[0];
  return reference('schemas', part ?? `${componentName(operation)}Data`);
}

const WHEN: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or breaks the schema or a rule; nothing took effect.',
  401: 'The signature, its key or its time is not good, or these bytes were received before.',
  403: 'The Host is not one of this service.',
  404: 'No such record, or no such operation.',
  413: 'The body is larger than 1 MiB.',
  415: 'The content-type is not application/json.',
  429: 'Too many requests with this key; nothing took effect.',
  500: 'Something is broken. The outcome of a transfer is unknown.',
  503: 'The service stops, or holds too many requests. The outcome of a transfer is unknown.',
};

/** The statuses of errors that a POST can have, each with its codes and reasons. */
export function errorResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(WHEN).map(([status, description]) => [`Error${status}`, errorResponse(Number(status), description)]),
  );
}

/** For the `responses` of every operation. */
export function errorReferences(): Record<string, { $ref: string }> {
  return Object.fromEntries(Object.keys(WHEN).map((status) => [status, reference('responses', `Error${status}`)]));
}

function errorResponse(status: number, description: string): JsonSchema {
  const codes = ERROR_CODES.filter((code) => STATUS[code] === status);
  const reasons = Object.entries(REASONS).flatMap(([reason, code]) => (codes.includes(code) ? [reason] : []));
  const retry = status === 429 ? { 'Retry-After': reference('headers', 'Retry-After') } : {};
  const limits = UNCOUNTED.has(status) ? {} : rateHeaders();
  return {
    description,
    headers: { ...limits, ...retry, 'x-payrun-rehearsal': reference('headers', 'x-payrun-rehearsal') },
    content: { 'application/json': { schema: errorSchema(codes, reasons) } },
  };
}

/** Said before the limit counts a request. A 404 may be of either kind: that of an id is counted, that of a path is not. */
const UNCOUNTED: ReadonlySet<number> = new Set([403, 413, 415]);

function errorSchema(codes: readonly string[], reasons: readonly string[]): JsonSchema {
  // Only what this status can be, on top of the shape of all errors.
  const reason = reasons.length > 0 ? { reason: { enum: reasons } } : {};
  const error = { type: 'object', properties: { code: { enum: codes }, ...reason } };
  return { allOf: [reference('schemas', 'Error'), { type: 'object', properties: { error } }] };
}

/** Those of answers that the limit has counted; none where the service has no limit. */
export function rateHeaders(): JsonSchema {
  return {
    RateLimit: reference('headers', 'RateLimit'),
    'RateLimit-Policy': reference('headers', 'RateLimit-Policy'),
  };
}
