import type { Note } from '../entries/note.ts';
import type { ServiceTrouble } from '../outcomes/service-trouble.ts';
import type { Shortage, Sum } from '../problems/payment-problems.ts';

/** Currencies, as people name them: what is sent, and what payees receive for it. */
type Pair = { from: string; to: string };

/** Why a run cannot be paid from the balances. `cause`: what the service says. */
export type MoneyReason =
  | { code: 'balance_short'; shortages: readonly Shortage[] }
  /** The service gives no quote at this moment. */
  | ({ code: 'no_quote'; why: { message: string } | { trouble: ServiceTrouble } } & Pair)
  /** The service's quote is none. */
  | ({ code: 'quote_unusable'; cause: Note } & Pair)
  /** The service does not convert `payouts`, by `why`, its own code. */
  | ({ code: 'not_converted'; payouts: readonly { row: number; amount: Sum }[]; why: string; cause: string } & Pair);
