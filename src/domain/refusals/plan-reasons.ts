import type { NotAllowed, PlanObstacle, RunNamed } from '../outcomes/plan-obstacle.ts';

/** Why a plan is not made or not started, for the sake of what was paid or planned before. */
export type PlanReason =
  | { code: 'no_plan'; obstacle: PlanObstacle }
  | { code: 'repeat_not_allowed'; cause: NotAllowed }
  | { code: 'period_run_before'; by: RunNamed; job: string | null; period: string | null }
  /** `newestOf`: where a job takes the newest file of a pattern, both. */
  | { code: 'file_run_before'; by: RunNamed; newestOf: { path: string; pattern: string } | null }
  | { code: 'corrections_run_before'; name: string; by: RunNamed }
  /** `retries` was retried meanwhile, by `by`. */
  | { code: 'retried_meanwhile'; retries: string; by: string }
  /** The rows of a run are to be retried where it ran. */
  | { code: 'retry_elsewhere'; runId: string };
