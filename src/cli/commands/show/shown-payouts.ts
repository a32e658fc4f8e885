import { currencyLabel } from '../../../domain/currencies.ts';
import type { RunRow } from '../../../domain/entry.ts';
import { formatMajor } from '../../../domain/money.ts';
import { assert } from '../../../domain/refusal.ts';
import type { PayoutState } from '../../../domain/run/payout.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { accountText } from '../../../report/model/account-text.ts';
import { rowMasker } from '../../../report/model/identifiers.ts';
import { type ReportRow, reportRows } from '../../../report/model/rows.ts';
import type { ShownPayout } from './json.ts';

/** In the order of the input. Account numbers are masked. */
export function* shownPayouts(run: RunState, command: CommandLine): Generator<ShownPayout> {
  assert(run.header !== null, 'a run without its header');
  const maskRow = rowMasker(run.header.input);
  let at = 0;
  for (const reported of reportRows(run, command)) {
    const row = run.rows[at++];
    const payout = run.payouts.get(reported.row);
    assert(row?.row === reported.row && payout, 'report rows follow the rows of the run');
    yield shownPayout(reported, row, payout, maskRow(row).hide);
  }
}

function shownPayout(
  { result }: ReportRow,
  { row, order }: RunRow,
  { state }: PayoutState,
  hide: (text: string) => string,
): ShownPayout {
  return {
    row,
    state,
    name: order ? hide(order.payee.name) : null,
    amount: order ? formatMajor(BigInt(order.amount_minor), order.currency.decimals) : null,
    currency: order ? currencyLabel(order.currency) : null,
    account: order ? accountText(order.destination) : null,
    ...result,
  };
}
