import { z } from 'zod';
import { text } from '../../domain/entries/members.ts';
import { counts } from '../../domain/entries/run.ts';
import { inputPlace, runId, sha256 } from '../../domain/result.ts';
import { runStanding } from '../../domain/run/run-state.ts';
import { remittanceResult } from '../../notify/remittance-trouble.ts';
import { convertedTotal, total } from '../../report/model/totals.ts';

/** A run as the process that worked on it leaves it. */
export const runResult = z.strictObject({
  run_id: runId,
  state: runStanding,
  rehearsal: z.boolean().describe('Against the service that payrun ships: no money moves.'),
  input: inputPlace,
  digest: sha256.describe('The SHA-256 of the plan.'),
  counts: counts.describe('Every row of the input has one of these endings.'),
  totals: z.array(total),
  conversions: z.array(convertedTotal).optional(),
  remittance: remittanceResult.nullable().optional().describe('Where the job tells payees by e-mail.'),
  report: z.array(text).describe('The files of the report; none where it could not be written.'),
  message: text.optional().describe('Why the run stopped.'),
});

export type RunResult = z.output<typeof runResult>;
