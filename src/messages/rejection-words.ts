import { percentOf } from '../domain/conversion.ts';
import type { Note } from '../domain/entries/note.ts';
import type { AboveCeiling } from '../domain/entry.ts';
import { noteText } from './note-words.ts';
import { sumText } from './problems/check-words.ts';
import { t } from './translate.ts';

const retry = () => t`Retry the run to plan the row at the new rate.`;

/** Why a payout was rejected: in the service's words, or because it would have cost too much. */
export function rejectionText({ message, above }: { message: Note; above?: AboveCeiling | null | undefined }): string {
  return above ? ceilingText(above) : noteText(message);
}

/** Why a payout that is converted was not sent at the rate of the moment. */
export function ceilingText(above: AboveCeiling): string {
  const now = sumText(above.now);
  switch (above.code) {
    case 'rate_above_ceiling': {
      const { received, planned, bps, most } = above;
      const allowed = t`with the ceiling of ${percentOf(bps)} at most ${sumText(most)} may be sent`;
      return t`${sumText(received)} cost ${now} now. ${sumText(planned)} were planned, and ${allowed}. Nothing was sent. ${retry()}`;
    }
    case 'run_above_ceiling': {
      const { others, planned, bps, most } = above;
      const allowed = t`with the ceiling of the run, ${percentOf(bps)}, at most ${sumText(most)} may be sent`;
      return t`It costs ${now} now, and ${sumText(others)} were sent for others. ${sumText(planned)} were planned for all, and ${allowed}. Nothing was sent for this one. ${retry()}`;
    }
    case 'limit_per_payout':
      return t`It costs ${now} now, and limits.per_payout of the job allows ${sumText(above.limit)}. Nothing was sent for it. ${retry()}`;
    case 'limit_per_run':
      return t`It costs ${now} now. With it the run would come to ${sumText(above.all)}, and limits.per_run of the job allows ${sumText(above.limit)}. Nothing was sent for it. ${retry()}`;
  }
}
