import { z } from 'zod';
import { checkResult, groupOutput, problemOutput } from '../../app/check/check-result.ts';
import { planResult } from '../../app/plan/plan-result.ts';
import { runResult } from '../../app/run/run-result.ts';
import { count, text } from '../../domain/entries/members.ts';
import { inputName, rowNumbers, runId, scheduledStart } from '../../domain/result.ts';
import { EXIT } from '../exit.ts';

export const exitCode = z
  .int()
  .meta({ id: 'exit', enum: Object.values(EXIT), description: 'The exit code of the command.' });

export const rehearsal = z.boolean().describe('Against the service that payrun ships: no money moves.');

export const nextCommand = text.describe('The literal next command.');

export const holder = z.strictObject({ pid: count, host: text }).describe('The process that works on the run.');

/** What every command prints that did not do its work. */
export const refusal = z
  .strictObject({
    run_id: runId.nullable(),
    state: z.enum(['refused', 'stopped']).describe('`stopped`: a run or a service that was under way.'),
    message: text.describe('What happened.'),
    remedy: text.describe('What to do.'),
    rows: rowNumbers.optional().describe('The rows for whose sake it was refused.'),
    exit: exitCode,
  })
  .meta({ id: 'refusal', title: 'A refusal', description: 'What every command prints that did not do its work.' });
export type RefusalOutput = z.output<typeof refusal>;

export const refusedInput = z
  .strictObject({
    run_id: z.null(),
    state: z.literal('refused'),
    input: inputName,
    problems: z.array(problemOutput),
    groups: z.array(groupOutput),
    mapping: checkResult.shape.mapping,
    given_currency: checkResult.shape.given_currency,
    given_encoding: checkResult.shape.given_encoding,
    layout: checkResult.shape.layout,
    exit: exitCode,
  })
  .meta({ id: 'refused_input', description: 'An input whose problems refuse it.' });
export type RefusedInput = z.output<typeof refusedInput>;

/** A plan that was made. */
export const planned = planResult
  .extend({
    warnings: z.array(problemOutput),
    scheduled: scheduledStart.optional(),
    next: nextCommand,
    exit: exitCode,
  })
  .meta({ id: 'plan', description: 'A plan that awaits being run.' });
export type PlanOutput = z.output<typeof planned>;

export const ranOutput = runResult
  .extend({
    inferred_rails: checkResult.shape.inferred_rails.optional(),
    mapping: checkResult.shape.mapping,
    given_currency: checkResult.shape.given_currency,
    given_encoding: checkResult.shape.given_encoding,
    layout: checkResult.shape.layout,
    exit: exitCode,
  })
  .meta({ id: 'run', description: 'A run that ended or stopped.' });
export type RanOutput = z.output<typeof ranOutput>;

export const runOutput = z.union([ranOutput, planned, refusedInput]).meta({
  description:
    'A run that ended or stopped; the plan of what has to be approved first; an input whose problems refuse it.',
});
