import { z } from 'zod';
import { problemOutput } from '../../../app/check/check-result.ts';
import { planResult } from '../../../app/plan/plan-result.ts';
import { exitCode, nextCommand } from '../../json/members.ts';
import { refusedInput } from '../../json/refusal.ts';

/** A plan that was made. */
export const planned = planResult
  .extend({ warnings: z.array(problemOutput), next: nextCommand, exit: exitCode })
  .meta({ id: 'plan', description: 'A plan that awaits being run.' });
export type PlanOutput = z.output<typeof planned>;

export const planOutput = z
  .union([planned, refusedInput])
  .meta({ description: 'A plan, or an input whose problems refuse it.' });
