import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { rowsWithCopies, statusOf } from '../model/outcome.ts';

/**
 * Statuses of ISO's external code set `ExternalPaymentTransactionStatus1Code` that payouts have, with what each says.
 * `CANC` is for APIs alone, so that what was cancelled is rejected, with its reason. `ACCC` says that the payee's account
 * was credited, which no service reports.
 */
export const TX_STATUSES = {
  ACSC: "Settlement is completed: the entry on the payer's account.",
  ACSP: 'All checks are passed, and the instruction is accepted for execution.',
  PDNG: 'The instruction is pending; further checks and an update of the status follow.',
  RJCT: 'The instruction is rejected.',
} as const;
export type TxStatus = keyof typeof TX_STATUSES;

/** By what is known of the payout. */
const OF_STATES: Readonly<Record<PayoutState['state'], TxStatus>> = {
  waiting: 'PDNG',
  sending: 'PDNG',
  in_doubt: 'PDNG',
  unresolved: 'PDNG',
  suspected: 'PDNG',
  accepted: 'ACSP',
  completed: 'ACSC',
  failed: 'RJCT',
  rejected: 'RJCT',
  not_submitted: 'RJCT',
};

/** What is rejected for certain, and what is not. */
const MAY_BE_REJECTED: Readonly<Record<ReportStatus, boolean>> = {
  completed: false,
  unresolved: false,
  failed: true,
  rejected: true,
  not_submitted: true,
};

/** `status`: the one under which the payout is reported. A refusal of which another copy may have been taken is pending. */
export function txStatusOf({ state }: PayoutState, status: ReportStatus): TxStatus {
  const own = OF_STATES[state];
  return own === 'RJCT' && !MAY_BE_REJECTED[status] ? 'PDNG' : own;
}

export type TxCounts = Record<TxStatus, number>;

export function txCountsOf(run: RunState): TxCounts {
  const counts: TxCounts = { ACSC: 0, ACSP: 0, PDNG: 0, RJCT: 0 };
  const copies = rowsWithCopies(run);
  for (const [row, payout] of run.payouts)
    counts[txStatusOf(payout, statusOf(payout.state, run.cancelled, copies.has(row)))]++;
  return counts;
}

/**
 * The status of the whole (`ExternalPaymentGroupStatus1Code`): that of all; `PART` where some are accepted and others are
 * not; null where there are none.
 */
export function groupStatusOf({ ACSC, ACSP, PDNG, RJCT }: TxCounts): TxStatus | 'PART' | null {
  if (ACSC + ACSP > 0) return PDNG + RJCT > 0 ? 'PART' : ACSP > 0 ? 'ACSP' : 'ACSC';
  if (PDNG > 0) return 'PDNG';
  return RJCT > 0 ? 'RJCT' : null;
}
