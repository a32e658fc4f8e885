import { Hono } from 'hono';
import { isPaid } from '../../app/history/payouts.ts';
import { accountChangeLately, type BookedPayee, type PayeeBook } from '../../app/payees/payee-book.ts';
import type { Holds } from '../../domain/run/holds.ts';
import { counted, searchable } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { chips } from '../shell/chips.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, askedPage } from '../shell/layout.ts';
import { type Column, moment, option, pageOf, pager, pathWith, type Sorting, table } from '../shell/parts.ts';
import { FILE_KINDS, fileLinks, sendTable } from '../shell/table-files.ts';
import { moneyTexts } from '../shell/words.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { heldBy, heldElsewhere } from './holds.ts';
import { showPayee, statementOf } from './payee.ts';
import { onBook, readWords } from './payee-books.ts';
import { PAYEE_FILE } from './payee-files.ts';

const PAYEES_OF_A_PAGE = 50;
const TEXT_MAX = 100;
const PAGE = textTable({ title: 'Recipients', here: 'recipients' }, ['here']);

/** The payees of runs: their accounts, what changed when, and what they were paid. */
export function payeesRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/payees', sees, onBook(PAGE, showList));
  for (const kind of FILE_KINDS) {
    const take = async (context: WebContext, book: PayeeBook) => {
      const { rows } = found(context, book, await now(context));
      return sendTable(context, { name: 'recipients', columns: PAYEE_FILE, rows }, kind);
    };
    app.get(`/payees.${kind}`, sees, onBook(PAGE, take));
    const statement = (context: WebContext, book: PayeeBook) => statementOf(context, book, kind);
    app.get(`/payees/:id/statement.${kind}`, sees, onBook(PAGE, statement));
  }
  app.get('/payees/:id', sees, onBook(PAGE, showPayee));
  return app;
}

/** What is true at this moment. */
type Now = { nowMs: number; holds: Holds };

async function now({ var: { web } }: WebContext): Promise<Now> {
  return { nowMs: web.deps.clock.wallMs(), holds: (await web.deps.reads.holds()).now };
}

const FILTERS = textTable({
  changed: { label: 'Account changed', has: hasChanged },
  held: { label: 'On hold', has: (payee: BookedPayee, { holds }: Now) => heldBy(payee, holds) !== null },
  never_paid: { label: 'Never paid', has: ({ paid }: BookedPayee) => paid.times === 0 },
}) satisfies Record<string, { label: string; has(payee: BookedPayee, now: Now): boolean }>;

function hasChanged(payee: BookedPayee, { nowMs }: Now): boolean {
  return accountChangeLately(payee, nowMs) !== null;
}

const SORTS = {
  name: null,
  paid: (one: BookedPayee, other: BookedPayee) => other.paid.times - one.paid.times,
  first: (one: BookedPayee, other: BookedPayee) => (other.paid.firstAt ?? 0) - (one.paid.firstAt ?? 0),
  last: (one: BookedPayee, other: BookedPayee) => (other.paid.lastAt ?? 0) - (one.paid.lastAt ?? 0),
} as const;

type Asked = {
  q: string;
  only: keyof typeof FILTERS | null;
  currency: string | null;
  sort: keyof typeof SORTS | null;
};

function askedOf(context: WebContext): Asked {
  const { q = '', only = '', currency = '', sort = '' } = context.req.query();
  return {
    q: q.trim().slice(0, TEXT_MAX),
    only: Object.hasOwn(FILTERS, only) ? (only as keyof typeof FILTERS) : null,
    currency: currency === '' ? null : currency.slice(0, TEXT_MAX),
    sort: Object.hasOwn(SORTS, sort) && sort !== 'name' ? (sort as keyof typeof SORTS) : null,
  };
}

type Found = { asked: Asked; rows: BookedPayee[]; counts: Record<keyof typeof FILTERS, number>; all: number };

/** The payees that are asked for, in the order that is. `counts`: of those with the text and currency. */
function found(context: WebContext, { payees }: PayeeBook, at: Now): Found {
  const asked = askedOf(context);
  const wanted = searchable(asked.q);
  const isMeant = ({ searched, currencies }: BookedPayee) =>
    searched.includes(wanted) && (asked.currency === null || currencies.includes(asked.currency));
  const meant = wanted === '' && asked.currency === null ? payees : payees.filter(isMeant);
  const having = (only: keyof typeof FILTERS) => meant.filter((payee) => FILTERS[only].has(payee, at));
  const rows = asked.only === null ? meant : having(asked.only);
  const compare = SORTS[asked.sort ?? 'name'];
  const counts = {
    changed: having('changed').length,
    held: having('held').length,
    never_paid: having('never_paid').length,
  };
  return { asked, rows: compare === null ? rows : rows.toSorted(compare), counts, all: meant.length };
}

async function showList(context: WebContext, book: PayeeBook) {
  const { web, person } = signedIn(context);
  const at = await now(context);
  const { asked, rows, counts, all } = found(context, book, at);
  const path = (changes: Partial<Record<keyof Asked | 'page', string | number | null>>) =>
    pathWith('/payees', { ...asked, ...changes });
  const { shown, ...pages } = pageOf(rows, askedPage(context), PAYEES_OF_A_PAGE);
  const isNarrowed = asked.q !== '' || asked.only !== null || asked.currency !== null;
  const list =
    shown.length === 0
      ? html`<p class="empty">${either(isNarrowed, 'No recipient matches.', 'Nobody was paid yet.')}</p>`
      : html`<p class="soft small">${counted(rows.length, 'payee')}. ${readWords(book)}</p>
${table(t`Recipients`, columnsOf(asked, path, at), shown)}`;
  const filters = Object.entries(FILTERS).map(([name, { label }]) => {
    const only = name as keyof typeof FILTERS;
    return { label, path: path({ only }), isOn: asked.only === only, rows: counts[only] };
  });
  const currencies = [...new Set(book.payees.flatMap((payee) => payee.currencies))].sort();
  const { q, sort, only, currency } = asked;
  const body = html`<div class="head"><h1>Recipients</h1>${fileLinks('/payees', asked)}</div>
<form class="filter" method="get" action="/payees" role="search">
<label>Find <input type="search" name="q" value="${q}" maxlength="${TEXT_MAX}" placeholder="Name, payee id, last four digits" autocomplete="off"></label>
<label>Currency <select name="currency"><option value="">all</option>${currencies.map((one) => option(one, one, one === currency))}</select></label>
${only !== null && html`<input type="hidden" name="only" value="${only}">`}${sort !== null && html`<input type="hidden" name="sort" value="${sort}">`}
<button>Find</button>
</form>
${chips(t`Filter`, [{ label: t`All`, path: path({ only: null }), isOn: only === null, rows: all }, ...filters])}
${list}
${only === 'held' && web.sight.of(person).seesEverything && heldElsewhere(at.holds, book)}
${pager(t`Pages of payees`, pages, (page) => path({ page }))}`;
  return answer(context, { ...PAGE, body });
}

function columnsOf(
  asked: Asked,
  path: (changes: { sort: keyof typeof SORTS | null }) => string,
  now: Now,
): Column<BookedPayee>[] {
  const sorting = (by: keyof typeof SORTS): Sorting => {
    const isBy = (asked.sort ?? 'name') === by;
    const order = by === 'name' ? 'ascending' : 'descending';
    return { path: path({ sort: by === 'name' ? null : by }), order: isBy ? order : null };
  };
  return [
    [t`Payee`, ({ id, name }) => html`<a href="/payees/${id}">${name}</a>`, 'head', sorting('name')],
    [t`Payee id`, ({ payeeId }) => payeeId],
    [t`Account used last`, lastAccount, 'small'],
    [t`Payouts completed`, ({ paid, payouts }) => t`${paid.times} of ${payouts.length}`, 'number', sorting('paid')],
    [t`Total paid`, ({ paid }) => lines(moneyTexts(paid.totals)), 'number'],
    [t`First paid`, ({ paid }) => paid.firstAt && moment(paid.firstAt), 'small', sorting('first')],
    [t`Last paid`, ({ paid }) => paid.lastAt && moment(paid.lastAt), 'small', sorting('last')],
    [t`Status`, (payee) => statusOf(payee, now)],
  ];
}

function lines(texts: readonly string[]): Html[] {
  return texts.map((text, at) => html`${at > 0 && html`<br>`}${text}`);
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
  return html`${last?.account}${!wasPaid && html` <span class="soft">nothing was paid there yet</span>`}`;
}
