import type { PlanNext, Withdrawal } from '../outcomes/approve-outcome.ts';
import type { JournalDamage } from '../outcomes/journal-damage.ts';
import type { DecisionRefused } from '../outcomes/resolve-outcome.ts';
import type { CorrectionMismatch, Holding, Loss, RowLeft, RowState } from '../outcomes/run-outcome.ts';
import type { StopWhy } from '../outcomes/stop-why.ts';
import type { KeyFileFault } from './key-faults.ts';

/** Why nothing could be done with a run. */
export type RunReason =
  /** `near`: the run that was probably meant. */
  | { code: 'unknown_run'; runId: string; near: string | null }
  /** `runId` is null where the whole journal was read. */
  | { code: 'damaged'; runId: string | null; cause: JournalDamage }
  /** Another process works on it. */
  | { code: 'held'; runId: string; holder: Holding }
  /** Another process works on a run of the same job. */
  | { code: 'job_held'; job: string; runId: string; holder: Holding }
  /** This process worked on it, and lost it. `runId` is null where no run is known. */
  | { code: 'lost'; runId: string | null; loss: Loss }
  /** It is a plan that nobody has started. */
  | { code: 'not_started'; runId: string; isCancelled: boolean; replacedBy: string | null }
  | { code: 'was_cancelled'; runId: string }
  /** Others started runs without end while this one was to be started. */
  | { code: 'others_started' }
  /** The page here has no such connection, over which a run was begun. */
  | { code: 'connection_unknown'; runId: string; connection: string; dataDir: string }
  /** `connection`: its name. */
  | { code: 'connection_closed'; connection: string; why: ConnectionClosed }
  | AnotherService;

/**
 * Why no payment can be planned or started over a connection: it is disabled, or its current keys are untested or
 * failed.
 */
export type ConnectionClosed = 'disabled' | 'untested' | 'failed';

/** The service that answers is not the one at which a run began, or is not shown to be. */
export type AnotherService = { code: 'another_service' } & (
  | { why: 'rehearsal_differs'; wasRehearsal: boolean }
  | { why: 'unknown_transaction'; transactionId: string }
  | { why: 'nothing_shows_it' }
);

/** Why there is nothing of a run to be paid again. `nothing`: no row that failed, was rejected or not sent is to be paid still. */
export type RetryReason =
  | Extract<RunReason, { code: 'unknown_run' | 'damaged' | 'held' | 'not_started' }>
  | { code: 'not_finished'; runId: string }
  | { code: 'nothing_to_retry'; runId: string; leftOut: readonly RowLeft[] };

/** Rows of a file of corrections correct none of the run: the first of them in `rows`, and `more` others. */
export type CorrectionReason = {
  code: 'rows_correct_none';
  runId: string;
  rows: readonly { row: number; name: string; mismatch: CorrectionMismatch }[];
  more: number;
};

/** Why nothing is recorded of a payout. */
export type ResolveReason =
  | { code: 'no_such_row'; runId: string; row: number }
  /** `isOpen`: it is in doubt, and is to be looked for first. */
  | { code: 'not_unresolved'; runId: string; row: number; state: RowState; isOpen: boolean }
  /** The service could not be looked at. */
  | { code: 'not_looked'; row: number; isOutage: boolean; why: StopWhy }
  | { code: 'word_refused'; runId: string; refused: DecisionRefused };

/** Why the look at the service stopped. */
export type LookReason = { code: 'look_interrupted' } | { code: 'look_stopped'; why: StopWhy };

/** Why a plan is not scheduled for a time, or such a time not recalled. */
export type ScheduleReason = { code: 'not_scheduled'; runId: string; fault: ScheduleFault };

/** Times are Unix ms, which people read by the clocks of `timeZone`. */
export type ScheduleFault =
  | { why: 'past'; at: number; timeZone: string }
  /** Approvals end before it: all from now on (`approver` is null), or one that was given. `until`: the last time that can be chosen. */
  | { why: 'beyond_approvals'; until: number; timeZone: string; approver: string | null }
  /** Nothing is paid on that day. `offered`: the nearest time that can be chosen; null where there is none. `isOfJob`: a job says so. */
  | { why: 'day_of_rest'; at: number; timeZone: string; offered: number | null; isOfJob: boolean }
  | { why: 'changed_too_often'; times: number }
  /** Only what was approved starts on its own. */
  | { why: 'needs_no_approval' }
  | { why: 'no_time' };

/** `next`: who approves it in place of somebody who does not. */
type NotItsApprover = { runId: string; next: PlanNext };

/** Why a plan is not approved. */
export type ApproveReason =
  | { code: 'needs_no_approval'; runId: string }
  /** No row of this number waits for an approval of its own. */
  | { code: 'no_such_row_to_approve'; runId: string; row: number }
  | { code: 'key_unusable'; fault: KeyFileFault }
  | ({ code: 'unknown_approver' } & NotItsApprover)
  /** `key`: with which the plan was made; null where an account made it. */
  | ({ code: 'preparer'; preparer: string; key: string | null } & NotItsApprover)
  /** Only who made a plan recalls it. */
  | ({ code: 'not_its_preparer'; preparer: string; key: string | null } & NotItsApprover)
  /** Nobody showed a key when the plan was made, so that everybody under the account could be its maker. */
  | ({ code: 'preparers_account'; preparer: string; isOfJob: boolean } & NotItsApprover)
  | ({ code: 'withdrawn'; why: Withdrawal } & NotItsApprover)
  /** `until`: Unix ms. */
  | ({ code: 'approved_before'; name: string; until: number } & NotItsApprover);
