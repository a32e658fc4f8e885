import { z } from 'zod';
import { count, text } from '../../../domain/entries/members.ts';
import { runId } from '../../../domain/result.ts';
import { exitCode, holder } from '../../json/members.ts';

export const pauseOutput = z
  .strictObject({
    run_id: runId,
    paused: z.boolean(),
    asked: holder.optional(),
    by: text.optional().describe('The account that paused it.'),
    waiting: count.optional().describe('Payouts that are not sent yet.'),
    exit: exitCode,
  })
  .meta({ description: 'Whether the run is paused, or the process that works on it was asked to pause it.' });
export type PauseOutput = z.output<typeof pauseOutput>;
