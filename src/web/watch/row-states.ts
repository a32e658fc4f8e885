import type { PayoutState } from '../../domain/run/payout.ts';
import type { ProgressCounts } from '../../report/model/pace.ts';

export type RowState = keyof ProgressCounts;

/** In the order in which they are offered: what needs somebody first. */
export const ROW_STATES: readonly { state: RowState; label: string }[] = [
  { state: 'unresolved', label: 'unresolved' },
  { state: 'in_doubt', label: 'in doubt' },
  { state: 'failed', label: 'failed' },
  { state: 'rejected', label: 'rejected' },
  { state: 'waiting', label: 'waiting' },
  { state: 'sending', label: 'sending' },
  { state: 'accepted', label: 'accepted' },
  { state: 'completed', label: 'completed' },
  { state: 'not_submitted', label: 'not submitted' },
];

export function rowStateOf({ state }: PayoutState): RowState {
  return state === 'suspected' ? 'unresolved' : state;
}
