import { Hono } from 'hono';
import { isPaid } from '../../app/history/payouts.ts';
import type { BookedPayee, PayeeBook } from '../../app/payees/payee-book.ts';
import type { Money } from '../../domain/money.ts';
import { counted } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { shownAccount } from '../shell/account.ts';
import { chosenFilters, filterLine } from '../shell/filter-line.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { type Cursor, cursorPage, type Sort, sortingBy, sortQuery } from '../shell/listing.ts';
import { money } from '../shell/money.ts';
import { type Column, moment, option, pager, pathWith, table } from '../shell/parts.ts';
import { FILE_KINDS, fileLinks, sendTable } from '../shell/table-files.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import {
  type Asked,
  FILTERS,
  found,
  hasChanged,
  type Now,
  now,
  type Only,
  ORDERS,
  type SortName,
} from './find-payees.ts';
import { heldBy, heldElsewhere } from './holds.ts';
import { showPayee, statementOf } from './payee.ts';
import { onBook, readWords } from './payee-books.ts';
import { payeeDrawer } from './payee-drawer.ts';
import { PAYEE_FILE } from './payee-files.ts';
import { smallTags, tagChoice, tagColumn, tagsIn } from './tags.ts';

const PAYEES_OF_A_PAGE = 50;
const PAGE = textTable({ title: 'Recipients', here: 'recipients' }, ['here']);

/** The payees of runs: their accounts, what changed when, and what they were paid. */
export function payeesRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/payees', sees, onBook(PAGE, showList));
  for (const kind of FILE_KINDS) {
    const take = async (context: WebContext, book: PayeeBook) => {
      const at = await now(context);
      const columns = [...PAYEE_FILE, tagColumn(at.tags, ({ id }: BookedPayee) => id)];
      return sendTable(
        context,
        { name: 'recipients', title: t`Recipients`, columns, rows: found(context, book, at).rows },
        kind,
      );
    };
    app.get(`/payees.${kind}`, sees, onBook(PAGE, take));
    const statement = (context: WebContext, book: PayeeBook) => statementOf(context, book, kind);
    app.get(`/payees/:id/statement.${kind}`, sees, onBook(PAGE, statement));
  }
  app.get('/payees/:id', sees, onBook(PAGE, showPayee));
  return app;
}

/** The path of the page with what is asked for, and with these changes. */
type Path = (
  changes: Partial<Record<keyof Asked | keyof Cursor | 'sort' | 'order' | 'payee', string | number | null>>,
) => string;

async function showList(context: WebContext, book: PayeeBook) {
  const { web, person } = signedIn(context);
  const at = await now(context);
  const { asked, sort, rows, counts, all } = found(context, book, at);
  const path: Path = (changes) => pathWith('/payees', { ...asked, ...sortQuery(sort), ...changes });
  const { payee: chosen = null, after = null, before = null } = context.req.query();
  const { shown, cursor, ...pages } = cursorPage(context, rows, PAYEES_OF_A_PAGE, ({ id }) => id);
  const beside = (payee: string | null) => path({ page: pages.page, after, before, payee });
  const isNarrowed = asked.q !== '' || [asked.only, asked.currency, asked.tag].some((one) => one !== null);
  const list =
    shown.length === 0
      ? html`<p class="empty">${either(isNarrowed, 'No recipient matches.', 'Nobody has been paid yet.')}</p>`
      : table(t`Recipients`, columnsOf({ sort, path, beside, chosen }, at), shown, { className: 'rows lines book' });
  const filters = Object.entries(FILTERS).map(([name, { label }]) => {
    const only = name as Only;
    return { label, path: path({ only }), isOn: asked.only === only, rows: counts[only] };
  });
  const { currencies } = book;
  const { q, only, currency, tag } = asked;
  const tagNames = tagsIn(book, at.tags);
  const line = filterLine({
    path: '/payees',
    find: { typed: q, hint: t`Name, ID, last four digits` },
    about: t`Filter`,
    pills: [{ label: t`All`, path: path({ only: null }), isOn: only === null, rows: all }, ...filters],
    more: html`<label>Currency <select name="currency"><option value="">all currencies</option>${currencies.map((one) => option(one, one, one === currency))}</select></label>
${tagChoice(tagNames, tag)}`,
    kept: { only, ...sortQuery(sort) },
    files: fileLinks('/payees', { ...asked, ...sortQuery(sort) }),
    chosen: chosenFilters({ currency, tag }, path),
  });
  const open = chosen === null ? undefined : book.byId.get(chosen);
  const page = html`<div class="stack tight"><h1>Recipients</h1>
<p class="soft small">${counted(rows.length, 'recipient')}. ${readWords(book)}</p></div>
${line}
${list}
${only === 'held' && web.sight.of(person).seesEverything && heldElsewhere(at.holds, book)}
${pager(t`Pages of recipients`, pages, (to) => path({ ...cursor(to) }))}`;
  const body = open && html`<div class="body">${page}</div>${await payeeDrawer(context, open, beside(null))}`;
  return answer(context, { ...PAGE, body: body ?? page });
}

/** `beside`: the address of this page with that payee's drawer; `chosen`: the payee it shows now. */
type Listed = { sort: Sort<SortName>; path: Path; beside(payee: string): string; chosen: string | null };

function columnsOf({ sort, path, beside, chosen }: Listed, now: Now): Column<BookedPayee>[] {
  const sorting = (by: SortName) => sortingBy(by, ORDERS, sort, 'name', path);
  return [
    [
      t`Recipient`,
      ({ id, name, payeeId }) =>
        html`<a data-beside="${beside(id)}"${id === chosen && html` aria-current="true"`} href="/payees/${id}">${name}</a>${payeeId && html` <small>${payeeId}</small>`}${smallTags(now.tags, id)}`,
      'head',
      sorting('name'),
    ],
    [t`Account used last`, lastAccount, 'small', sorting('account')],
    [t`Payouts completed`, ({ paid, payouts }) => t`${paid.times} of ${payouts.length}`, 'number', sorting('paid')],
    [t`Total paid`, ({ paid }) => lines(paid.totals), 'number', sorting('total')],
    [t`First paid`, ({ paid }) => paid.firstAt && moment(paid.firstAt), 'small', sorting('first')],
    [t`Last paid`, ({ paid }) => paid.lastAt && moment(paid.lastAt), 'small', sorting('last')],
    [t`Status`, (payee) => statusOf(payee, now)],
  ];
}

function lines(sums: readonly Money[]): Html[] {
  return sums.map(({ minor, currency }, at) => html`${at > 0 && html`<br>`}${money(minor, currency)}`);
}

function statusOf(payee: BookedPayee, now: Now): Html {
  if (heldBy(payee, now.holds) !== null) return html`<span class="status unresolved">On hold</span>`;
  if (payee.paid.times === 0) return html`<span class="status not_submitted">Never paid</span>`;
  const isChanged = hasChanged(payee, now);
  return html`<span class="status ${isChanged ? 'in_doubt' : 'completed'}">${either(isChanged, 'Account changed', 'Active')}</span>`;
}

function lastAccount({ payouts }: BookedPayee): Html {
  const [last] = payouts;
  const wasPaid = payouts.some((one) => isPaid(one) && one.accountKey === last?.accountKey);
  return html`${last && shownAccount(last)}${!wasPaid && html` <span class="soft">nothing was paid there yet</span>`}`;
}
