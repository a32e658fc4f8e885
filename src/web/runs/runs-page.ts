import { html } from 'hono/html';
import type { Counts } from '../../domain/entry.ts';
import { groupThousands } from '../../domain/money.ts';
import { counted } from '../../messages/text.ts';
import { OUTCOMES } from '../../report/html/look.ts';
import { LISTED_STATES, type ListedState, type RunInHistory, type RunsPage } from '../history/runs-list.ts';
import { pager, pathWith } from '../shell/pager.ts';
import { moment, safe } from '../shell/safe-text.ts';
import type { Html } from '../web.ts';

/** How the runs stand that are not over, by their id; null of those that are still being read. */
export type OpenCounts = Map<string, Counts | null>;

/** Every run, newest first. */
export function runsPageHtml({ query, runs, matching, pages }: RunsPage, open: OpenCounts): Html {
  const { state, text, page } = query;
  const options = LISTED_STATES.map(
    (one) => html`<option value="${one.state}"${one.state === state ? html` selected` : ''}>${one.label}</option>`,
  );
  const isNarrowed = state !== null || text !== '';
  const path = (to: number) => pathWith('/runs', { state, q: text, page: to === 1 ? null : to });
  const isReading = [...open.values()].includes(null);
  const again = isReading
    ? html` hx-get="${path(page)}" hx-trigger="every 1s" hx-select="#runs" hx-swap="outerHTML" hx-headers='{"x-refresh": "page"}'`
    : '';
  return html`<h1>Runs</h1>
<form class="filter" method="get" action="/runs" role="search">
<label>Find <input type="search" name="q" value="${text}" maxlength="100" placeholder="Run, file, job or period" autocomplete="off"></label>
<label>State <select name="state"><option value="">all</option>${options}</select></label>
<button>Find</button>
</form>
${
  runs.length === 0
    ? html`<p class="empty">${isNarrowed ? 'No run is like that.' : 'There are no runs yet. The first begins with a file.'}</p>`
    : html`<div class="stack" id="runs"${again}><p class="soft small">${counted(matching, 'run')}${isNarrowed ? ' found' : ''}, newest first. <a href="/payees">Look for a payee</a></p>${isReading ? html`<p class="soft small" role="status">Large runs are being read: how they stand follows in some seconds.</p>` : ''}
<div class="scroll card flush" role="region" tabindex="0" aria-label="Runs"><table class="rows">
<thead><tr><th scope="col">File</th><th scope="col">State</th><th scope="col">Payouts</th><th scope="col">Made</th><th scope="col">Run</th></tr></thead>
<tbody>${runs.map((run) => runRow(run, run.counts ?? open.get(run.summary.run_id) ?? null))}</tbody>
</table></div></div>`
}
${pager('Pages of runs', page, pages, path)}`;
}

function runRow({ summary, state }: RunInHistory, counts: Counts | null): Html {
  const { run_id, created_at, header } = summary;
  const { input, job, period, payouts, rehearsal, retries } = header;
  const of =
    job === null ? '' : html` <span class="tag">${safe(job)}${period === null ? '' : html` ${safe(period)}`}</span>`;
  const words = counts === null ? counted(payouts, 'payout') : countsPart(counts);
  return html`<tr><th scope="row"><a href="/runs/${run_id}">${safe(input.name)}</a>${of}${retries === null ? '' : html` <span class="tag">retry</span>`}</th><td data-label="State">${listedBadge(state)}</td><td data-label="Payouts">${words}${rehearsal ? html` <span class="soft small">rehearsal</span>` : ''}</td><td class="small" data-label="Made">${moment(created_at)}</td><td data-label="Run"><span class="id">${run_id}</span></td></tr>`;
}

const MARKS: Readonly<Record<ListedState, string>> = {
  planned: 'waiting',
  running: 'accepted',
  stopped: 'unresolved',
  finished: 'over',
  cancelled_plan: 'not_submitted',
  overtaken_plan: 'not_submitted',
};

/** The mark says what the word says, that a run is over. How it ended is said by the counts beside it. */
export function listedBadge(state: ListedState): Html {
  const label = LISTED_STATES.find((one) => one.state === state)?.label ?? state;
  return html`<span class="status ${MARKS[state]}">${label}</span>`;
}

/** `38 completed, 2 failed`: what was not completed is seen from afar. */
export function countsPart(counts: Counts): Html {
  const parts = OUTCOMES.filter(({ status }) => counts[status] > 0);
  return html`${parts.map(({ status, label }, at) => {
    const words = `${groupThousands(String(counts[status]))} ${label}`;
    return html`${at === 0 ? '' : ', '}${status === 'completed' ? words : html`<strong class="count ${status}">${words}</strong>`}`;
  })}${parts.length === 0 ? 'none' : ''}`;
}
