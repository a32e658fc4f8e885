import type { PlanObstacle } from './plan-obstacle.ts';
import type { RunUnavailable } from './run-outcome.ts';

/** Why an approval does not count. */
export type VoidReason =
  /** It is not signed by the key that it names. */
  | 'not_signed'
  /** It is of another plan, or states other figures. */
  | 'another_plan'
  /** Its key is no approver's of this plan. */
  | 'unknown_approver'
  /** Who made the plan does not approve it. */
  | 'preparer'
  | 'expired'
  /** It says that it is good for longer than the policy allows, or that it was signed in the future. */
  | 'bad_times'
  /** It is for a row that does not wait for an approval of its own. */
  | 'other_rows'
  /** The same approver has signed before, and the same rows. */
  | 'again'
  | Withdrawal;

/** Why an approval that is good in itself does not count any more: something has happened to its approver. */
export type Withdrawal =
  | 'another_key'
  | 'locked_out'
  | 'no_approver'
  /** An administrator reset how they sign in, and nobody else has confirmed it. */
  | 'access_changed';

/** Why a plan cannot be approved by anybody. */
export type NotApprovable =
  | RunUnavailable
  | { outcome: 'no_plan'; obstacle: PlanObstacle }
  | { outcome: 'needs_no_approval'; runId: string };

/** Why the holder of a key does not approve a plan. */
export type NotItsApprover =
  | { outcome: 'unknown_approver'; runId: string }
  /** `key`: with which the plan was made; null where an account made it. */
  | { outcome: 'preparer'; runId: string; preparer: string; key: string | null }
  /** Nobody showed a key when the plan was made, so that everybody under the account could be its maker. */
  | { outcome: 'preparers_account'; runId: string; preparer: string }
  | { outcome: 'withdrawn'; runId: string; why: Withdrawal }
  /** `until`: Unix ms. */
  | { outcome: 'approved_before'; runId: string; name: string; until: number };

export type NotApproved =
  | NotApprovable
  | NotItsApprover
  | { outcome: 'no_such_row'; runId: string; row: number }
  | { outcome: 'key_unusable'; message: string; remedy: string };
