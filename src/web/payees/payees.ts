import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { counted } from '../../messages/text.ts';
import { statusBadge } from '../../report/html/look.ts';
import { requireRole } from '../require-role.ts';
import { SEEING } from '../runs/found-run.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { type Html, moment, pager, pathWith, safe } from '../shell/parts.ts';
import { amountText, searchable } from '../shell/words.ts';
import { waitingPart } from '../uploads/upload-parts.ts';
import type { Web, WebContext, WebEnv } from '../web.ts';
import { type BookedPayee, type PayeeBook, PayeeBooks, type PayeePayout } from './payee-book.ts';

const TEXT_MAX = 100;
/** So long the page waits for the runs to be read. */
const PATIENCE_MS = 1_000;

/** Whom runs have paid: their accounts, and what changed when. */
export function payeesRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const books = new WeakMap<Web, PayeeBooks>();
  const booksOf = (web: Web): PayeeBooks => {
    const known = books.get(web) ?? new PayeeBooks(web.deps.journal, web.deps.clock);
    books.set(web, known);
    return known;
  };

  app.get('/payees', requireRole(...SEEING), async (context) => {
    const book = await booksOf(context.var.web).look(patience(context));
    if (book === null) return waiting(context);
    const text = (context.req.query('q') ?? '').trim().slice(0, TEXT_MAX);
    const body = payeesListPage(book, payeesPage(book, text, pageAsked(context)), text);
    return answer(context, { title: 'Payees', here: 'payees', body });
  });

  app.get('/payees/:id', requireRole(...SEEING), async (context) => {
    const book = await booksOf(context.var.web).look(patience(context));
    if (book === null) return waiting(context);
    const payee = book.payees.find(({ id }) => id === context.req.param('id'));
    if (payee === undefined)
      return errorPage(context, {
        status: 404,
        what: 'There is no such payee in the newest runs.',
        remedy: 'Look for them under Payees.',
      });
    return answer(context, { title: payee.name, here: 'payees', body: payeePage(book, payee, pageAsked(context)) });
  });
  return app;
}

function patience(context: WebContext): number {
  return context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
}

function waiting(context: WebContext) {
  const { pathname, search } = new URL(context.req.url);
  const words = 'Whom they have paid, and to which accounts, is gathered from the newest of them.';
  const body = html`<h1>Payees</h1>${waitingPart(`${pathname}${search}`, 'The runs are being read …', words)}`;
  return answer(context, { title: 'Payees', here: 'payees', asksAgain: true, body });
}

function pageAsked(context: WebContext): number {
  const asked = context.req.query('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}

/** An account of a payee, by the runs that were read. Times are Unix ms. */
type PayeeAccount = {
  account: string;
  currencies: string[];
  firstAt: number;
  /** When a payout to it was completed first; null where none was. */
  firstPaidAt: number | null;
  lastAt: number;
  payouts: number;
};

/** Something about a payee became another: what it was and is now, and in which run. */
type PayeeChange = { at: number; runId: string; what: 'account' | 'name'; before: string; after: string };

const PAYEES_OF_A_PAGE = 50;
const PAYOUTS_OF_A_PAGE = 50;

type PayeesPage = { payees: BookedPayee[]; matching: number; page: number; pages: number };

/** The payees whose name or payee id holds the text, by name and a page at a time. */
function payeesPage({ payees }: PayeeBook, text: string, asked: number): PayeesPage {
  const wanted = searchable(text);
  const found = wanted === '' ? payees : payees.filter(({ searched }) => searched.includes(wanted));
  const pages = Math.max(1, Math.ceil(found.length / PAYEES_OF_A_PAGE));
  const page = Math.min(asked, pages);
  const shown = found.slice((page - 1) * PAYEES_OF_A_PAGE, page * PAYEES_OF_A_PAGE);
  return { payees: shown, matching: found.length, page, pages };
}

/** The payee's accounts, that which was used last first. */
function accountsOf({ payouts }: BookedPayee): PayeeAccount[] {
  const accounts = new Map<string, PayeeAccount>();
  for (const payout of payouts.toReversed()) {
    const { accountKey, account, at, currency, status } = payout;
    const known = accounts.get(accountKey) ?? newAccount(account, at);
    accounts.set(accountKey, known);
    known.lastAt = Math.max(known.lastAt, at);
    known.payouts++;
    if (!known.currencies.includes(currency)) known.currencies.push(currency);
    if (status === 'completed') known.firstPaidAt ??= at;
  }
  return [...accounts.values()].sort((one, other) => other.lastAt - one.lastAt);
}

/** What changed when, newest first: the name, and per currency the account. */
function changesOf({ payouts }: BookedPayee): PayeeChange[] {
  const changes: PayeeChange[] = [];
  const last = new Map<string, PayeePayout>();
  let named: PayeePayout | null = null;
  for (const payout of payouts.toReversed()) {
    const { at, runId, currency, accountKey } = payout;
    const before = last.get(currency);
    if (before !== undefined && before.accountKey !== accountKey)
      changes.push({ at, runId, what: 'account', before: before.account, after: payout.account });
    if (named !== null && named.name !== payout.name)
      changes.push({ at, runId, what: 'name', before: named.name, after: payout.name });
    last.set(currency, payout);
    named = payout;
  }
  return changes.reverse();
}

function newAccount(account: string, at: number): PayeeAccount {
  return { account, currencies: [], firstAt: at, firstPaidAt: null, lastAt: at, payouts: 0 };
}

/** Whom runs have paid, by name. */
function payeesListPage(book: PayeeBook, shown: PayeesPage, text: string): Html {
  const { payees, matching, page, pages } = shown;
  const path = (to: number) => pathWith('/payees', { q: text, page: to === 1 ? null : to });
  return html`<h1>Payees</h1>
<form class="filter" method="get" action="/payees" role="search">
<label>Find <input type="search" name="q" value="${text}" maxlength="100" placeholder="Name or payee id" autocomplete="off"></label>
<button>Find</button>
</form>
${
  payees.length === 0
    ? html`<p class="empty">${text === '' ? 'Nobody was paid yet.' : 'No payee is called like that.'}</p>`
    : html`<p class="soft small">${counted(matching, 'payee')}. ${readWords(book)}</p>
<div class="scroll card flush" role="region" tabindex="0" aria-label="Payees"><table class="rows">
<thead><tr><th scope="col">Payee</th><th scope="col">Payee id</th><th scope="col">Account used last</th><th scope="col" class="number">Payouts completed</th><th scope="col">Last run</th></tr></thead>
<tbody>${payees.map(payeeRow)}</tbody></table></div>`
}
${pager('Pages of payees', page, pages, path)}`;
}

/** What was read is not all there ever was. */
function readWords({ runs, isWhole, damaged }: PayeeBook): string {
  const without = damaged === 0 ? '' : ` ${counted(damaged, 'run')} cannot be read.`;
  return `${isWhole ? 'From all runs.' : `From the newest ${counted(runs, 'run')}: older ones are not in it.`}${without}`;
}

function payeeRow({ id, name, payeeId, payouts }: BookedPayee): Html {
  const [last] = payouts;
  const completed = payouts.filter(({ status }) => status === 'completed');
  const isUsed = completed.some(({ accountKey }) => accountKey === last?.accountKey);
  return html`<tr><th scope="row"><a href="/payees/${id}">${safe(name)}</a></th><td data-label="Payee id">${payeeId === null ? '' : safe(payeeId)}</td><td class="small" data-label="Account">${safe(last?.account ?? '')}${isUsed ? '' : html` <span class="soft">nothing was paid there yet</span>`}</td><td class="number" data-label="Payouts completed">${completed.length} of ${payouts.length}</td><td class="small" data-label="Last run">${last === undefined ? '' : moment(last.at)}</td></tr>`;
}

/** One payee: their accounts, what changed when, and what they were paid. */
function payeePage(book: PayeeBook, payee: BookedPayee, asked: number): Html {
  const { id, name, payeeId, payouts } = payee;
  const pages = Math.max(1, Math.ceil(payouts.length / PAYOUTS_OF_A_PAGE));
  const page = Math.min(asked, pages);
  const shown = payouts.slice((page - 1) * PAYOUTS_OF_A_PAGE, page * PAYOUTS_OF_A_PAGE);
  const changes = changesOf(payee);
  return html`<div class="stack tight"><p class="soft small crumbs"><a href="/payees">Payees</a></p>
<div class="row"><h1>${safe(name)}</h1>${payeeId === null ? '' : html`<span class="tag">${safe(payeeId)}</span>`}</div>
<p class="soft small">${readWords(book)}</p></div>
<section class="stack" aria-labelledby="accounts"><h2 id="accounts">Accounts</h2>
<div class="scroll card flush" role="region" tabindex="0" aria-label="Accounts of the payee"><table class="rows">
<thead><tr><th scope="col">Account</th><th scope="col">Currency</th><th scope="col">First in a run</th><th scope="col">First paid</th><th scope="col">Last in a run</th><th scope="col" class="number">Payouts</th></tr></thead>
<tbody>${accountsOf(payee).map(accountRow)}</tbody></table></div></section>
<section class="stack" aria-labelledby="changes"><h2 id="changes">What changed</h2>
${changes.length === 0 ? html`<p class="soft">Nothing: the same name and account each time.</p>` : html`<ol class="card story">${changes.map(changeItem)}</ol>`}</section>
<section class="stack" aria-labelledby="payouts"><h2 id="payouts">Payouts</h2>
<div class="scroll card flush" role="region" tabindex="0" aria-label="Payouts of the payee"><table class="rows">
<thead><tr><th scope="col">Run</th><th scope="col" class="number">Amount</th><th scope="col">To</th><th scope="col">State</th><th scope="col">Started</th></tr></thead>
<tbody>${shown.map(payoutRow)}</tbody></table></div>
${pager('Pages of payouts', page, pages, (to) => pathWith(`/payees/${id}`, { page: to === 1 ? null : to }))}</section>`;
}

function accountRow({ account, currencies, firstAt, firstPaidAt, lastAt, payouts }: PayeeAccount): Html {
  return html`<tr><th scope="row">${safe(account)}</th><td data-label="Currency">${safe(currencies.join(', '))}</td><td class="small" data-label="First in a run">${moment(firstAt)}</td><td class="small" data-label="First paid">${firstPaidAt === null ? 'never yet' : moment(firstPaidAt)}</td><td class="small" data-label="Last in a run">${moment(lastAt)}</td><td class="number" data-label="Payouts">${payouts}</td></tr>`;
}

function changeItem({ at, runId, what, before, after }: PayeeChange): Html {
  return html`<li><span class="soft small">${moment(at)}</span><span>${what === 'account' ? 'Another account' : 'Another name'}: ${safe(before)} became <strong>${safe(after)}</strong>, in <a class="id" href="/runs/${runId}">${runId}</a></span></li>`;
}

function payoutRow({ runId, row, amount, currency, account, status, at, rehearsal }: PayeePayout): Html {
  return html`<tr><th scope="row"><a class="id" href="/runs/${runId}/rows?q=${row}">${runId}</a> <span class="soft small">row ${row}</span></th><td class="number" data-label="Amount">${safe(amountText(amount, currency))}</td><td class="small" data-label="To">${safe(account)}</td><td data-label="State">${raw(statusBadge(status))}${rehearsal ? html` <span class="soft small">rehearsal</span>` : ''}</td><td class="small" data-label="Started">${moment(at)}</td></tr>`;
}
