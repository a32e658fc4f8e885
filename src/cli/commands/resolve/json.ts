import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';
import { counts } from '../../../domain/entries/run.ts';
import { rowNumber, rowNumbers, runId } from '../../../domain/result.ts';
import { exitCode } from '../../json/members.ts';

export const resolveOutput = z
  .strictObject({
    run_id: runId,
    row: rowNumber,
    verdict: z.enum(['sent', 'not_sent']),
    transaction_id: text.nullable(),
    by: text.describe('The account that recorded it.'),
    unresolved: rowNumbers.describe('What is still in doubt.'),
    counts,
    exit: exitCode,
  })
  .meta({ description: 'What was recorded of a payout in doubt.' });
export type ResolveOutput = z.output<typeof resolveOutput>;
