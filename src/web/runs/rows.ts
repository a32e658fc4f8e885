import { html } from 'hono/html';
import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor, groupThousands } from '../../domain/money.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { accountText } from '../../report/model/account-text.ts';
import { rowMasker } from '../../report/model/identifiers.ts';
import { outcomeOf, rowsWithCopies } from '../../report/model/outcome.ts';
import { type Html, moment, safe } from '../shell/parts.ts';
import { pageCommand } from '../shell/words.ts';
import type { TimeSlice } from '../time-slice.ts';
import type { FollowedRun } from './followed-run.ts';
import { ROW_STATES, type RowState, rowStateOf } from './row-index.ts';

/** What people may look for: a state, and text in names, numbers of payees, references and transactions. */
type RowQuery = { state: RowState | null; text: string; page: number };

const ROWS_OF_A_PAGE = 50;
const TEXT_MAX = 100;

/** One row as the page shows it; account numbers are masked. */
type ShownRow = {
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

/** How rows are shown: asked for again as the run goes on; and with their transactions, which a plan has none of. */
type RowsShown = { isLive: boolean; isStarted: boolean };

/** The rows of a run, with a form that narrows them. */
export function rowsPart(runId: string, page: RowsPage, shown: RowsShown): Html {
  const { state, text } = page.query;
  const options = ROW_STATES.map(
    (one) => html`<option value="${one.state}"${one.state === state ? html` selected` : ''}>${one.label}</option>`,
  );
  const path = `/runs/${runId}/rows`;
  return html`<section aria-labelledby="rows-head" class="stack">
<h2 id="rows-head">Rows</h2>
<form class="filter" method="get" action="${path}" role="search" hx-get="${path}" hx-target="#rows" hx-swap="outerHTML" hx-trigger="submit, input delay:300ms, change">
<label>Find <input type="search" name="q" value="${text}" maxlength="100" placeholder="Name, payee id, reference, transaction" autocomplete="off" id="rows-text"></label>
<label>State <select name="state" id="rows-state"><option value="">all</option>${options}</select></label>
<button>Find</button>
</form>
${rowsTable(runId, page, shown)}
</section>`;
}

/** The part that is exchanged. */
export function rowsTable(
  runId: string,
  { query, rows, matching, pages }: RowsPage,
  { isLive, isStarted }: RowsShown,
): Html {
  const here = rowsPath(runId, query);
  // With each count above them, so that both say the same; to search all rows takes longer.
  const live = isLive
    ? html` hx-get="${here}" hx-trigger="rows from:#live${query.text === '' ? '' : ' throttle:2s'}" hx-swap="outerMorph" hx-headers='{"x-refresh":"1"}'`
    : '';
  const first = (query.page - 1) * ROWS_OF_A_PAGE + 1;
  const last = Math.min(query.page * ROWS_OF_A_PAGE, matching);
  const isNarrowed = query.state !== null || query.text !== '';
  if (matching === 0)
    return html`<div id="rows"${live}><p class="empty" role="status">${isNarrowed ? 'No row is like that.' : 'There are no rows.'}</p></div>`;
  return html`<div id="rows" class="stack"${live}>
<p class="soft small">${count(first)} to ${count(last)} of ${count(matching)}${isNarrowed ? ' that were found' : ''}</p>
<div class="scroll card flush" role="region" tabindex="0" aria-label="Table of the rows"><table class="rows">
<thead><tr><th scope="col" class="number">Row</th><th scope="col">Payee</th><th scope="col" class="number">Amount</th><th scope="col">To</th><th scope="col">State</th>${isStarted ? html`<th scope="col">Transaction</th>` : ''}</tr></thead>
<tbody>${rows.map((row) => rowHtml(row, isStarted))}</tbody>
</table></div>
${pager(runId, query, pages)}
</div>`;
}

function rowHtml(shown: ShownRow, isStarted: boolean): Html {
  const { row, name, payeeId, amount, account, state, transaction, at, message } = shown;
  const sent = html`<td class="small" data-label="Transaction">${transaction === null ? '' : html`<span class="id">${safe(transaction)}</span> `}${at === null ? '' : html`<span class="soft">${moment(at)}</span>`}</td>`;
  return html`<tr><td class="number soft" data-label="Row">${row}</td><th scope="row">${safe(name)}${payeeId === null ? '' : html` <span class="soft small">${safe(payeeId)}</span>`}</th><td class="number" data-label="Amount">${safe(amountText(amount))}</td><td class="small" data-label="To">${safe(account)}</td><td data-label="State">${stateBadge(state)}${message === null ? '' : html`<span class="why small">${safe(message)}</span>`}</td>${isStarted ? sent : ''}</tr>`;
}

/** A state in words and with its mark. */
function stateBadge(state: RowState): Html {
  const label = ROW_STATES.find((one) => one.state === state)?.label ?? state;
  return html`<span class="status ${state}">${label}</span>`;
}

function pager(runId: string, query: RowQuery, pages: number): Html | '' {
  if (pages === 1) return '';
  const link = (page: number, label: string, rel: string) =>
    page < 1 || page > pages
      ? html`<span class="button off" aria-disabled="true">${label}</span>`
      : html`<a class="button" rel="${rel}" href="${rowsPath(runId, { ...query, page })}" hx-get="${rowsPath(runId, { ...query, page })}" hx-target="#rows" hx-swap="outerHTML show:top" id="rows-${rel}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages of rows">
${link(query.page - 1, 'Previous', 'prev')}
<span class="soft">Page ${count(query.page)} of ${count(pages)}</span>
${link(query.page + 1, 'Next', 'next')}
</nav>`;
}

function rowsPath(runId: string, { state, text, page }: RowQuery): string {
  const asked = new URLSearchParams();
  if (state !== null) asked.set('state', state);
  if (text !== '') asked.set('q', text);
  if (page > 1) asked.set('page', String(page));
  return asked.size === 0 ? `/runs/${runId}/rows` : `/runs/${runId}/rows?${asked}`;
}

function amountText(amount: string): string {
  const [figure = '', ...currency] = amount.split(' ');
  return figure === '' ? '' : [groupThousands(figure), ...currency].join(' ');
}

function count(value: number): string {
  return groupThousands(String(value));
}
