import { z } from 'zod';
import { checkResult, groupOutput, problemOutput } from '../../../app/check/check-result.ts';
import { change, left } from '../../../app/check/copies.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { exitCode } from '../../json/members.ts';

const annotated = z.strictObject({
  file: text,
  cells: count.describe('Cells that are marked.'),
  problems: count,
  left: count.describe('Problems that did not fit.'),
});

const fixed = z.strictObject({
  file: text,
  changes: z.array(change),
  left: z.array(left),
  remaining: z.strictObject({ errors: count, warnings: count }),
});

export const checkOutput = checkResult
  .extend({
    job: text.optional().describe('Where a job was checked.'),
    input: z.strictObject({ name: text, path: text }).optional().describe("The job's."),
    problems: z.array(problemOutput).describe('At most 1,000, by row.'),
    groups: z.array(groupOutput).describe('All problems by kind and column, the most important last.'),
    annotated: annotated.nullable().optional().describe('With --annotate; null where there is nothing to mark.'),
    fixed: fixed.nullable().optional().describe('With --fix; null where there is nothing that is safe to change.'),
    exit: exitCode,
  })
  .meta({ description: 'What a file holds, and every problem of it.' });
export type CheckOutput = z.output<typeof checkOutput>;
