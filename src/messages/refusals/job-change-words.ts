import { percentOf } from '../../domain/conversion.ts';
import type { JobChange } from '../../domain/outcomes/plan-obstacle.ts';
import { formatDuration } from '../../domain/time.ts';
import { counted, printable } from '../text.ts';

/** What a job asks for today beyond a plan of it, as a clause. */
export function jobChangeText(change: JobChange): string {
  switch (change.change) {
    case 'renamed':
      return `the job is called ${printable(change.name)}`;
    case 'approval_needed':
      return `it has to be approved by ${change.needed === 1 ? 'somebody' : `${change.needed} people`}`;
    case 'no_approver':
      return `${printable(change.name)}, with the key of the plan, is no approver of it`;
    case 'no_preparer':
      return `${printable(change.name)}, with the key of the plan, does not make its plans`;
    case 'preparer_key_needed':
      return 'who makes its plans shows a key';
    case 'more_approvals':
      return `it needs ${counted(change.needed, 'approval')}, not ${change.before}`;
    case 'shorter_approval':
      return `an approval is good for ${formatDuration(change.todayMs)}, not ${formatDuration(change.thenMs)}`;
    case 'service': {
      const place = (baseUrl: string | null) => baseUrl ?? 'the shipped service';
      return `it is paid at ${place(change.today)}, not at ${place(change.planned)}`;
    }
    case 'api_key':
      return 'it is paid with another API key';
    case 'longer_window': {
      const [today, then] = [formatDuration(change.todayMs), formatDuration(change.thenMs)];
      return `the same amount to the same account is refused for ${today}, not ${then}`;
    }
    case 'lower_ceiling': {
      const what = change.of === 'payout' ? 'a payout' : 'all payouts of a pair of currencies';
      return `${what} may become ${percentOf(change.todayBps)} dearer, not ${percentOf(change.thenBps)}`;
    }
    case 'limits':
      return 'its limits are others';
  }
}
