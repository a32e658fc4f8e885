import type { Payee, PayoutOrder } from '../../domain/payee.ts';
import type { PlannedConversions } from '../../domain/plan.ts';
import type { PaidStanding } from '../../domain/run/paid-standing.ts';
import type { PayoutState } from '../../domain/run/payout.ts';

/** What a row orders, as far as later payments are compared with it. */
export type PastOrder = Pick<PayoutOrder, 'row' | 'destination' | 'amount_minor' | 'currency' | 'source'> & {
  payee: Pick<Payee, 'payee_id' | 'name' | 'email'>;
};

/** A payable row of a run, and what became of it. */
export type PastPayout = { order: PastOrder; state: PayoutState['state']; standing: PaidStanding };

/** What a run paid, perhaps paid, or is about to pay. */
export type RunPayouts = {
  /** It ended, and no process has taken it up since. */
  isFinished: boolean;
  /** What is sent in other currencies than payees receive, by its plan. */
  conversions: PlannedConversions | null;
  /** How many were completed. */
  completed: number;
  /** In the order of the rows, some hundred at a time: those of one `rows` entry. */
  pages(): AsyncIterable<readonly PastPayout[]>;
};
