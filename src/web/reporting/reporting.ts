import { Hono } from 'hono';
import type { HistoricPayout } from '../../app/history/payouts.ts';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { entityOfRun } from '../../domain/run/entity.ts';
import { messages } from '../../messages/messages.ts';
import { counted, listed } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { ANYBODY, asViewer } from '../../messages/viewer.ts';
import { payoutLink, payoutStatus } from '../payees/payee.ts';
import { onBook, readWords } from '../payees/payee-books.ts';
import { PAYOUT_FILE } from '../payees/payee-files.ts';
import { tagChoice, tagColumn, tagsIn } from '../payees/tags.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { chips } from '../shell/chips.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import {
  byGreatest,
  byText,
  type Cursor,
  cursorPage,
  type Order,
  type Sort,
  sortedBy,
  sortingBy,
  sortOf,
  sortQuery,
} from '../shell/listing.ts';
import { money } from '../shell/money.ts';
import {
  type Column,
  choice,
  hiddenField,
  moment,
  option,
  pager,
  pathWith,
  problemNotice,
  table,
} from '../shell/parts.ts';
import { FILE_KINDS, fileLinks, sendTable } from '../shell/table-files.ts';
import { capitalized, moneyTexts, paymentName } from '../shell/words.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { type Asked, askedOf, payoutsFor, RETURNED, stateOf, TEXT_MAX, unreadAmounts } from './filters.ts';
import { found, type States } from './found.ts';
import { type Entity, entitiesIn, entityColumns, reportTabs, spendRoutes } from './spend.ts';

const PAYOUTS_OF_A_PAGE = 50;

const PAGE = textTable({ title: 'Reports', here: 'reports' }, ['here']);

/** Every payout of the newest runs, found by what is known of it, in the order of any column, and as files. */
export function reportsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/reports', sees, onBook(PAGE, showPayouts));
  for (const kind of FILE_KINDS) {
    const take = async (context: WebContext, book: PayeeBook) => {
      const tags = await context.var.web.tags.all();
      const rows = sortedBy(payoutsFor(book, askedOf(context), tags).rows, ORDERS, sortOf(context, ORDERS));
      const entity = entityColumns(await entitiesIn(context, book), ({ payment }: HistoricPayout) =>
        entityOfRun(payment),
      );
      const tag = tagColumn(tags, ({ payee }: HistoricPayout) => payee);
      return sendTable(
        context,
        { name: 'payouts', title: t`Payouts`, columns: [...PAYOUT_FILE, tag, ...entity], rows },
        kind,
      );
    };
    app.get(`/reports/payouts.${kind}`, sees, onBook(PAGE, take));
  }
  app.route('/', spendRoutes());
  return app;
}

/** The path of the page with what is asked for, and with these changes. */
type Path = (changes: Partial<Record<keyof Asked | keyof Cursor | 'sort' | 'order', string | number | null>>) => string;

async function showPayouts(context: WebContext, book: PayeeBook) {
  const asked = askedOf(context);
  const sort = sortOf(context, ORDERS);
  const columns = columnsOf(context);
  const tags = await context.var.web.tags.all();
  const { rows, sums, ...counts } = found(book, { asked, sort, tags }, (some) => sortedBy(some, ORDERS, sort));
  const { shown, cursor, ...pages } = cursorPage(context, rows, PAYOUTS_OF_A_PAGE, keyOf);
  const chosen = columns.join() === STANDARD.join() ? null : columns.join(' ');
  const path: Path = (changes) => pathWith('/reports', { ...asked, ...sortQuery(sort), columns: chosen, ...changes });
  const sorted = (name: ColumnName | 'payee' | 'amount', [title, cell, kind]: Column<HistoricPayout>) =>
    [title, cell, kind, sortingBy(name, ORDERS, sort, 'started', path)] as const;
  const tableColumns = [
    sorted('payee', ALWAYS.payee),
    sorted('amount', ALWAYS.amount),
    ...columns.map((name) => sorted(name, CHOSEN[name])),
  ];
  const list =
    shown.length === 0
      ? html`<p class="empty">${either(book.payouts.length === 0, 'Nothing was paid yet.', 'No payout matches.')}</p>`
      : html`<p class="soft small">${counted(rows.length, 'payout')} of ${moneyTexts(sums).join(', ')}. ${readWords(book)}</p>
${table(t`Payouts`, tableColumns, shown)}`;
  const entities = await entitiesIn(context, book);
  const unread = unreadAmounts(asked);
  const body = html`<div class="head"><h1>Reports</h1>${fileLinks('/reports/payouts', { ...asked, ...sortQuery(sort) })}</div>
${reportTabs('payouts')}
${searchForm(asked, { book, entities, tags: tagsIn(book, tags), columns, sort })}
${unread.length > 0 && problemNotice({ message: t`Not an amount: ${listed(unread)}.`, remedy: t`Type it as 1234.50 or 1,234.50, without a currency.` })}
${activeChips(asked, entities, path)}
${chips(t`Status`, stateChips(asked, counts, path))}
${list}
${pager(t`Pages of payouts`, pages, (page) => path({ ...cursor(page) }))}`;
  return answer(context, { ...PAGE, body });
}

function keyOf({ payment, row }: HistoricPayout): string {
  return `${payment.run_id}.${row}`;
}

function stateChips(asked: Asked, { all, states: counts }: States, path: Path) {
  const labels = Object.entries({ ...messages.outcomes.STATUS_LABELS, [RETURNED]: t`returned` });
  const states = labels.map(([state, label]) => {
    const rows = counts.get(state) ?? 0;
    return { label: capitalized(label), path: path({ state }), isOn: asked.state === state, rows };
  });
  return [
    { label: t`All`, path: path({ state: null }), isOn: asked.state === null, rows: all },
    ...states.filter(({ rows, isOn }) => rows > 0 || isOn),
  ];
}

/** The filters in use, each of which a click takes away. */
function activeChips({ q, tag, currency, entity, from, to, min, max }: Asked, entities: readonly Entity[], path: Path) {
  const named = entities.find(({ id }) => id === entity)?.name ?? entity;
  const active: [keyof Asked, string | null][] = [
    ['q', q === '' ? null : `“${q}”`],
    ['currency', currency],
    ['tag', tag],
    ['entity', named],
    ['from', from && t`From ${from}`],
    ['to', to && t`To ${to}`],
    ['min', min && t`At least ${min}`],
    ['max', max && t`At most ${max}`],
  ];
  const shown = active.flatMap(([name, words]) => (words === null ? [] : [{ name, words }]));
  if (shown.length === 0) return null;
  return chips(
    t`Remove filter`,
    shown.map(({ name, words }) => ({ label: `${words} ×`, path: path({ [name]: null }), isOn: false })),
  );
}

type Form = {
  book: PayeeBook;
  entities: readonly Entity[];
  tags: readonly string[];
  columns: readonly ColumnName[];
  sort: Sort<string>;
};

function searchForm(asked: Asked, { book, entities, tags, columns, sort }: Form): Html {
  const { q, state, currency, entity, from, to, min, max } = asked;
  const { currencies } = book;
  const boxes = COLUMN_NAMES.map((name) =>
    choice('column', name, CHOSEN[name][0], { isTicked: columns.includes(name) }),
  );
  const ofEntity =
    entities.length > 1 &&
    html`<label>Entity <select name="entity"><option value="">all entities</option>${entities.map(({ id, name }) => option(id, name, id === entity))}</select></label>`;
  return html`<form class="filter wide" method="get" action="/reports" role="search">
<label>Find <input type="search" id="find" name="q" value="${q}" maxlength="${TEXT_MAX}" placeholder="Recipient, amount, reference, token, transaction" autocomplete="off"></label>
<label>Currency <select name="currency"><option value="">all</option>${currencies.map((one) => option(one, one, one === currency))}</select></label>
<label>From <input type="date" name="from" value="${from}"></label>
<label>Until <input type="date" name="to" value="${to}"></label>
<button>Find</button>
<label>At least <input name="min" value="${min}" maxlength="40" inputmode="decimal" placeholder="0.00" autocomplete="off"></label>
<label>At most <input name="max" value="${max}" maxlength="40" inputmode="decimal" placeholder="0.00" autocomplete="off"></label>
${ofEntity}
${tagChoice(tags, asked.tag)}
${hiddenField('state', state)}${hiddenField('sort', sort.by)}${hiddenField('order', sortQuery(sort).order)}
<details class="all-columns"><summary>Columns</summary><fieldset class="row"><legend class="hidden">Columns</legend>${boxes}</fieldset></details>
</form>`;
}

const ALWAYS = textTable(
  {
    payee: ['Recipient', ({ payee, name }) => html`<a href="/payees/${payee}">${name}</a>`, 'head'],
    amount: ['Amount', ({ minor, currency }) => money(minor, currency), 'number'],
  },
  ['2'],
) satisfies Record<string, Column<HistoricPayout>>;

/** Columns that people choose, by their names in an address. */
const CHOSEN = textTable(
  {
    payee_id: ['Recipient ID', ({ payeeId }) => payeeId],
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
/** The orders by column. The amounts of a currency are beside each other, the largest first; equal ones stay as the payments stand. */
const ORDERS: Readonly<Record<ColumnName | 'payee' | 'amount', Order<HistoricPayout>>> = {
  payee: { compare: byText(({ searched }) => searched), direction: 'ascending' },
  amount: { compare: byAmount, direction: 'descending' },
  payee_id: { compare: byText(({ payeeId }) => payeeId), direction: 'ascending' },
  to: { compare: byText(({ account }) => account), direction: 'ascending' },
  reference: { compare: byText(({ reference }) => reference), direction: 'ascending' },
  status: { compare: byText(stateOf), direction: 'ascending' },
  payment: { compare: byText(({ payment }) => nameOf(payment)), direction: 'ascending' },
  transaction: { compare: byText(({ transactionId }) => transactionId), direction: 'ascending' },
  token: { compare: byText(({ token }) => token), direction: 'ascending' },
  started: { compare: byGreatest(({ payment }) => payment.at), direction: 'descending' },
  finished: { compare: byGreatest(({ finishedAt }) => finishedAt), direction: 'descending' },
};

const NAMES = new WeakMap<HistoricPayout['payment'], string>();

/** What a payment is called in English, made once for all of its payouts: to name a period takes some microseconds. */
function nameOf(payment: HistoricPayout['payment']): string {
  const name = NAMES.get(payment) ?? asViewer(ANYBODY, () => paymentName(payment));
  NAMES.set(payment, name);
  return name;
}

function byAmount(one: HistoricPayout, other: HistoricPayout): number {
  const [a, b] = [currencyLabel(one.currency), currencyLabel(other.currency)];
  if (a !== b) return a < b ? -1 : 1;
  return one.minor > other.minor ? -1 : one.minor < other.minor ? 1 : 0;
}

const STANDARD: readonly ColumnName[] = ['to', 'reference', 'status', 'payment', 'started'];

/** Those that are ticked in the form, or named in the address; the standard ones where none is. */
function columnsOf(context: WebContext): readonly ColumnName[] {
  const named = new Set([...(context.req.queries('column') ?? []), ...(context.req.query('columns') ?? '').split(' ')]);
  const columns = COLUMN_NAMES.filter((name) => named.has(name));
  return columns.length === 0 ? STANDARD : columns;
}
