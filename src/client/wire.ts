import type { OperationName, OperationRequest } from '../contract/operations.ts';
import type {
  ExternalAccountRecord,
  RecipientRecord,
  TransactionDetail,
  TransactionRecord,
} from '../contract/shapes.ts';

// The runner knows the service through the client alone: these are the shapes that it meets, by the client's names.

/** A transaction as a listing shows it. */
export type Transaction = TransactionRecord;
/** A transaction as `transaction.get` shows it. */
export type TransactionWithDestination = TransactionDetail;
export type Recipient = RecipientRecord;
export type ExternalAccount = ExternalAccountRecord;
/** The body of an operation's request. */
export type RequestBody<Name extends OperationName> = OperationRequest<Name>;
