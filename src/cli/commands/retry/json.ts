import { z } from 'zod';
import { count, text } from '../../../domain/entries/members.ts';
import { runId } from '../../../domain/result.ts';
import { exitCode } from '../../json/members.ts';
import { refusedInput } from '../../json/refusal.ts';
import { planned } from '../plan/json.ts';
import { ranOutput } from '../run/json.ts';

const sheet = z
  .strictObject({ run_id: runId, file: text, rows: count, exit: exitCode })
  .describe('With --to: the rows to be corrected, in a file.');
export type RetrySheetOutput = z.output<typeof sheet>;

export const retryOutput = z.union([planned, ranOutput, sheet, refusedInput]).meta({
  description:
    'The plan of the rows that were not paid; with --yes the run of it; with --to the file that was written.',
});
