import { Hono } from 'hono';
import { html } from 'hono/html';
import { listRuns } from '../../app/history/list-runs.ts';
import type { Counts } from '../../domain/entry.ts';
import { groupThousands } from '../../domain/money.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunPhase } from '../../domain/run/run-state.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import { counted } from '../../messages/text.ts';
import { OUTCOMES } from '../../report/html/look.ts';
import { overtakenRetries } from '../../runner/retries.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { type Html, moment, pager, pathWith, safe } from '../shell/parts.ts';
import { searchable } from '../shell/words.ts';
import type { Web, WebEnv } from '../web.ts';
import { SEEING } from './found-run.ts';
import { reportCounts } from './snapshot.ts';

/** How a run is called in the history: a plan that was cancelled, or can be started no more, is none that waits. */
type ListedState = RunPhase | 'cancelled_plan' | 'overtaken_plan';

const LISTED_STATES: readonly { state: ListedState; label: string }[] = [
  { state: 'planned', label: 'planned' },
  { state: 'running', label: 'under way' },
  { state: 'stopped', label: 'stopped' },
  { state: 'finished', label: 'finished' },
  { state: 'cancelled_plan', label: 'cancelled plan' },
  { state: 'overtaken_plan', label: 'plan that can be paid no more' },
];

/** `counts` is null where the run is not over: only its journal tells. */
export type RunInHistory = { summary: RunSummary; state: ListedState; counts: Counts | null };

type RunsQuery = { state: ListedState | null; text: string; page: number };

type RunsPage = { query: RunsQuery; runs: RunInHistory[]; matching: number; pages: number };

const RUNS_OF_A_PAGE = 25;
const TEXT_MAX = 100;

function runsQueryOf(asked: Record<string, string | undefined>): RunsQuery {
  const state = LISTED_STATES.find((one) => one.state === asked.state)?.state ?? null;
  const page = /^[1-9]\d{0,5}$/.test(asked.page ?? '') ? Number(asked.page) : 1;
  return { state, text: (asked.q ?? '').trim().slice(0, TEXT_MAX), page };
}

/** Every run, newest first, without reading any of them whole. */
export async function runsInHistory(journal: Journal): Promise<RunInHistory[]> {
  const runs = await listRuns(journal);
  const overtaken = overtakenRetries(runs.map(({ summary }) => summary));
  const all: RunInHistory[] = [];
  for (const { summary, finished: counts, isCancelled, replacedBy } of runs) {
    const { run_id, isPlanned } = summary;
    if (isPlanned) {
      const isGone = isCancelled || replacedBy !== null;
      const state = isGone ? 'cancelled_plan' : overtaken.has(run_id) ? 'overtaken_plan' : 'planned';
      all.push({ summary, state, counts: null });
    } else if (counts !== null) all.push({ summary, state: 'finished', counts });
    else all.push({ summary, state: (await journal.holder(run_id)) === null ? 'stopped' : 'running', counts: null });
  }
  return all;
}

/** One page of the runs that are asked for. A page after the last is the last. */
async function runsPage(journal: Journal, query: RunsQuery): Promise<RunsPage> {
  const found = (await runsInHistory(journal)).filter((run) => isMeant(run, query));
  const pages = Math.max(1, Math.ceil(found.length / RUNS_OF_A_PAGE));
  const page = Math.min(query.page, pages);
  const runs = found.slice((page - 1) * RUNS_OF_A_PAGE, page * RUNS_OF_A_PAGE);
  return { query: { ...query, page }, runs, matching: found.length, pages };
}

function isMeant({ summary, state }: RunInHistory, query: RunsQuery): boolean {
  if (query.state !== null && state !== query.state) return false;
  if (query.text === '') return true;
  const wanted = searchable(query.text);
  const { input, job, period } = summary.header;
  return [summary.run_id, input.name, job, period].some((text) => text != null && searchable(text).includes(wanted));
}

/** How the runs stand that are not over, by their id; null of those that are still being read. */
type OpenCounts = Map<string, Counts | null>;

/** Every run, newest first. */
function runsPageHtml({ query, runs, matching, pages }: RunsPage, open: OpenCounts): Html {
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

/** So long the page waits for runs that have to be read first; how large ones stand follows. */
const PATIENCE_MS = 1_000;

/** Every run there was. */
export function runsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs', requireRole(...SEEING), async (context) => {
    const { web } = context.var;
    const page = await runsPage(web.deps.journal, runsQueryOf(context.req.query()));
    const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
    const body = runsPageHtml(page, await openCounts(web, page, waitMs));
    return answer(context, { title: 'Runs', here: 'runs', body });
  });
  return app;
}

/** How the payouts stand of the runs of this page that are not over; null of those that are still being read. */
async function openCounts({ runs, deps }: Web, page: RunsPage, waitMs: number): Promise<OpenCounts> {
  const counts: OpenCounts = new Map();
  const look = async (runId: string) => {
    const reading = await runs.reading(runId, waitMs);
    const followed = reading === null ? await runs.read(runId) : null;
    if (reading !== null || followed !== null) counts.set(runId, followed === null ? null : reportCounts(followed));
  };
  const open = page.runs.filter(({ state }) => state === 'running' || state === 'stopped');
  await Promise.all(
    open.map(({ summary: { run_id } }) =>
      look(run_id).catch((error: unknown) => {
        // Its own page says what is wrong with it.
        if (!(error instanceof Refusal)) throw error;
        deps.log.warn({ error, run: run_id }, 'a run could not be read');
      }),
    ),
  );
  return counts;
}
