import { html } from 'hono/html';
import { groupThousands } from '../../domain/money.ts';
import { moment, safe } from '../shell/safe-text.ts';
import { ROW_STATES, type RowState } from '../watch/row-states.ts';
import { ROWS_OF_A_PAGE, type RowQuery, type RowsPage, type ShownRow } from '../watch/run-rows.ts';
import type { Html } from '../web.ts';

/** How rows are shown: asked for again as the run goes on; and with their transactions, which a plan has none of. */
export type RowsShown = { isLive: boolean; isStarted: boolean };

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
export function stateBadge(state: RowState): Html {
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
