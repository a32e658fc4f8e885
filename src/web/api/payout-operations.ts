import { z } from 'zod';
import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { runId } from '../../domain/result.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { messages } from '../../messages/messages.ts';
import { accountText, rowMasker } from '../../report/model/identifiers.ts';
import { outcomeOf, rowsWithCopies } from '../../report/model/outcome.ts';
import { rowStateOf } from '../runs/rows/row-index.ts';
import { pageCommand } from '../shell/words.ts';
import { pageByPlace } from './cursor.ts';
import { operation } from './operation.ts';
import { runWithDetails } from './run-operations.ts';
import { type Payout, paging, shapes } from './shapes.ts';

const list = operation({
  id: 'listPayouts',
  method: 'get',
  path: '/runs/{run_id}/payouts',
  summary: 'List the payouts of a run, in the order of its file',
  scopes: ['payments:read'],
  params: z.object({ run_id: runId }),
  query: z.object(paging),
  answers: { 200: shapes.payouts },
  problems: ['not_found', 'details_hidden'],
  handle: async ({ params, query, ...call }) => {
    const { run } = await runWithDetails(call, params.run_id);
    const { items, next_cursor } = pageByPlace(run.rows, query.cursor, query.limit);
    const payoutOf = payoutsOf(run);
    return { status: 200, body: { items: items.map(payoutOf), next_cursor } };
  },
});

export const payoutOperations = [list];

/** One row of a run, with its account masked. */
function payoutsOf(run: RunState): (row: RunRow) => Payout {
  const { header, payouts: states, cancelled: isCancelled } = run;
  if (header === null) throw new Error('a run without its header');
  const mask = rowMasker(header.input);
  const copies = rowsWithCopies(run);
  const nameAt = header.input.columns.indexOf('name');
  const resume = pageCommand('resume', header.run_id);
  return (row) => {
    const payout = states.get(row.row);
    if (payout === undefined) throw new Error(`row ${row.row} has no payout`);
    const { hide, cells } = mask(row);
    const { order } = row;
    const { code, why } = outcomeOf(payout, {
      isCancelled,
      mayHaveCopy: copies.has(row.row),
      returned: run.returned.get(row.row),
    });
    return {
      row: row.row,
      payee_id: order?.payee.payee_id == null ? null : hide(order.payee.payee_id),
      name: order ? hide(order.payee.name) : (cells[nameAt] ?? ''),
      amount: order ? formatMajor(BigInt(order.amount_minor), order.currency.decimals) : null,
      currency: order ? currencyLabel(order.currency) : null,
      account: order ? accountText(order.destination) : null,
      state: rowStateOf(payout),
      transaction_id: 'sent' in payout ? payout.sent.transaction_id : null,
      sent_at: 'sent' in payout ? isoUtc(payout.sent.submittedAt) : null,
      finished_at: 'finishedAt' in payout ? isoUtc(payout.finishedAt) : null,
      code,
      message: why === null ? null : hide(messages.outcomes.outcomeText(why, resume)),
    };
  };
}
