import { Hono } from 'hono';
import type { ListedState, RunInHistory } from '../../app/history/runs-in-history.ts';
import type { Counts } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import { counted, searchable } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { hasOneOf, requireRole, SEEING } from '../require-role.ts';
import { type Chip, filterLine, TEXT_MAX } from '../shell/filter-line.ts';
import { type Html, html } from '../shell/html.ts';
import { newPaymentLink } from '../shell/icon.ts';
import { answer, patienceMs } from '../shell/layout.ts';
import {
  byGreatest,
  byText,
  cursorPage,
  type Order,
  sortedBy,
  sortingBy,
  sortOf,
  sortQuery,
} from '../shell/listing.ts';
import { firstMoney } from '../shell/money.ts';
import { asksAgain, type Column, count, moment, pager, pathWith, type Sorting, table } from '../shell/parts.ts';
import { paymentName, periodText } from '../shell/words.ts';
import { signedIn, type Web, type WebEnv } from '../web.ts';
import { goingCounts, reportCounts } from './followed-run.ts';
import { hasBoth, paymentStatus, STATES } from './payment-status.ts';

/** The counts of runs that are not over, by their id; null of those that are still being read. */
export type OpenCounts = ReadonlyMap<string, Counts | null>;

const RUNS_OF_A_PAGE = 25;

/** Every run, newest first. */
export function runsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs', requireRole(...SEEING), async (context) => {
    const { web, person } = signedIn(context);
    const { state: named = '', q = '' } = context.req.query();
    const state = Object.hasOwn(STATES, named) ? (named as ListedState) : null;
    const text = q.trim().slice(0, TEXT_MAX);
    const all = await web.sight.of(person).history();
    const meant = all.filter((run) => hasText(run, text));
    const found = state === null ? meant : meant.filter((run) => run.state === state);
    const sort = sortOf(context, ORDERS);
    const rows = sortedBy(found, ORDERS, sort);
    const { shown, cursor, ...pages } = cursorPage(context, rows, RUNS_OF_A_PAGE, ({ summary }) => summary.run_id);
    const open = await openCounts(web, shown, patienceMs(context));
    const asked = (changes: Record<string, string | number | null>) =>
      pathWith('/runs', { state, q: text, ...sortQuery(sort), ...changes });
    const { after = null, before = null } = context.req.query();
    const list = runsList(shown, { matching: found.length, isNarrowed: state !== null || text !== '' }, open, {
      path: asked({ page: pages.page, after, before }),
      sorting: (by) => sortingBy(by, ORDERS, sort, 'created', asked),
    });
    const line = filterLine({
      path: '/runs',
      find: { typed: text, hint: t`File, job, period or run` },
      about: t`Status`,
      pills: stateChips(meant, state, asked),
      kept: { state, ...sortQuery(sort) },
    });
    const body = html`<div class="head"><h1>Payments</h1>${hasOneOf(person, ['preparer']) && newPaymentLink()}</div>
${line}
${list}
${pager(t`Pages of payments`, pages, (page) => asked({ ...cursor(page) }))}`;
    return answer(context, { title: t`Payments`, here: 'payments', body });
  });
  return app;
}

/** The states of these payments, with counts. */
function stateChips(
  runs: readonly RunInHistory[],
  chosen: ListedState | null,
  path: (changes: Record<string, string | null>) => string,
): Chip[] {
  const counts = Map.groupBy(runs, ({ state }) => state);
  const states = Object.keys(STATES).flatMap((name) => {
    const state = name as ListedState;
    const [rows, isOn] = [counts.get(state)?.length ?? 0, state === chosen];
    return rows === 0 && !isOn ? [] : [{ label: STATES[state].label, path: path({ state }), isOn, rows }];
  });
  return [{ label: t`All`, path: path({ state: null }), isOn: chosen === null, rows: runs.length }, ...states];
}

/** The orders by column; equal ones stay newest first. */
const ORDERS = {
  payment: {
    compare: byText(({ summary }: RunInHistory) => searchable(paymentName(summary.header))),
    direction: 'ascending',
  },
  payouts: { compare: byGreatest(({ summary }: RunInHistory) => summary.header.payouts), direction: 'descending' },
  status: { compare: byText(({ state }: RunInHistory) => STATES[state].label), direction: 'ascending' },
  created: { compare: byGreatest(({ summary }: RunInHistory) => summary.created_at), direction: 'descending' },
} as const satisfies Record<string, Order<RunInHistory>>;

function hasText({ summary }: RunInHistory, text: string): boolean {
  if (text === '') return true;
  const wanted = searchable(text);
  const { input, job, period } = summary.header;
  return [summary.run_id, input.name, job, period].some((one) => one != null && searchable(one).includes(wanted));
}

export async function openCounts(
  { runs, deps }: Web,
  shown: readonly RunInHistory[],
  waitMs: number,
): Promise<OpenCounts> {
  const counts = new Map<string, Counts | null>();
  const look = async (runId: string, isGoing: boolean) => {
    const reading = await runs.reading(runId, waitMs);
    const followed = reading === null ? await runs.read(runId) : null;
    const countsOf = isGoing ? goingCounts : reportCounts;
    if (reading !== null || followed !== null) counts.set(runId, followed && countsOf(followed));
  };
  const open = shown.filter(({ state }) => state === 'running' || state === 'stopped');
  await Promise.all(
    open.map(({ summary: { run_id }, state }) =>
      look(run_id, state === 'running').catch((error: unknown) => {
        // Its own page says what is wrong with it.
        if (!(error instanceof Refusal)) throw error;
        deps.log.warn({ error, run: run_id }, 'a run could not be read');
      }),
    ),
  );
  return counts;
}

function runsList(
  runs: readonly RunInHistory[],
  { matching, isNarrowed }: { matching: number; isNarrowed: boolean },
  open: OpenCounts,
  { path, sorting }: { path: string; sorting(by: keyof typeof ORDERS): Sorting },
): Html {
  if (runs.length === 0) {
    const words = isNarrowed ? t`No payment matches.` : t`No payments yet. Upload a file to create the first one.`;
    return html`<p class="empty">${words}</p>`;
  }
  const isReading = [...open.values()].includes(null);
  const columns: Column<RunInHistory>[] = [
    [t`Payment`, fileCell, 'head', sorting('payment')],
    [t`Period`, ({ summary }) => summary.header.period && periodText(summary.header.period), 'small'],
    [t`Payouts`, ({ summary }) => count(summary.header.payouts), 'number', sorting('payouts')],
    [t`Total`, ({ planned }) => firstMoney(planned?.totals ?? []), 'number'],
    [
      t`Status`,
      (run) => paymentStatus({ ...run, counts: run.counts ?? open.get(run.summary.run_id) ?? null }, hasBoth(runs)),
      undefined,
      sorting('status'),
    ],
    [t`Prepared by`, ({ planned }) => planned?.preparer, 'small'],
    [t`Created`, ({ summary }) => moment(summary.created_at), 'small', sorting('created')],
  ];
  return html`<div class="stack" id="runs"${isReading && asksAgain(path, 'runs')}><p class="soft small">${counted(matching, 'payment')}${isNarrowed && t` found`}. <a href="/payees">Find a recipient</a></p>${isReading && html`<p class="soft small" role="status">Reading large payments: their status follows in a few seconds.</p>`}
${table(t`Payments`, columns, runs)}</div>`;
}

function fileCell({ summary: { run_id, header } }: RunInHistory): Html {
  const { input, retries } = header;
  return html`<a href="/runs/${run_id}" title="${input.name}">${paymentName(header)}</a>${retries && html` <span class="tag">retry</span>`} <span class="soft small id">${run_id}</span>`;
}
