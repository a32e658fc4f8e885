import type { NotStarted, RunUnavailable } from './run-outcome.ts';

/** A run, and whether it moved no money. */
export type RunNamed = { runId: string; isRehearsal: boolean };

/** Why an earlier run that somebody names may not be repeated. */
export type NotAllowed =
  | { outcome: 'run_since'; older: string; newest: RunNamed }
  | { outcome: 'no_earlier_run'; name: string; newest: string | null; wasRehearsal: boolean; period: string | null };

/** From what a plan was made, so that it can be made again. */
export type PlanSource = {
  runId: string;
  /** The run whose rows it retries. */
  retries: string | null;
  path: string;
  job: string | null;
  jobFile: string | null;
  period: string | null;
  isMadeWithKey: boolean;
};

/** Why a plan cannot be started, or signed. */
export type PlanObstacle = { plan: PlanSource } & PlanProblem;

export type PlanProblem =
  | { why: 'started' | 'cancelled' | 'not_whole' | 'not_signed_by_maker' | 'another_than_shown' | 'retry_repeated' }
  | { why: 'replaced'; by: string }
  | { why: 'file_changed'; name: string }
  | { why: 'not_allowed'; cause: NotAllowed }
  /** `period`: both are of this one. `isToSign`: an approver looks, who cannot let anything be paid again. */
  | { why: 'run_meanwhile'; by: RunNamed; job: string | null; period: string | null; isToSign: boolean }
  | { why: 'corrections_run_before'; name: string; by: RunNamed }
  | { why: 'nothing_to_retry'; cause: NothingToRetry }
  /** `row`: one that is not to be paid any more, and why. `last`: the retry that was started since. */
  | { why: 'retried_since'; retries: string; row: RowLeft | null; last: string | null };

export type RowLeft = { row: number; why: string };

/** Why there is nothing of a run to be paid again. */
export type NothingToRetry =
  | Exclude<RunUnavailable, { outcome: 'lost' }>
  | NotStarted
  | { outcome: 'not_finished'; runId: string }
  /** No row failed, was rejected or not sent that is still to be paid. */
  | { outcome: 'nothing'; runId: string; leftOut: readonly RowLeft[] };
