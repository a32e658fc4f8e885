import { z } from 'zod';
import { approval, planFacts } from '../plan.ts';
import { actor, milliseconds, onPage, text } from './members.ts';

/** When a plan is to be started (Unix ms), and by the clocks of which time zone a person said so. */
export const startTime = z.strictObject({ at: milliseconds, time_zone: text });
export type StartTime = z.output<typeof startTime>;

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
  /**
   * A preparer set when the plan is to be started, or recalled that (`start` is null); the last entry counts. It is started in the
   * name of who has the key (base64url). What approvers have signed is what is paid, and stays.
   */
  scheduled: z.strictObject({
    kind: z.literal('scheduled'),
    start: startTime.nullable(),
    public_key: text,
    ...actor,
  }),
  /** Runs without a `planned` began when they were created. */
  started: z.strictObject({ kind: z.literal('started'), ...actor }),
};
export type PlanEntry = z.output<(typeof PLAN_ENTRIES)[keyof typeof PLAN_ENTRIES]>;
