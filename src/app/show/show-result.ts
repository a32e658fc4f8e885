import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import { counts, stopReason } from '../../domain/entries/run.ts';
import { ROW_STATES } from '../../domain/outcomes/run-outcome.ts';
import {
  amount,
  currencyName,
  inputPlace,
  rowNumber,
  rowNumbers,
  runId,
  scheduledStart,
  sha256,
  time,
} from '../../domain/result.ts';
import { runStanding } from '../../domain/run/run-state.ts';
import { choiceText, doubtResult } from '../../report/model/doubts.ts';
import { remittances } from '../../report/model/remittances.ts';
import { approvalResult } from '../../report/model/report.ts';
import { rowResult } from '../../report/model/rows.ts';
import { total } from '../../report/model/totals.ts';
import { problemOutput } from '../check/check-result.ts';
import { ceilingsResult, compared, plannedConversion, plannedTotal, warningsByCode } from '../plan/plan-result.ts';
import { waitingRun } from '../worker/waiting-run.ts';

const payout = z
  .strictObject({
    row: rowNumber,
    state: z.enum(ROW_STATES).describe('What the journal knows.'),
    name: text.nullable(),
    amount: amount.nullable(),
    currency: currencyName.nullable(),
    account: text
      .nullable()
      .describe("The rail and the masked number, or the service's id of an account that the input names."),
    ...rowResult.shape,
  })
  .describe('`status` is what a report makes of `state`.');
export type ShownPayout = z.output<typeof payout>;

const plan = z.strictObject({
  payouts: count,
  totals: z.array(plannedTotal),
  conversions: z.array(plannedConversion),
  ceilings: ceilingsResult,
  recipients_to_create: count.nullable(),
  accounts_to_create: count.nullable(),
  compared: compared.nullable(),
  warning_count: count.describe('When it was planned.'),
  warning_counts: warningsByCode,
  warnings: z.array(problemOutput).describe('By what the journal holds now.'),
  made_by: text.nullable(),
  may_still_approve: z.array(text),
});
export type ShownPlan = z.output<typeof plan>;

const parkedPayee = z
  .strictObject({
    payee: text,
    missing: z.enum(['recipient', 'account']),
    rows: rowNumbers,
    state: z
      .enum(['unresolved', 'ambiguous'])
      .describe('`unresolved`: it may have been made, and is not found. `ambiguous`: several records could be it.'),
    reason: text.nullable().describe('Why it is unresolved.'),
    candidates: z.array(text).describe('The records that could be it.'),
    choices: z.array(choiceText),
  })
  .describe('A payee whose recipient or account a person has to look at before its rows can be paid.');
export type ParkedPayee = z.output<typeof parkedPayee>;

/** A run as programs read it. */
export const showResult = z
  .strictObject({
    run_id: runId,
    state: runStanding,
    stopped: stopReason.nullable(),
    stop_message: text.nullable(),
    rehearsal: z.boolean().describe('Against the service that payrun ships: no money moves.'),
    input: inputPlace,
    job: text.nullable(),
    period: text.nullable(),
    retries: runId.nullable().describe('The run whose unpaid rows this one pays.'),
    retried_by: z.array(runId),
    digest: sha256.describe('The SHA-256 of the plan.'),
    approvals_needed: count,
    approvals_missing: count,
    rows_to_approve: rowNumbers.optional().describe('Rows that wait for an approval of their own.'),
    approvals: z.array(approvalResult),
    plan: plan.nullable().describe('Of a plan that nobody has started.'),
    next: text.nullable().describe('Of a plan: the literal next command.'),
    scheduled: scheduledStart.optional(),
    created_at: time,
    finished_at: time.nullable(),
    counts,
    totals: z.array(total),
    cancelled: z.boolean(),
    replaced_by: runId.nullable().describe('The plan that took its place.'),
    remittance: remittances.optional(),
    worker: waitingRun.optional(),
    doubts: z.array(doubtResult),
    parked_payees: z.array(parkedPayee),
    payouts: z.array(payout).optional().describe('In the order of the input; none with --no-payouts.'),
  })
  .meta({ description: 'The state of each payout of a run, doubts explained; of a plan, what it is.' });
export type ShowResult = z.output<typeof showResult>;
