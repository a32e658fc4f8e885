import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';
import { runId } from '../../../domain/result.ts';
import { exitCode } from '../../json/members.ts';

export const reportOutput = z
  .strictObject({ run_id: runId, report: z.array(text), exit: exitCode })
  .meta({ description: 'The files that were written.' });
export type ReportOutput = z.output<typeof reportOutput>;
