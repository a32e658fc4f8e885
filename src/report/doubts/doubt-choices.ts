import { z } from 'zod';
import { unresolvedAbout } from '../../domain/entries/payout.ts';

/**
 * Why a person should look at a payout. `open`: sent without an outcome, and not parked yet. `surfaced`: an attempt that
 * was held to have had no effect stands at the service, beside the one that paid the row.
 */
export const doubtAbout = z.enum([...unresolvedAbout.options, 'open', 'surfaced', 'refused']);
export type DoubtAbout = z.output<typeof doubtAbout>;

/**
 * What a person can do about a doubt: go on with the run, which looks again; record that it was sent, as which
 * `transaction` (null: the person names it), or that it was not; or send again whatever of the run is not listed.
 */
export type Choice = { act: 'resume' | 'sent' | 'not_sent' | 'resubmit_absent'; transaction: string | null };

/** Transactions that each are a choice; where there are more, people put in the one they mean. */
const CHOICES_SENT_MAX = 3;

const RESUME: Choice = { act: 'resume', transaction: null };
const NOT_SENT: Choice = { act: 'not_sent', transaction: null };
const RESUBMIT_ABSENT: Choice = { act: 'resubmit_absent', transaction: null };

/** The choices there are, the harmless one first. */
export function choicesOf(doubt: { about: DoubtAbout; candidates: readonly string[]; isCancelled: boolean }): Choice[] {
  const { about, candidates, isCancelled } = doubt;
  const isFew = candidates.length > 0 && candidates.length <= CHOICES_SENT_MAX;
  const sent = (isFew ? candidates : [null]).map((transaction): Choice => ({ act: 'sent', transaction }));
  switch (about) {
    case 'open':
      return [RESUME];
    case 'no_expiry':
    case 'no_canary':
      // Nothing of a cancelled run is sent again.
      return [RESUME, ...sent, NOT_SENT, ...(isCancelled ? [] : [RESUBMIT_ABSENT])];
    case 'incomplete':
    case 'candidate':
    case 'old_copy':
    case 'refused':
    case 'mismatch':
    case 'replayed':
    case 'unknown_id':
      return [RESUME, ...sent, NOT_SENT];
    case 'twice':
      return [RESUME, ...sent];
    case 'surfaced':
      return [];
  }
}
