import type { Counts } from '../entry.ts';
import { ROW_STATES, type RowState } from '../outcomes/run-outcome.ts';
import type { RunState } from './run-state.ts';

/** How many payouts of a run are in each state. */
export type Tally = Record<RowState, number>;

export function tallyOf(run: RunState): Tally {
  const tally = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Tally;
  for (const payout of run.payouts.values()) tally[payout.state]++;
  return tally;
}

/** How the payouts stand: the five endings, and how many are not there yet. */
export function countPayouts(run: RunState): Counts & { open: number } {
  const counts = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0, open: 0 };
  for (const payout of run.payouts.values()) {
    switch (payout.state) {
      case 'waiting':
      case 'sending':
      case 'in_doubt':
      case 'accepted':
        counts.open++;
        break;
      case 'suspected':
        counts.unresolved++;
        break;
      default:
        counts[payout.state]++;
    }
  }
  return counts;
}

/** Whether any payout of the run left this machine, as far as its journal shows. */
export function wasAnythingSent(run: RunState): boolean {
  for (const payout of run.payouts.values()) {
    if (payout.state !== 'waiting' && payout.state !== 'not_submitted') return true;
  }
  return false;
}
