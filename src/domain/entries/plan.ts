import { z } from 'zod';
import { approval, planFacts } from '../plan.ts';
import { actor, onPage, text } from './members.ts';

/** What happens to a run before it begins. */
export const PLAN_ENTRIES = {
  /**
   * What the run will do. Until a `started` nothing was done, and nothing may be. `signature` is that of who made it, where
   * the plan names their key.
   */
  planned: z.strictObject({
    kind: z.literal('planned'),
    plan: planFacts,
    signature: text.optional(),
    by: text.optional(),
    ...onPage,
  }),
  approved: z.strictObject({ kind: z.literal('approved'), approval }),
  /** Runs without a `planned` began when they were created. */
  started: z.strictObject({ kind: z.literal('started'), ...actor }),
};
export type PlanEntry = z.output<(typeof PLAN_ENTRIES)[keyof typeof PLAN_ENTRIES]>;
