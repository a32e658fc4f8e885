import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { accountText } from '../../report/model/account-text.ts';
import { rowMasker } from '../../report/model/identifiers.ts';
import { outcomeOf, rowsWithCopies } from '../../report/model/outcome.ts';
import type { TimeSlice } from '../time-slice.ts';
import type { FollowedRun } from './followed-run.ts';
import { pageCommand } from './page-command.ts';
import { ROW_STATES, type RowState, rowStateOf } from './row-states.ts';

/** What people may look for: a state, and text in names, numbers of payees, references and transactions. */
export type RowQuery = { state: RowState | null; text: string; page: number };

export const ROWS_OF_A_PAGE = 50;
const TEXT_MAX = 100;

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

/** The part of a run that rows are found in. */
type Searched = Pick<FollowedRun, 'run' | 'rows' | 'search' | 'n'>;

/** The first rows of all. */
export const FIRST_ROWS: RowQuery = { state: null, text: '', page: 1 };

/** What a browser asks for; null where it asks for a page that no run has. */
export function rowQueryOf(asked: Record<string, string | undefined>): RowQuery | null {
  const state = ROW_STATES.find((one) => one.state === asked.state)?.state ?? null;
  const page = asked.page ?? '1';
  if (!/^[1-9]\d{0,6}$/.test(page)) return null;
  return { state, text: (asked.q ?? '').trim().slice(0, TEXT_MAX), page: Number(page) };
}

/** One page of the rows that are asked for, in the order of the input. A page after the last is the last. */
export async function rowsPage(followed: Searched, query: RowQuery, turns: TimeSlice): Promise<RowsPage> {
  const { matching, slice } = await find(followed, query, turns);
  const pages = Math.max(1, Math.ceil(matching / ROWS_OF_A_PAGE));
  const page = Math.min(query.page, pages);
  const places = slice((page - 1) * ROWS_OF_A_PAGE, page * ROWS_OF_A_PAGE);
  const { run } = followed;
  const copies = rowsWithCopies(run);
  const rows = places.flatMap((place) => {
    const row = run.rows[place];
    return row === undefined ? [] : [shownRow(run, row, copies.has(row.row))];
  });
  return { query: { ...query, page }, rows, matching, pages };
}

/** How many rows are meant, and which of them stand from one number of these to another: their places in the run. */
type Found = { matching: number; slice(from: number, to: number): number[] };

async function find(followed: Searched, { state, text }: RowQuery, turns: TimeSlice): Promise<Found> {
  const { run, rows, search, n } = followed;
  if (text !== '') {
    const all = await search.find(text, n, turns);
    const places = state === null ? all : all.filter((place) => rows.stateAt(place) === state);
    return { matching: places.length, slice: (from, to) => places.slice(from, to) };
  }
  if (state !== null) {
    const slice = (from: number, to: number) => [
      ...rows
        .placesIn(new Set([state]))
        .drop(from)
        .take(to - from),
    ];
    return { matching: rows.counts[state], slice };
  }
  const { length } = run.rows;
  return {
    matching: length,
    slice: (from, to) => Array.from({ length: Math.max(0, Math.min(to, length) - from) }, (_, at) => from + at),
  };
}

function shownRow(run: RunState, row: RunRow, mayHaveCopy: boolean): ShownRow {
  const payout = run.payouts.get(row.row);
  if (run.header === null || payout === undefined) throw new Error(`row ${row.row} has no payout`);
  const { hide, cells } = rowMasker(run.header.input)(row);
  const { order } = row;
  const resume = pageCommand('resume', run.header.run_id);
  const { message } = outcomeOf(payout, {
    resume,
    isCancelled: run.cancelled,
    doubt: null,
    mayHaveCopy,
  });
  const state = rowStateOf(payout);
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
