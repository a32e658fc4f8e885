import { z } from 'zod';
import { count, text } from '../domain/entries/members.ts';
import { counts } from '../domain/entries/run.ts';
import { inputName, runId, scheduledStart, sha256, time } from '../domain/result.ts';
import { runStanding } from '../domain/run/run-state.ts';
import { doubtResult } from './model/doubts.ts';
import { remittances } from './model/remittances.ts';
import { approvalResult } from './model/report.ts';
import { rowResult } from './model/rows.ts';
import { convertedTotal, total } from './model/totals.ts';

const reportStart = z.strictObject({
  payrun: text.describe('The version that wrote it.'),
  run_id: runId,
  state: runStanding,
  rehearsal: z.boolean().describe('No money moved.'),
  input: inputName,
  job: text.nullable(),
  retries: runId.nullable().describe('The run whose unpaid rows this one pays.'),
  retried_by: z.array(runId),
  since: z
    .strictObject({ paid: count, under_way: count, planned: count, as_of: time.nullable() })
    .optional()
    .describe('What became in other runs of rows that this one did not pay.'),
  digest: sha256.describe('The SHA-256 of the plan.'),
  approvals: z.array(approvalResult),
  scheduled: scheduledStart.optional(),
  created_at: time,
  finished_at: time.nullable(),
  counts,
  totals: z.array(total),
  conversions: z.array(convertedTotal).optional(),
  remittance: remittances.optional(),
  journal: z
    .strictObject({ entries: count, head: sha256 })
    .describe("How far the run's journal went, for `payrun verify`."),
});
/** What stands before the doubts and the rows. */
export type ReportStart = z.output<typeof reportStart>;

/** `report.json`. */
export const reportResult = reportStart
  .extend({
    doubts: z.array(doubtResult),
    // The input's own columns are texts under the names that `ownColumns` gives them.
    rows: z.array(rowResult.catchall(text)).describe("The input's own columns first, then what became of the row."),
  })
  .meta({ title: 'report.json', description: 'The report of a run.' });
