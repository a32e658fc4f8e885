import type { PayoutState } from './payout.ts';

/**
 * Whether a payout moved money, for everybody who asks before paying the same again. `waiting`: it was not sent, and is
 * once its run goes on. Only `unpaid` is neither paid nor ever will be by this run.
 */
export type PaidStanding = 'paid' | 'perhaps' | 'waiting' | 'unpaid';

/**
 * What beside the payout's state may have paid it. `copy`: a request of it was refused, and another copy of that request may
 * have been taken, until its run has looked for all of them and finished. `surfaced`: the service holds an earlier attempt,
 * or a second transaction, beside the one that counts.
 */
export type PaidBeside = 'nothing' | 'copy' | 'surfaced';

export function paidStanding(state: PayoutState['state'], beside: PaidBeside, isFinished: boolean): PaidStanding {
  const isPerhaps = beside === 'surfaced' || (beside === 'copy' && !isFinished);
  switch (state) {
    case 'completed':
      return 'paid';
    case 'waiting':
      return isPerhaps ? 'perhaps' : 'waiting';
    case 'failed':
    case 'rejected':
    case 'not_submitted':
      return isPerhaps ? 'perhaps' : 'unpaid';
    case 'sending':
    case 'in_doubt':
    case 'accepted':
    case 'unresolved':
    case 'suspected':
      return 'perhaps';
  }
}
