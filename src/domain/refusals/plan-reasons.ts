import { z } from 'zod';
import { notAllowed, planObstacle, runNamed } from '../outcomes/plan-obstacle.ts';

/** Why a plan is not made or not started, for the sake of what was paid or planned before. */
export const PLAN_REASONS = [
  z.object({ code: z.literal('plan_obstacle'), obstacle: planObstacle }),
  z.object({ code: z.literal('repeat_not_allowed'), cause: notAllowed }),
  z.object({
    code: z.literal('period_run_before'),
    by: runNamed,
    job: z.string().nullable(),
    period: z.string().nullable(),
  }),
  /** `newestOf`: where a job takes the newest file of a pattern, both. */
  z.object({
    code: z.literal('file_run_before'),
    by: runNamed,
    newestOf: z.object({ path: z.string(), pattern: z.string() }).nullable(),
  }),
  z.object({ code: z.literal('corrections_run_before'), name: z.string(), by: runNamed }),
  /** `retries` was retried meanwhile, by `by`. */
  z.object({ code: z.literal('retried_meanwhile'), retries: z.string(), by: z.string() }),
  /** The rows of a run are to be retried where it ran. */
  z.object({ code: z.literal('retry_elsewhere'), runId: z.string() }),
] as const;
