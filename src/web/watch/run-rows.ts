import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PayoutState } from '../../domain/payout.ts';
import type { RunState } from '../../domain/run.ts';
import { accountText } from '../../report/account-text.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { doubtAt } from '../../report/doubts.ts';
import { rowMasker } from '../../report/identifiers.ts';
import { outcomeOf } from '../../report/outcome.ts';
import type { ProgressCounts } from '../../report/pace.ts';
import { searchable } from '../words.ts';
import { pageCommand } from './page-command.ts';

/** What people may look for: a state, and text in names, numbers of payees, references and transactions. */
export type RowQuery = { state: RowState | null; text: string; page: number };

export type RowState = keyof ProgressCounts;

/** In the order in which they are offered: what needs somebody first. */
export const ROW_STATES: readonly { state: RowState; label: string }[] = [
  { state: 'unresolved', label: 'unresolved' },
  { state: 'in_doubt', label: 'in doubt' },
  { state: 'failed', label: 'failed' },
  { state: 'rejected', label: 'rejected' },
  { state: 'waiting', label: 'waiting' },
  { state: 'sending', label: 'sending' },
  { state: 'accepted', label: 'accepted' },
  { state: 'completed', label: 'completed' },
  { state: 'not_submitted', label: 'not submitted' },
];

export const ROWS_OF_A_PAGE = 50;
const TEXT_MAX = 100;
const PAGES_MAX = 1_000_000;

/** One row as the page shows it; account numbers are masked. */
export type ShownRow = {
  row: number;
  name: string;
  payeeId: string | null;
  amount: string;
  account: string;
  state: RowState;
  transaction: string | null;
  /** When it had its outcome, or was sent (Unix ms). */
  at: number | null;
  message: string | null;
};

export type RowsPage = { query: RowQuery; rows: ShownRow[]; matching: number; pages: number };

/** What a browser asks for, whatever it sends. */
export function rowQueryOf(asked: Record<string, string | undefined>): RowQuery {
  const state = ROW_STATES.find((one) => one.state === asked.state)?.state ?? null;
  const page = /^[1-9]\d{0,6}$/.test(asked.page ?? '') ? Math.min(Number(asked.page), PAGES_MAX) : 1;
  return { state, text: (asked.q ?? '').trim().slice(0, TEXT_MAX), page };
}

/** One page of the rows that are asked for, in the order of the input. A page after the last is the last. */
export function rowsPage(run: RunState, query: RowQuery, command: CommandLine = pageCommand): RowsPage {
  const found: RunRow[] = [];
  const isMeant = textMatcher(run, query.text);
  for (const row of run.rows) {
    const payout = run.payouts.get(row.row);
    if (payout === undefined || (query.state !== null && stateOf(payout) !== query.state)) continue;
    if (isMeant(row, payout)) found.push(row);
  }
  const pages = Math.max(1, Math.ceil(found.length / ROWS_OF_A_PAGE));
  const page = Math.min(query.page, pages);
  const shown = found.slice((page - 1) * ROWS_OF_A_PAGE, page * ROWS_OF_A_PAGE);
  return {
    query: { ...query, page },
    rows: shown.map((row) => shownRow(run, row, command)),
    matching: found.length,
    pages,
  };
}

function stateOf({ state }: PayoutState): RowState {
  return state === 'suspected' ? 'unresolved' : state;
}

/** In names, payee ids, references and transaction ids, without regard to case and accents; a number is also that of a row. */
function textMatcher(run: RunState, text: string): (row: RunRow, payout: PayoutState) => boolean {
  if (text === '') return () => true;
  const wanted = searchable(text);
  const holds = (value: string | null) => value !== null && searchable(value).includes(wanted);
  const nameAt = run.header?.input.columns.indexOf('name') ?? -1;
  return ({ row, cells, order }, payout) => {
    if (String(row) === wanted || ('sent' in payout && holds(payout.sent.transaction_id))) return true;
    if (order === null) return holds(cells[nameAt] ?? null);
    return holds(order.payee.name) || holds(order.payee.payee_id) || holds(order.reference);
  };
}

function shownRow(run: RunState, row: RunRow, command: CommandLine): ShownRow {
  const payout = run.payouts.get(row.row);
  if (run.header === null || payout === undefined) throw new Error(`row ${row.row} has no payout`);
  const { hide, cells } = rowMasker(run.header.input)(row);
  const { order } = row;
  const doubt = doubtAt(run, row, payout, command);
  const resume = command('resume', run.header.run_id);
  const { message } = outcomeOf(payout, { resume, isCancelled: run.cancelled, doubt });
  const state = stateOf(payout);
  return {
    row: row.row,
    name: order ? hide(order.payee.name) : (cells[run.header.input.columns.indexOf('name')] ?? ''),
    payeeId: order?.payee.payee_id == null ? null : hide(order.payee.payee_id),
    amount: order
      ? `${formatMajor(BigInt(order.amount_minor), order.currency.decimals)} ${currencyLabel(order.currency)}`
      : '',
    account: order ? accountText(order.destination) : '',
    state,
    transaction: 'sent' in payout ? payout.sent.transaction_id : null,
    at: momentOf(payout),
    message: SAYS_MESSAGE.has(state) && message !== null ? hide(message) : null,
  };
}

/** What is on its way has nothing to say. */
const SAYS_MESSAGE: ReadonlySet<RowState> = new Set(['failed', 'rejected', 'not_submitted', 'completed']);

function momentOf(payout: PayoutState): number | null {
  if ('finishedAt' in payout) return payout.finishedAt;
  if ('sent' in payout) return payout.sent.submittedAt;
  return 'intentAt' in payout ? payout.intentAt : null;
}
