import type { TimeSlice } from '../../app/background/time-slice.ts';
import type { RunRow } from '../../domain/entry.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { messages } from '../../messages/messages.ts';
import { either, t } from '../../messages/translate.ts';
import { accountSeen, rowMasker } from '../../report/model/identifiers.ts';
import { outcomeOf, rowsWithCopies } from '../../report/model/outcome.ts';
import { shownAccount } from '../shell/account.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, count, moment, option, pager, pathWith, table } from '../shell/parts.ts';
import { minorText, pageCommand } from '../shell/words.ts';
import type { FollowedRun } from './followed-run.ts';
import { ROW_STATES, type RowState, rowStateOf, stateLabel } from './row-index.ts';

/** What people may look for: a state, and text in names, payee ids, references and transactions. */
type RowQuery = { state: RowState | null; text: string; page: number };

const ROWS_OF_A_PAGE = 50;
const TEXT_MAX = 100;

/** One row as the page shows it. */
type ShownRow = ReturnType<typeof shownRow>;

export type RowsPage = { query: RowQuery; rows: ShownRow[]; matching: number; pages: number };

/** The part of a run that rows are found in. */
type Searched = Pick<FollowedRun, 'run' | 'rows' | 'search' | 'n'>;

/** The first rows of all. */
export const FIRST_ROWS: RowQuery = { state: null, text: '', page: 1 };

/** What a browser asks for; null where it asks for a page that no run has. */
export function rowQueryOf(asked: Record<string, string | undefined>): RowQuery | null {
  const state = ROW_STATES.find((one) => one === asked.state) ?? null;
  const page = asked.page ?? '1';
  if (!/^[1-9]\d{0,6}$/.test(page)) return null;
  return { state, text: (asked.q ?? '').trim().slice(0, TEXT_MAX), page: Number(page) };
}

/** One page of the rows that are asked for, in the order of the input. A page after the last is the last. */
export async function rowsPage(followed: Searched, query: RowQuery, turns: TimeSlice): Promise<RowsPage> {
  const { run, rows: index, search, n } = followed;
  const { state, text } = query;
  const found = text === '' ? null : await search.find(text, n, turns);
  const matches = found?.filter((place) => state === null || index.stateAt(place) === state) ?? null;
  const matching = matches?.length ?? (state === null ? run.rows.length : index.counts[state]);
  const pages = Math.max(1, Math.ceil(matching / ROWS_OF_A_PAGE));
  const page = Math.min(query.page, pages);
  const from = (page - 1) * ROWS_OF_A_PAGE;
  const size = Math.min(ROWS_OF_A_PAGE, matching - from);
  const placesIn = (only: RowState) =>
    index
      .placesIn(new Set([only]))
      .drop(from)
      .take(size)
      .toArray();
  const all = () => Array.from({ length: size }, (_, at) => from + at);
  const places = matches?.slice(from, from + size) ?? (state === null ? all() : placesIn(state));
  const copies = rowsWithCopies(run);
  const rows = places.flatMap((place) => {
    const row = run.rows[place];
    return row === undefined ? [] : [shownRow(run, row, copies.has(row.row))];
  });
  return { query: { ...query, page }, rows, matching, pages };
}

/** Account numbers are masked. */
export function shownRow(run: RunState, row: RunRow, mayHaveCopy: boolean) {
  const payout = run.payouts.get(row.row);
  if (run.header === null || payout === undefined) throw new Error(`row ${row.row} has no payout`);
  const { hide, cells } = rowMasker(run.header.input)(row);
  const { order } = row;
  const resume = pageCommand('resume', run.header.run_id);
  const { why } = outcomeOf(payout, { isCancelled: run.cancelled, mayHaveCopy, returned: run.returned.get(row.row) });
  const state = rowStateOf(payout);
  return {
    row: row.row,
    name: order ? hide(order.payee.name) : (cells[run.header.input.columns.indexOf('name')] ?? ''),
    payeeId: order?.payee.payee_id == null ? null : hide(order.payee.payee_id),
    amount: order ? minorText(order.amount_minor, order.currency) : '',
    account: order ? shownAccount(accountSeen(order.destination)) : null,
    state,
    transaction: 'sent' in payout ? payout.sent.transaction_id : null,
    /** When it had its outcome, or was sent (Unix ms). */
    at: momentOf(payout),
    message: HAS_MESSAGE.has(state) && why !== null ? hide(messages.outcomes.outcomeText(why, resume)) : null,
  };
}

/** Payouts that are under way have none. */
const HAS_MESSAGE: ReadonlySet<RowState> = new Set(['failed', 'rejected', 'not_submitted', 'completed']);

function momentOf(payout: PayoutState): number | null {
  if ('finishedAt' in payout) return payout.finishedAt;
  if ('sent' in payout) return payout.sent.submittedAt;
  return 'intentAt' in payout ? payout.intentAt : null;
}

/** The rows with what became of them since, beside why they were not paid. */
export function withSince(page: RowsPage, run: RunState, { rows: since }: SinceOfRun): RowsPage {
  const rows = page.rows.map((row) => {
    const became = since.get(row.row);
    if (became === undefined) return row;
    const text = messages.outcomes.sinceText(became, run.header?.rehearsal ?? false);
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
    return { ...row, message: row.message === null ? sentence : `${row.message} ${sentence}` };
  });
  return { ...page, rows };
}

/** How rows are shown: asked for again as the run goes on; and with their transactions, which a plan has none of. */
type RowsShown = { isLive: boolean; isStarted: boolean };

/** The rows of a run, with a form that narrows them. */
export function rowsPart(runId: string, page: RowsPage, shown: RowsShown): Html {
  const { state, text } = page.query;
  const path = `/runs/${runId}/rows`;
  return html`<section aria-labelledby="rows-head" class="stack">
<h2 id="rows-head">Rows</h2>
<form class="filter" method="get" action="${path}" role="search" hx-get="${path}" hx-target="#rows" hx-swap="outerHTML" hx-trigger="submit, input delay:300ms, change">
<label>Find <input type="search" name="q" value="${text}" maxlength="100" placeholder="Name, payee id, reference, transaction" autocomplete="off" id="rows-text"></label>
<label>State <select name="state" id="rows-state"><option value="">all</option>${ROW_STATES.map((one) => option(one, stateLabel(one), one === state))}</select></label>
<button>Find</button>
</form>
${rowsTable(runId, page, shown)}
</section>`;
}

/** The part that is exchanged. */
export function rowsTable(runId: string, page: RowsPage, { isLive, isStarted }: RowsShown): Html {
  const { query, rows, matching } = page;
  const { state, text } = query;
  const path = (to: number) => pathWith(`/runs/${runId}/rows`, { state, q: text, page: to });
  // With each count above them, so that both say the same; to search all rows takes longer.
  const trigger = `rows from:#live${text === '' ? '' : ' throttle:2s'}`;
  const live =
    isLive &&
    html` hx-get="${path(query.page)}" hx-trigger="${trigger}" hx-swap="outerMorph" hx-headers='{"x-refresh":"1"}'`;
  const isNarrowed = state !== null || text !== '';
  if (matching === 0)
    return html`<div id="rows"${live}><p class="empty" role="status">${either(isNarrowed, 'No row matches.', 'There are no rows.')}</p></div>`;
  const first = (query.page - 1) * ROWS_OF_A_PAGE + 1;
  const last = Math.min(query.page * ROWS_OF_A_PAGE, matching);
  return html`<div id="rows" class="stack"${live}>
<p class="soft small">${count(first)} to ${count(last)} of ${count(matching)}${isNarrowed && t` that were found`}</p>
${table(t`Table of the rows`, columnsOf(runId, isStarted), rows)}
${pager(t`Pages of rows`, { page: query.page, pages: page.pages }, path, 'rows')}
</div>`;
}

/** In a payment that was started, the payee leads to what is known of the payout, and what can be done about it. */
const columnsOf = (runId: string, isStarted: boolean): readonly Column<ShownRow>[] => [
  [t`Row`, ({ row }) => row, 'number soft'],
  [
    t`Payee`,
    ({ row, name, payeeId }) =>
      html`${isStarted ? html`<a href="/runs/${runId}/payouts/${row}">${name === '' ? t`No name` : name}</a>` : name}${payeeId && html` <span class="soft small">${payeeId}</span>`}`,
    'head',
  ],
  [t`Amount`, ({ amount }) => amount, 'number'],
  [t`To`, ({ account }) => account, 'small'],
  [
    t`State`,
    ({ state, message }) =>
      html`<span class="status ${state}">${stateLabel(state)}</span>${message && html`<span class="why small">${message}</span>`}`,
  ],
  ...(isStarted ? [transactionColumn()] : []),
];

const transactionColumn = (): Column<ShownRow> => [
  t`Transaction`,
  ({ transaction, at }) =>
    html`${transaction && html`<span class="id">${transaction}</span> `}${at !== null && html`<span class="soft">${moment(at, 'exact')}</span>`}`,
  'small',
];
