import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import { amount, currencyName, rowNumber, runId, sha256, time } from '../../domain/result.ts';
import { ROW_STATES } from '../runs/rows/row-index.ts';

/** The members that the API answers with. */

export const uploadId = z.string().max(64).meta({ id: 'upload_id', description: 'An upload.' });

const total = z.object({ currency: currencyName, payouts: count, amount });

const upload = z
  .object({
    id: uploadId,
    state: z
      .enum(['checking', 'checked', 'refused', 'broken'])
      .describe('`refused`: the file is of no use, and `message` says why. `broken`: the check gave no answer.'),
    name: text,
    bytes: count,
    sha256,
    connection: text.nullable().describe('What it is paid over; null where that is not there any more.'),
    job: text.nullable(),
    uploaded_at: time,
    message: text.nullable(),
    rows: count.nullable(),
    payouts: count.nullable().describe('Rows that can be paid.'),
    totals: z.array(total),
    errors: count.nullable(),
    warnings: count.nullable(),
    plan_id: runId.nullable().describe('The plan that was made of it last.'),
  })
  .meta({ id: 'Upload', description: 'A file and its check.' });

const problem = z
  .object({
    severity: z.enum(['error', 'warning']),
    code: text,
    row: rowNumber.nullable(),
    column: text.nullable().describe('The canonical column.'),
    cell: text.nullable().describe('As in F17.'),
    value: text
      .nullable()
      .describe('Identifiers masked to the last four, unless the problem is about that very value.'),
    message: text,
    remedy: text,
    suggestion: text.nullable(),
  })
  .meta({ id: 'FileProblem', description: 'What is wrong at a cell of an upload.' });

const approval = z.object({ name: text, approved_at: time, expires_at: time });

const plan = z
  .object({
    id: runId.describe('Also the id of its run.'),
    state: z
      .enum(['awaiting_approval', 'approved', 'started', 'rejected', 'recalled', 'discarded', 'superseded'])
      .describe(
        '`rejected`: by an approver. `recalled`: by the person who made it. `discarded`: by a person, or another plan took its place. `superseded`: its rows were paid by another run.',
      ),
    rehearsal: z.boolean().describe('Whether no money moves.'),
    name: text,
    file: text,
    job: text.nullable(),
    period: text.nullable(),
    created_at: time,
    digest: sha256.describe('What approvers sign.'),
    rows: count.describe('Payouts; GET /runs/{run_id}/payouts lists them.'),
    totals: z.array(z.object({ currency: currencyName, payouts: count, amount, fees: amount.nullable() })),
    warnings: count,
    approvals: z.object({
      needed: count,
      missing: count,
      given: z.array(approval),
      may_approve: z.array(text),
      rows_missing: z
        .array(rowNumber)
        .describe('Rows to new accounts, each of which waits for an approval of its own.'),
    }),
    scheduled: z
      .object({ start_at: time, time_zone: text, state: z.enum(['ahead', 'due', 'missed']) })
      .nullable()
      .describe(
        'When it is started on its own, as a person or the program set it. `missed`: it was not, and a person starts it.',
      ),
    reason: text.nullable().describe('Why a person rejected or recalled it.'),
    page_url: z.url().describe('Where an approver reviews it.'),
  })
  .meta({ id: 'Plan', description: 'What a run will do, exactly; nothing is sent before it is approved and started.' });

const counts = z.object({ completed: count, failed: count, rejected: count, unresolved: count, not_submitted: count });

const runState = z.enum([
  'planned',
  'running',
  'stopped',
  'finished',
  'rejected',
  'recalled',
  'discarded',
  'superseded',
]);

const runMembers = {
  id: runId,
  state: runState,
  rehearsal: z.boolean(),
  name: text,
  file: text,
  job: text.nullable(),
  period: text.nullable(),
  created_at: time,
  payouts: count,
};

const runItem = z
  .object({ ...runMembers, counts: counts.nullable().describe('Null until the run is finished.') })
  .meta({ id: 'RunItem', description: 'A run in a list.' });

const run = z
  .object({
    ...runMembers,
    counts: counts.describe('They add up to `payouts`. What is under way counts as unresolved until it is final.'),
    totals: z.array(z.object({ currency: currencyName, planned: amount, sent: amount })),
    started_at: time.nullable(),
    finished_at: time.nullable(),
    paused: z.boolean(),
    stopped_because: text.nullable(),
    page_url: z.url(),
  })
  .meta({ id: 'Run', description: 'One execution of a plan.' });

const payout = z
  .object({
    row: rowNumber,
    payee_id: text.nullable(),
    name: text,
    amount: amount.nullable(),
    currency: currencyName.nullable(),
    account: text.nullable().describe('Masked to the last four.'),
    state: z.enum(ROW_STATES as [string, ...string[]]),
    transaction_id: text.nullable(),
    sent_at: time.nullable(),
    finished_at: time.nullable(),
    code: text.nullable().describe('Why it is not completed.'),
    message: text.nullable(),
  })
  .meta({ id: 'Payout', description: 'One row of a run.' });

const recipient = z
  .object({
    id: text,
    payee_id: text.nullable(),
    name: text,
    account: text.nullable().describe('That of the newest payment, masked to the last four.'),
    currencies: z.array(currencyName),
    payments: count.describe('Payouts that were completed.'),
    totals: z.array(z.object({ currency: currencyName, amount })).describe('Of these payouts.'),
    last_paid_at: time.nullable(),
  })
  .meta({ id: 'Recipient', description: 'A person or company that the newest runs pay.' });

function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  const next = text.nullable().describe('The `cursor` of the next page; null on the last.');
  return z.object({ items: z.array(item), next_cursor: next }).meta({ id });
}

const connection = z
  .object({
    id: text.describe('What `connection` of a new upload takes.'),
    name: text,
    service: text.describe('The host of the service.'),
    entity: z.object({ id: text, name: text }).describe('The company that pays over it.'),
    mode: z
      .enum(['live', 'test', 'unknown'])
      .describe('`test`: no money moves. `unknown`: the service has not answered yet.'),
  })
  .meta({ id: 'Connection', description: 'A service that payments go over.' });

/** What answers are made of. */
export const shapes = {
  upload,
  problems: pageOf(problem, 'FileProblemPage'),
  plan,
  run,
  runs: pageOf(runItem, 'RunPage'),
  payouts: pageOf(payout, 'PayoutPage'),
  recipients: pageOf(recipient, 'RecipientPage'),
  connections: pageOf(connection, 'ConnectionPage'),
};

export type Payout = z.output<typeof payout>;

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;
export const WAIT_MAX_S = 30;

/** How a list is paged. */
export const paging = {
  cursor: z.string().max(200).optional().describe('The `next_cursor` of the page before.'),
  limit: z.coerce
    .number<string | number>()
    .int()
    .min(1)
    .max(LIMIT_MAX)
    .default(LIMIT_DEFAULT)
    .describe('Items of a page.'),
};

export const waiting = z.coerce
  .number<string | number>()
  .int()
  .min(0)
  .max(WAIT_MAX_S)
  .default(0)
  .describe('Seconds to wait for the end of work that is under way.');
