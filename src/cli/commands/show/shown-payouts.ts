import { currencyLabel } from '../../../domain/currencies.ts';
import type { RunRow } from '../../../domain/entry.ts';
import { formatMajor } from '../../../domain/money.ts';
import { assert } from '../../../domain/refusal.ts';
import type { PayoutState } from '../../../domain/run/payout.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { accountText } from '../../../report/model/account-text.ts';
import { rowMasker } from '../../../report/model/identifiers.ts';
import { type ReportRow, type RowResult, reportRows } from '../../../report/model/rows.ts';

/** One payout as `show` tells it. `state` is what the journal knows; `status` is what a report makes of it. */
export type ShownPayout = {
  row: number;
  state: PayoutState['state'];
  name: string | null;
  amount: string | null;
  currency: string | null;
  /** Rail and masked number, or the service's id of an account that the input names. */
  account: string | null;
} & RowResult;

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
