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
import { tagColumn, tagsIn } from '../payees/tags.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { shownAccount } from '../shell/account.ts';
import { chosenFilters, filterLine } from '../shell/filter-line.ts';
import { html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import {
  byGreatest,
  byText,
  type Cursor,
  cursorPage,
  type Order,
  sortedBy,
  sortingBy,
  sortOf,
  sortQuery,
} from '../shell/listing.ts';
import { money } from '../shell/money.ts';
import { type Column, choice, moment, pager, pathWith, problemNotice, table } from '../shell/parts.ts';
import { FILE_KINDS, fileLinks, sendTable } from '../shell/table-files.ts';
import { capitalized, moneyTexts, paymentName } from '../shell/words.ts';
import type { WebContext, WebEnv } from '../web.ts';
import {
  type Asked,
  activeFilters,
  askedOf,
  otherFields,
  payoutsFor,
  RETURNED,
  stateOf,
  unreadAmounts,
} from './filters.ts';
import { found, type States } from './found.ts';
import { entitiesIn, entityColumns, reportTabs, spendRoutes } from './spend.ts';

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
      ? html`<p class="empty">${either(book.payouts.length === 0, 'Nothing has been paid yet.', 'No payout matches.')}</p>`
      : table(t`Payouts`, tableColumns, shown);
  const entities = await entitiesIn(context, book);
  const unread = unreadAmounts(asked);
  const what =
    rows.length === 0
      ? html`${counted(0, 'payout')}. ${readWords(book)}`
      : html`${counted(rows.length, 'payout')} of ${moneyTexts(sums).join(', ')}. ${readWords(book)}`;
  const boxes = COLUMN_NAMES.map((name) =>
    choice('column', name, CHOSEN[name][0], { isTicked: columns.includes(name) }),
  );
  const line = filterLine({
    path: '/reports',
    find: { typed: asked.q, hint: t`Recipient, amount, reference, token, transaction` },
    about: t`Status`,
    pills: stateChips(asked, counts, path),
    more: otherFields(asked, { book, entities, tags: tagsIn(book, tags) }),
    columns: boxes,
    kept: { state: asked.state, ...sortQuery(sort) },
    files: fileLinks('/reports/payouts', { ...asked, ...sortQuery(sort) }),
    chosen: chosenFilters(activeFilters(asked, entities), path),
  });
  const body = html`<div class="stack tight"><h1>Reports</h1>
<p class="soft small">${what}</p></div>
${reportTabs('payouts')}
${line}
${unread.length > 0 && problemNotice({ message: t`Not an amount: ${listed(unread)}.`, remedy: t`Type it as 1234.50 or 1,234.50, without a currency.` })}
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
    to: ['To', shownAccount, 'small'],
    reference: ['Reference', ({ reference }) => reference, 'small'],
    status: ['Status', payoutStatus],
    payment: ['Payment', payoutLink, 'small names'],
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
