import { percentOf } from '../../domain/conversion.ts';
import type { JobChange } from '../../domain/outcomes/plan-obstacle.ts';
import { formatDuration } from '../../domain/time.ts';
import { counted, printable } from '../text.ts';
import { t } from '../translate.ts';

/** What a job asks for today beyond a plan of it, as a clause. */
export function jobChangeText(change: JobChange): string {
  switch (change.change) {
    case 'renamed':
      return t`the job is called ${printable(change.name)}`;
    case 'approval_needed':
      return t`it has to be approved by ${change.needed === 1 ? t`somebody` : t`${change.needed} people`}`;
    case 'no_approver':
      return t`${printable(change.name)}, with the key of the plan, is no approver of it`;
    case 'no_preparer':
      return t`${printable(change.name)}, with the key of the plan, may not make its plans`;
    case 'preparer_key_needed':
      return t`who makes its plans shows a key`;
    case 'more_approvals':
      return t`it needs ${counted(change.needed, 'approval')}, not ${change.before}`;
    case 'shorter_approval':
      return t`an approval is valid for ${formatDuration(change.todayMs)}, not ${formatDuration(change.thenMs)}`;
    case 'service': {
      const place = (baseUrl: string | null) => baseUrl ?? t`the shipped service`;
      return t`it is paid at ${place(change.today)}, not at ${place(change.planned)}`;
    }
    case 'api_key':
      return t`it is paid with another API key`;
    case 'longer_window': {
      const [today, then] = [formatDuration(change.todayMs), formatDuration(change.thenMs)];
      return t`the same amount to the same account is refused for ${today}, not ${then}`;
    }
    case 'lower_ceiling': {
      const what = change.of === 'payout' ? t`a payout` : t`all payouts of a pair of currencies`;
      return t`${what} may become ${percentOf(change.todayBps)} dearer, not ${percentOf(change.thenBps)}`;
    }
    case 'limits':
      return t`its limits are others`;
  }
}
