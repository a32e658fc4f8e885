import { html, raw } from 'hono/html';
import { counted } from '../../messages/text.ts';
import { statusBadge } from '../../report/html/look.ts';
import type { BookedPayee, PayeeBook, PayeePayout } from '../history/payee-book.ts';
import {
  accountsOf,
  changesOf,
  PAYOUTS_OF_A_PAGE,
  type PayeeAccount,
  type PayeeChange,
  type PayeesPage,
} from '../history/payee-story.ts';
import { pager, pathWith } from '../shell/pager.ts';
import { moment, safe } from '../shell/safe-text.ts';
import { amountText } from '../shell/words.ts';
import type { Html } from '../web.ts';

/** Whom runs have paid, by name. */
export function payeesListPage(book: PayeeBook, shown: PayeesPage, text: string): Html {
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
export function payeePage(book: PayeeBook, payee: BookedPayee, asked: number): Html {
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
