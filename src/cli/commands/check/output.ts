import { z } from 'zod';
import { checkResult, groupOutput, problemOutput } from '../../../app/check/check-result.ts';
import { annotatedResult, fixedResult } from '../../../app/check/copy-result.ts';
import { text } from '../../../domain/entries/members.ts';
import { exitCode } from '../../json/outputs.ts';

export const checkOutput = checkResult
  .extend({
    job: text.optional().describe('Where a job was checked.'),
    input: z.strictObject({ name: text, path: text }).optional().describe("The job's."),
    problems: z.array(problemOutput).describe('At most 1,000, by row.'),
    groups: z.array(groupOutput).describe('All problems by kind and column, the most important last.'),
    annotated: annotatedResult.nullable().optional().describe('With --annotate; null where there is nothing to mark.'),
    fixed: fixedResult
      .nullable()
      .optional()
      .describe('With --fix; null where there is nothing that is safe to change.'),
    exit: exitCode,
  })
  .meta({ description: 'What a file holds, and every problem of it.' });
export type CheckOutput = z.output<typeof checkOutput>;
