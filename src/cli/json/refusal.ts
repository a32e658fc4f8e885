import { z } from 'zod';
import { checkResult, groupOutput, problemOutput } from '../../app/check/check-result.ts';
import { text } from '../../domain/entries/members.ts';
import { inputName, rowNumbers, runId } from '../../domain/result.ts';
import { exitCode } from './members.ts';

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
    exit: exitCode,
  })
  .meta({ id: 'refused_input', description: 'An input whose problems refuse it.' });
export type RefusedInput = z.output<typeof refusedInput>;
