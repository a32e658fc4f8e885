import { z } from 'zod';
import { checkResult } from '../../../app/check/check-result.ts';
import { text } from '../../../domain/entries/members.ts';
import { counts } from '../../../domain/entries/run.ts';
import { inputPlace, runId, sha256 } from '../../../domain/result.ts';
import { runStanding } from '../../../domain/run/run-state.ts';
import { remittanceResult } from '../../../notify/remittance-trouble.ts';
import { convertedTotal, total } from '../../../report/model/totals.ts';
import { exitCode, rehearsal } from '../../json/members.ts';
import { refusedInput } from '../../json/refusal.ts';
import { planned } from '../plan/json.ts';

export const ranOutput = z
  .strictObject({
    run_id: runId,
    state: runStanding,
    rehearsal,
    input: inputPlace,
    digest: sha256.describe('The SHA-256 of the plan.'),
    counts: counts.describe('Every row of the input has one of these endings.'),
    totals: z.array(total),
    conversions: z.array(convertedTotal).optional(),
    inferred_rails: checkResult.shape.inferred_rails.optional(),
    mapping: checkResult.shape.mapping,
    remittance: remittanceResult.nullable().optional().describe('Where the job tells payees by e-mail.'),
    report: z.array(text).describe('The files of the report; none where it could not be written.'),
    message: text.optional().describe('Why the run stopped.'),
    exit: exitCode,
  })
  .meta({ id: 'run', description: 'A run that ended or stopped.' });
export type RanOutput = z.output<typeof ranOutput>;

export const runOutput = z.union([ranOutput, planned, refusedInput]).meta({
  description:
    'A run that ended or stopped; the plan of what has to be approved first; an input whose problems refuse it.',
});
