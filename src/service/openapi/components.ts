import { z } from 'zod';
import { ERROR_CODES, OPERATIONS, type OperationName } from '../../contract/operations.ts';
import {
  addressRequest,
  businessInfoRequest,
  currencyRequest,
  feeRequest,
  phoneNumberRequest,
} from '../../contract/shapes.ts';
import { REASONS, type Reason } from '../gateway/answers.ts';
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
