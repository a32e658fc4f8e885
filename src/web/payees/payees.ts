import { Hono } from 'hono';
import type { BookedPayee, PayeeBook, PayeePayout } from '../../app/payees/payee-book.ts';
import { counted, searchable } from '../../messages/text.ts';
import { statusBadge } from '../../report/html/look.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { type Html, html, raw } from '../shell/html.ts';
import { answer, askedPage, errorPage, patienceMs } from '../shell/layout.ts';
import { type Column, moment, pageOf, pager, pathWith, table, waitingPart } from '../shell/parts.ts';
import { amountText } from '../shell/words.ts';
import type { Web, WebContext, WebEnv } from '../web.ts';
import { PayeeBooks } from './payee-books.ts';

const PAYEES_OF_A_PAGE = 50;
const PAYOUTS_OF_A_PAGE = 50;
const TEXT_MAX = 100;

const NO_SUCH_PAYEE = {
  status: 404,
  message: 'There is no such payee in the newest runs.',
  remedy: 'Look for them under Recipients.',
} as const;

/** The payees of runs: their accounts, and what changed when. */
export function payeesRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/payees', sees, onBook(showList));
  app.get('/payees/:id', sees, onBook(showPayee));
  return app;
}

/** Hands the payees of the newest runs to `show`; while they are gathered, the page asks again. */
function onBook(show: (context: WebContext, book: PayeeBook) => Response | Promise<Response>) {
  return async (context: WebContext): Promise<Response> => {
    const book = await booksOf(context.var.web).look(patienceMs(context));
    if (book !== null) return show(context, book);
    const { pathname, search } = new URL(context.req.url);
    const hint = 'The payees and their accounts are gathered from the newest of them.';
    const body = html`<h1>Recipients</h1>${waitingPart(`${pathname}${search}`, 'The runs are being read …', hint)}`;
    return answer(context, { title: 'Recipients', here: 'recipients', asksAgain: true, body });
  };
}

const BOOKS = new WeakMap<Web, PayeeBooks>();

function booksOf(web: Web): PayeeBooks {
  const books = BOOKS.get(web) ?? new PayeeBooks(web.deps);
  BOOKS.set(web, books);
  return books;
}

/** The payees whose name or payee id holds the text, by name and a page at a time. */
function showList(context: WebContext, book: PayeeBook) {
  const text = (context.req.query('q') ?? '').trim().slice(0, TEXT_MAX);
  const wanted = searchable(text);
  const found = wanted === '' ? book.payees : book.payees.filter(({ searched }) => searched.includes(wanted));
  const { shown, ...pages } = pageOf(found, askedPage(context), PAYEES_OF_A_PAGE);
  const list =
    shown.length === 0
      ? html`<p class="empty">${text === '' ? 'Nobody was paid yet.' : 'No payee is called like that.'}</p>`
      : html`<p class="soft small">${counted(found.length, 'payee')}. ${readWords(book)}</p>
${table('Recipients', PAYEE_COLUMNS, shown)}`;
  const body = html`<h1>Recipients</h1>
<form class="filter" method="get" action="/payees" role="search">
<label>Find <input type="search" name="q" value="${text}" maxlength="${TEXT_MAX}" placeholder="Name or payee id" autocomplete="off"></label>
<button>Find</button>
</form>
${list}
${pager('Pages of payees', pages, (page) => pathWith('/payees', { q: text, page }))}`;
  return answer(context, { title: 'Recipients', here: 'recipients', body });
}

/** What was read is not all there ever was. */
function readWords({ runs, isWhole, damaged }: PayeeBook): string {
  const without = damaged === 0 ? '' : ` ${counted(damaged, 'run')} cannot be read.`;
  return `${isWhole ? 'From all runs.' : `From the newest ${counted(runs, 'run')}: older ones are not in it.`}${without}`;
}

const isCompleted = ({ status }: PayeePayout) => status === 'completed';

const PAYEE_COLUMNS: readonly Column<BookedPayee>[] = [
  ['Payee', ({ id, name }) => html`<a href="/payees/${id}">${name}</a>`, 'head'],
  ['Payee id', ({ payeeId }) => payeeId],
  ['Account used last', lastAccount, 'small'],
  ['Payouts completed', ({ payouts }) => `${payouts.filter(isCompleted).length} of ${payouts.length}`, 'number'],
  ['Last run', ({ payouts: [last] }) => last && moment(last.at), 'small'],
];

function lastAccount({ payouts }: BookedPayee): Html {
  const [last] = payouts;
  const isPaid = payouts.some((payout) => isCompleted(payout) && payout.accountKey === last?.accountKey);
  return html`${last?.account}${!isPaid && html` <span class="soft">nothing was paid there yet</span>`}`;
}

/** One payee: their accounts, what changed when, and what they were paid. */
function showPayee(context: WebContext, book: PayeeBook) {
  const payee = book.payees.find(({ id }) => id === context.req.param('id'));
  if (payee === undefined) return errorPage(context, NO_SUCH_PAYEE);
  const { id, name, payeeId, payouts } = payee;
  const { shown, ...pages } = pageOf(payouts, askedPage(context), PAYOUTS_OF_A_PAGE);
  const changes = changesOf(payee);
  const body = html`<div class="stack tight"><p class="soft small crumbs"><a href="/payees">Recipients</a></p>
<div class="row"><h1>${name}</h1>${payeeId && html`<span class="tag">${payeeId}</span>`}</div>
<p class="soft small">${readWords(book)}</p></div>
<section class="stack" aria-labelledby="accounts"><h2 id="accounts">Accounts</h2>
${table('Accounts of the payee', ACCOUNT_COLUMNS, accountsOf(payee))}</section>
<section class="stack" aria-labelledby="changes"><h2 id="changes">What changed</h2>
${changes.length === 0 ? html`<p class="soft">Nothing: the same name and account each time.</p>` : html`<ol class="card story">${changes}</ol>`}</section>
<section class="stack" aria-labelledby="payouts"><h2 id="payouts">Payouts</h2>
${table('Payouts of the payee', PAYOUT_COLUMNS, shown)}
${pager('Pages of payouts', pages, (page) => pathWith(`/payees/${id}`, { page }))}</section>`;
  return answer(context, { title: name, here: 'recipients', body });
}

/** An account of a payee, by the runs that were read: its payouts, oldest first. */
type PayeeAccount = { account: string; payouts: PayeePayout[] };

/** The payee's accounts, that which was used last first. */
function accountsOf({ payouts }: BookedPayee): PayeeAccount[] {
  // The newest payout is the first.
  const byAccount = Map.groupBy(payouts, ({ accountKey }) => accountKey);
  return Array.from(byAccount.values(), (own) => ({ account: own.at(-1)?.account ?? '', payouts: own.toReversed() }));
}

const ACCOUNT_COLUMNS: readonly Column<PayeeAccount>[] = [
  ['Account', ({ account }) => account, 'head'],
  ['Currency', ({ payouts }) => [...new Set(payouts.map(({ currency }) => currency))].join(', ')],
  ['First in a run', ({ payouts }) => momentOf(payouts[0]), 'small'],
  ['First paid', ({ payouts }) => momentOf(payouts.find(isCompleted)) ?? 'never yet', 'small'],
  ['Last in a run', ({ payouts }) => momentOf(payouts.at(-1)), 'small'],
  ['Payouts', ({ payouts }) => payouts.length, 'number'],
];

function momentOf(payout: PayeePayout | undefined): Html | null {
  return payout === undefined ? null : moment(payout.at);
}

/** What changed when, newest first: the name, and per currency the account. */
function changesOf({ payouts }: BookedPayee): Html[] {
  const changes: Html[] = [];
  const last = new Map<string, PayeePayout>();
  let named: PayeePayout | null = null;
  for (const payout of payouts.toReversed()) {
    const before = last.get(payout.currency);
    if (before !== undefined && before.accountKey !== payout.accountKey)
      changes.push(changeItem(payout, 'Another account', before.account, payout.account));
    if (named !== null && named.name !== payout.name)
      changes.push(changeItem(payout, 'Another name', named.name, payout.name));
    last.set(payout.currency, payout);
    named = payout;
  }
  return changes.reverse();
}

function changeItem({ at, runId }: PayeePayout, what: string, before: string, after: string): Html {
  return html`<li><span class="soft small">${moment(at)}</span><span>${what}: ${before} became <strong>${after}</strong>, in <a class="id" href="/runs/${runId}">${runId}</a></span></li>`;
}

const PAYOUT_COLUMNS: readonly Column<PayeePayout>[] = [
  [
    'Run',
    ({ runId, row }) =>
      html`<a class="id" href="/runs/${runId}/rows?q=${row}">${runId}</a> <span class="soft small">row ${row}</span>`,
    'head',
  ],
  ['Amount', ({ amount, currency }) => amountText(amount, currency), 'number'],
  ['To', ({ account }) => account, 'small'],
  [
    'State',
    ({ status, rehearsal }) =>
      html`${raw(statusBadge(status))}${rehearsal && html` <span class="soft small">rehearsal</span>`}`,
  ],
  ['Started', ({ at }) => moment(at), 'small'],
];
