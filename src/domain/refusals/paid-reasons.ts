import type { PlanNext, ShownApproval } from '../outcomes/approve-outcome.ts';
import type { JournalDamage } from '../outcomes/journal-damage.ts';
import type { PlanObstacle, RunNamed } from '../outcomes/plan-obstacle.ts';
import type { HistoryProblems } from '../problems/payment-problems.ts';

/** A run of the past. `at`: Unix ms. */
type PastRun = RunNamed & { at: number };

/** Why a plan is not made or not started, for the sake of single payments. */
export type PaidReason =
  /** `runs` paid the same amounts to the same accounts within the window, the newest first. */
  | {
      code: 'paid_before';
      /** Of `payouts` in all. */
      rows: readonly number[];
      payouts: number;
      runs: readonly PastRun[];
      isWaiting: boolean;
      job: string | null;
    }
  /** All payouts of a file were paid before. `first`: why the first of them is left out. */
  | { code: 'nothing_left'; name: string; payouts: number; first: HistoryProblems['left_out_paid_before'] | null }
  /** A file of rows of a run that are to be corrected is to be paid as one of its own. */
  | { code: 'sheet_of_run'; path: string; runId: string }
  /** `cause`: of another error in its own words. */
  | { code: 'history_unreadable'; cause: string | JournalDamage };

/** Where it stands who approves: people read what to change. */
export type PolicyPlace = 'job' | 'approval file';

/** Another plan that awaits its start. `ageMs`: since it was made. */
export type OtherPlan = { runId: string; ageMs: number; approvedBy: readonly string[] };

/** Why a plan is not made or not started, for the sake of approvals and of other plans. */
export type ApprovalReason =
  /** `voids`: approvals that do not count. */
  | { code: 'approvals_missing'; needed: number; voids: readonly ShownApproval[]; next: PlanNext }
  /** `payable`: how many rows can be paid. `repeats`: the run that the plan repeats. */
  | { code: 'rows_unapproved'; runId: string; rows: readonly number[]; payable: number; repeats: string | null }
  /** More approvals are needed than there are approvers besides who makes the plan. */
  | { code: 'never_approvable'; needed: number; able: number; preparer: string; key: string | null }
  /** A plan that pays the same is approved. */
  | { code: 'other_plan_approved'; plan: OtherPlan; next: PlanNext }
  /** A plan of a job that asks for approval pays the same file. `why`: why that one cannot be run any more, or null. */
  | { code: 'other_plan_of_job'; plan: OtherPlan; job: string | null; why: PlanObstacle | null; next: PlanNext }
  /** `place` names who makes plans (`names`), and nobody showed a key. */
  | { code: 'no_maker_key'; place: PolicyPlace; names: readonly string[] }
  /** The key that was shown is of nobody who makes plans. `publicKey`: in base64url. */
  | { code: 'not_a_preparer'; place: PolicyPlace; namesPreparers: boolean; publicKey: string };
