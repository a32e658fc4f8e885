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
  /** They see no names and amounts of it any more: nobody approves what they do not see. */
  | 'sees_no_details'
  /** An administrator reset how they sign in, and nobody else has confirmed it. */
  | 'access_changed';

/** An approval with its times (ISO 8601). `why_not` is null where it counts. */
export type ShownApproval = {
  approver: string;
  by: string;
  rows?: readonly number[];
  signed_at: string;
  expires_at: string;
  why_not: VoidReason | null;
};

/** What a plan that awaits its start needs next. */
export type PlanNext = {
  runId: string;
  /** How many approvals are missing, and who can still give them. */
  missing: number;
  mayApprove: readonly string[];
  /** Rows without enough approvals. */
  rowsMissing: readonly number[];
  /** The run that it knowingly pays again. */
  repeats: string | null;
};
