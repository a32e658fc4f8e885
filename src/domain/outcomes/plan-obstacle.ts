import type { RetryReason } from '../refusals/run-reasons.ts';
import type { RowLeft } from './run-outcome.ts';

/** What a job asks for today beyond a plan of it. Times in milliseconds; ceilings in hundredths of a per cent. */
export type JobChange =
  | { change: 'renamed'; name: string }
  | { change: 'approval_needed'; needed: number }
  /** A person of the plan is not among the job's any more with that key. */
  | { change: 'no_approver' | 'no_preparer'; name: string }
  | { change: 'preparer_key_needed' | 'api_key' | 'limits' }
  | { change: 'more_approvals'; needed: number; before: number }
  | { change: 'shorter_approval' | 'longer_window'; todayMs: number; thenMs: number }
  /** Null stands for the shipped service. */
  | { change: 'service'; today: string | null; planned: string | null }
  | { change: 'lower_ceiling'; of: 'payout' | 'run'; todayBps: number; thenBps: number };

/** A run, and whether it moved no money. */
export type RunNamed = { runId: string; isRehearsal: boolean };

/** Why an earlier run that somebody names may not be repeated. */
export type NotAllowed =
  | { outcome: 'run_since'; older: string; newest: RunNamed }
  | {
      outcome: 'no_earlier_run';
      name: string;
      newest: string | null;
      wasRehearsal: boolean;
      period: string | null;
    };

/** From what a plan was made, so that it can be made again. `retries`: the run whose rows it retries. */
export type PlanSource = {
  runId: string;
  retries: string | null;
  path: string;
  job: string | null;
  jobFile: string | null;
  period: string | null;
  isMadeWithKey: boolean;
};

type BareProblem =
  | 'started'
  | 'cancelled'
  | 'not_whole'
  | 'not_signed_by_maker'
  | 'another_than_shown'
  | 'retry_repeated'
  | 'planned_by_earlier_payrun'
  | 'another_service'
  | 'payees_changed'
  | 'interrupted';

export type PlanProblem =
  | { [Why in BareProblem]: { why: Why } }[BareProblem]
  | { why: 'replaced'; by: string }
  /** By an approver, or by who made it. */
  | { why: 'rejected' | 'recalled'; person: string; reason: string }
  | { why: 'file_changed'; name: string }
  | { why: 'not_allowed'; cause: NotAllowed }
  /** `period`: both are of this one. `isToSign`: an approver looks, who cannot let anything be paid again. */
  | { why: 'run_meanwhile'; by: RunNamed; job: string | null; period: string | null; isToSign: boolean }
  | { why: 'corrections_run_before'; name: string; by: RunNamed }
  | { why: 'nothing_to_retry'; cause: RetryReason }
  /** `row`: one that is not to be paid any more, and why. `last`: the retry that was started since. */
  | { why: 'retried_since'; retries: string; row: RowLeft | null; last: string | null }
  /** `more`: what the job in `file` asks for beyond the plan. */
  | { why: 'job_changed'; file: string; more: readonly JobChange[] };

/** Why a plan cannot be started, or signed. */
export type PlanObstacle = { plan: PlanSource } & PlanProblem;
