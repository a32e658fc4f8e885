import { Hono } from 'hono';
import { amountOf, type HistoricPayout } from '../../app/history/payouts.ts';
import { type PayeeBook, totalsOf } from '../../app/payees/payee-book.ts';
import { messages } from '../../messages/messages.ts';
import { counted } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { payoutLink, payoutStatus } from '../payees/payee.ts';
import { onBook, readWords } from '../payees/payee-books.ts';
import { PAYOUT_FILE } from '../payees/payee-files.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { chips } from '../shell/chips.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, askedPage } from '../shell/layout.ts';
import { type Column, choice, hiddenField, moment, option, pageOf, pager, pathWith, table } from '../shell/parts.ts';
import { FILE_KINDS, fileLinks, sendTable } from '../shell/table-files.ts';
import { amountText, capitalized, moneyTexts } from '../shell/words.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { type Asked, askedOf, payoutsFor, TEXT_MAX } from './filters.ts';
import { reportTabs, spendRoutes } from './spend.ts';

const PAYOUTS_OF_A_PAGE = 50;

const PAGE = textTable({ title: 'Reports', here: 'reports' }, ['here']);

/** Every payout of the newest runs, found by what is known of it, and as files. */
export function reportsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/reports', sees, onBook(PAGE, showPayouts));
  for (const kind of FILE_KINDS) {
    const take = (context: WebContext, book: PayeeBook) =>
      sendTable(
        context,
        { name: 'payouts', columns: PAYOUT_FILE, rows: payoutsFor(book, askedOf(context)).rows },
        kind,
      );
    app.get(`/reports/payouts.${kind}`, sees, onBook(PAGE, take));
  }
  app.route('/', spendRoutes());
  return app;
}

function showPayouts(context: WebContext, book: PayeeBook) {
  const asked = askedOf(context);
  const columns = columnsOf(context);
  const { all, rows } = payoutsFor(book, asked);
  const { shown, ...pages } = pageOf(rows, askedPage(context), PAYOUTS_OF_A_PAGE);
  const isStandard = columns.join() === STANDARD.join();
  const path = (changes: Partial<Asked> & { page?: number }) =>
    pathWith('/reports', { ...asked, columns: isStandard ? null : columns.join(' '), ...changes });
  const list =
    shown.length === 0
      ? html`<p class="empty">${either(book.payouts.length === 0, 'Nothing was paid yet.', 'No payout matches.')}</p>`
      : html`<p class="soft small">${counted(rows.length, 'payout')} of ${moneyTexts(totalsOf(rows)).join(', ')}. ${readWords(book)}</p>
${table(t`Payouts`, [...alwaysShown(), ...columns.map((name) => CHOSEN[name])], shown)}`;
  const body = html`<div class="head"><h1>Reports</h1>${fileLinks('/reports/payouts', asked)}</div>
${reportTabs('payouts')}
${searchForm(asked, book, columns)}
${chips(t`Status`, stateChips(asked, all, path))}
${list}
${pager(t`Pages of payouts`, pages, (page) => path({ page }))}`;
  return answer(context, { ...PAGE, body });
}

function stateChips(asked: Asked, all: readonly HistoricPayout[], path: (changes: Partial<Asked>) => string) {
  const counts = Map.groupBy(all, ({ status }) => status);
  const states = Object.entries(messages.outcomes.STATUS_LABELS).map(([state, label]) => {
    const rows = counts.get(state as HistoricPayout['status'])?.length ?? 0;
    return { label: capitalized(label), path: path({ state }), isOn: asked.state === state, rows };
  });
  return [
    { label: t`All`, path: path({ state: null }), isOn: asked.state === null, rows: all.length },
    ...states.filter(({ rows, isOn }) => rows > 0 || isOn),
  ];
}

function searchForm({ q, state, currency, from, to }: Asked, book: PayeeBook, columns: readonly ColumnName[]): Html {
  const currencies = [...new Set(book.payees.flatMap((payee) => payee.currencies))].sort();
  const boxes = COLUMN_NAMES.map((name) =>
    choice('column', name, CHOSEN[name][0], { isTicked: columns.includes(name) }),
  );
  return html`<form class="filter wide" method="get" action="/reports" role="search">
<label>Find <input type="search" name="q" value="${q}" maxlength="${TEXT_MAX}" placeholder="Payee, amount, reference, token, transaction" autocomplete="off"></label>
<label>Currency <select name="currency"><option value="">all</option>${currencies.map((one) => option(one, one, one === currency))}</select></label>
<label>From <input type="date" name="from" value="${from}"></label>
<label>To <input type="date" name="to" value="${to}"></label>
${hiddenField('state', state)}
<button>Find</button>
<details class="all-columns"><summary>Columns</summary><fieldset class="row"><legend class="hidden">Columns</legend>${boxes}</fieldset></details>
</form>`;
}

const alwaysShown = (): readonly Column<HistoricPayout>[] => [
  [t`Payee`, ({ payee, name }) => html`<a href="/payees/${payee}">${name}</a>`, 'head'],
  [t`Amount`, (payout) => amountText(...amountOf(payout)), 'number'],
];

/** Columns that people choose, by their names in an address. */
const CHOSEN = textTable(
  {
    payee_id: ['Payee id', ({ payeeId }) => payeeId],
    to: ['To', ({ account }) => account, 'small'],
    reference: ['Reference', ({ reference }) => reference, 'small'],
    status: ['Status', payoutStatus],
    payment: ['Payment', payoutLink, 'small'],
    transaction: ['Transaction', ({ transactionId }) => html`<span class="id">${transactionId}</span>`, 'small'],
    token: ['Token', ({ token }) => html`<span class="id">${token}</span>`, 'small'],
    started: ['Started', ({ payment }) => moment(payment.at), 'small'],
    finished: ['Finished', ({ finishedAt }) => finishedAt && moment(finishedAt), 'small'],
  },
  ['2'],
) satisfies Record<string, Column<HistoricPayout>>;

type ColumnName = keyof typeof CHOSEN;

const COLUMN_NAMES = Object.keys(CHOSEN) as ColumnName[];
const STANDARD: readonly ColumnName[] = ['to', 'reference', 'status', 'payment', 'started'];

/** Those that are ticked in the form, or named in the address; the standard ones where none is. */
function columnsOf(context: WebContext): readonly ColumnName[] {
  const named = new Set([...(context.req.queries('column') ?? []), ...(context.req.query('columns') ?? '').split(' ')]);
  const columns = COLUMN_NAMES.filter((name) => named.has(name));
  return columns.length === 0 ? STANDARD : columns;
}
