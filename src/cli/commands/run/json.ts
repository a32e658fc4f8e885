import { z } from 'zod';
import { checkResult } from '../../../app/check/check-result.ts';
import { runResult } from '../../../app/run/run-result.ts';
import { exitCode } from '../../json/members.ts';
import { refusedInput } from '../../json/refusal.ts';
import { planned } from '../plan/json.ts';

export const ranOutput = runResult
  .extend({
    inferred_rails: checkResult.shape.inferred_rails.optional(),
    mapping: checkResult.shape.mapping,
    exit: exitCode,
  })
  .meta({ id: 'run', description: 'A run that ended or stopped.' });
export type RanOutput = z.output<typeof ranOutput>;

export const runOutput = z.union([ranOutput, planned, refusedInput]).meta({
  description:
    'A run that ended or stopped; the plan of what has to be approved first; an input whose problems refuse it.',
});
