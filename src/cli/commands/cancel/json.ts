import { z } from 'zod';
import { count, text } from '../../../domain/entries/members.ts';
import { counts } from '../../../domain/entries/run.ts';
import { runId, time } from '../../../domain/result.ts';
import { exitCode, holder } from '../../json/members.ts';

const nothing = z.strictObject({
  run_id: runId,
  cancelled: z.boolean(),
  not_submitted: count.describe('Payouts that are not sent because of it.'),
  waiting: count.describe('Payouts of which the service could not be asked whether they were paid already.'),
  to_wait_for: count.describe('Payouts that were submitted and are not final.'),
  in_doubt: count,
  exit: exitCode,
});

const cancelled = nothing.extend({
  by: text.describe('The account that cancelled it.'),
  counts,
  message: text.optional().describe('Why the service was not asked.'),
  remedy: text.optional(),
});

const asked = z
  .strictObject({ run_id: runId, cancelled: z.literal(false), asked: holder, by: text, exit: exitCode })
  .describe('A process works on the run, and was asked to submit nothing more.');

const plan = z.strictObject({
  run_id: runId,
  job: text.nullable(),
  period: text.nullable(),
  created_at: time,
  approved_by: z.array(text),
  why: text.nullable().describe('Why it cannot be run any more.'),
});

const plans = z
  .strictObject({ cancelled: z.array(plan), waiting: z.array(plan), exit: exitCode })
  .describe('With --waiting.');

export const cancelOutput = z
  .union([cancelled, nothing, asked, plans])
  .meta({ description: 'A run that submits nothing more, or with --waiting the plans that were ended.' });

export type NothingToCancel = z.output<typeof nothing>;
export type CancelledOutput = z.output<typeof cancelled>;
export type AskedToCancel = z.output<typeof asked>;
export type CancelledPlan = z.output<typeof plan>;
export type CancelledPlans = z.output<typeof plans>;
