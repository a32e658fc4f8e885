import type { Note } from '../entries/note.ts';
import type { RowState } from './run-outcome.ts';

/** What a person records of a payout. */
export type Decision = { kind: 'sent'; transactionId: string } | { kind: 'not_sent' };

/** What the service shows against a person's decision about a payout. */
export type DecisionRefused =
  | { why: 'unknown_transaction' | 'another_payout'; transactionId: string }
  | { why: 'another_row'; transactionId: string; row: number }
  | { why: 'another_payment'; transactionId: string; differs: 'return' | 'amount' | 'account' | 'older' }
  /** The request can still take effect until then (Unix ms). */
  | { why: 'may_take_effect'; until: number }
  /** `transactionIds` carry its token. `cause`: how several of them, or one that is not what was sent, do. */
  | { why: 'was_sent'; transactionIds: readonly string[]; cause: Note | null }
  | { why: 'not_unresolved'; row: number; state: RowState | null };
