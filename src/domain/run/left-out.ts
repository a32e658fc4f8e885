import type { PayoutState } from './payout.ts';

/** The code of a row that was left out because its account is new or changed and too few approvers have approved it. */
export const COOLING_OFF = 'cooling_off';

/** The code of a row that is left out because an earlier run paid the same, or perhaps did, or is about to. */
export const PAID_BEFORE = 'paid_before';

/** The code of a row whose payee, or account, must not be paid: as an error of a file, and by a run that found it so. */
export const ON_HOLD = 'payee_on_hold';

/** The code of a row that was not sent when its run was cancelled. */
export const CANCELLED = 'cancelled';

const DECISIONS: ReadonlySet<string> = new Set([COOLING_OFF, CANCELLED, ON_HOLD]);

/** Whether it was left out by a decision about the run, and not for what stands in it: a retry plans it. */
export function isLeftOut(payout: PayoutState): boolean {
  return payout.state === 'not_submitted' && DECISIONS.has(payout.code);
}
