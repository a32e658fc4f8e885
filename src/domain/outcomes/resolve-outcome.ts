import type { StopReason } from '../entry.ts';
import type { PayoutState } from '../run/payout.ts';
import type { NotStarted, RunUnavailable } from './run-outcome.ts';
import type { AnotherService } from './service-outcome.ts';
import type { ServiceUnusable } from './service-unusable.ts';

/** What a person records of a payout. */
export type Verdict = { kind: 'sent'; transactionId: string } | { kind: 'not_sent' };

/** What the service shows against a person's word about a payout. */
export type WordRefused =
  | { why: 'unknown_transaction' | 'another_payout'; transactionId: string }
  | { why: 'another_row'; transactionId: string; row: number }
  | { why: 'another_payment'; transactionId: string; differs: 'return' | 'amount' | 'account' | 'older' }
  /** The request can still take effect until then (Unix ms). */
  | { why: 'may_take_effect'; until: number }
  /** `transactionIds` carry its token. `cause`: how several of them, or one that is not what was sent, do. */
  | { why: 'was_sent'; transactionIds: readonly string[]; cause: string | null }
  | { why: 'not_unresolved'; row: number; state: PayoutState['state'] | null };

/** Why a row is none that a person can settle now. */
export type NotToResolve =
  | RunUnavailable
  | NotStarted
  | { outcome: 'no_such_row'; runId: string; row: number }
  /** `isOpen`: it is in doubt, and is to be looked for first. */
  | { outcome: 'not_unresolved'; runId: string; row: number; state: PayoutState['state']; isOpen: boolean };

export type NotResolved =
  | NotToResolve
  | AnotherService
  | ServiceUnusable
  /** The service could not be looked at: nothing was recorded. */
  | { outcome: 'not_looked'; row: number; reason: StopReason; message: string }
  | { outcome: 'word_refused'; runId: string; refused: WordRefused };
