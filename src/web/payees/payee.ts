import { type HistoricPayout, isPaid, type PaymentOf } from '../../app/history/payouts.ts';
import {
  accountChangeLately,
  type BookedPayee,
  type PayeeBook,
  type PayeeChange,
} from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { messages } from '../../messages/messages.ts';
import { listed } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import { shownAccount } from '../shell/account.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { answer, askedPage, errorPage } from '../shell/layout.ts';
import { money } from '../shell/money.ts';
import { type Column, count, facts, moment, pageOf, pager, pathWith, table } from '../shell/parts.ts';
import { type FileKind, fileLinks, sendTable } from '../shell/table-files.ts';
import { capitalized, moneyTexts, paymentName } from '../shell/words.ts';
import type { WebContext } from '../web.ts';
import { holdPart } from './holds.ts';
import { NO_SUCH_PAYEE, payeeIn, readWords } from './payee-books.ts';
import { PAYOUT_FILE } from './payee-files.ts';
import { tagsPart } from './tags.ts';

const PAYOUTS_OF_A_PAGE = 50;

/** One payee: their accounts, what changed when, and what they were paid. */
export async function showPayee(context: WebContext, book: PayeeBook) {
  const payee = payeeIn(context, book);
  if (payee === undefined) return errorPage(context, NO_SUCH_PAYEE);
  const { id, name, payeeId, payouts, paid, changes } = payee;
  const { web } = context.var;
  const [holds, tags] = [await web.deps.reads.holds(), await web.tags.all()];
  const { shown, ...pages } = pageOf(payouts, askedPage(context), PAYOUTS_OF_A_PAGE);
  const body = html`<div class="stack tight"><p class="soft small crumbs"><a href="/payees">Recipients</a></p>
<div class="head"><div class="row"><h1>${name}</h1>${payeeId && html`<span class="tag">${payeeId}</span>`}</div>
${fileLinks(`/payees/${id}/statement`, {}, t`Statement`)}</div>
<p class="soft small">${readWords(book)}</p></div>
${holdPart(context, payee, holds)}
${changedNotice(payee, web.deps.clock.wallMs())}
${facts([
  [t`Paid`, t`${count(paid.times)} of ${count(payouts.length)} payouts`],
  [t`Total paid`, paid.times === 0 ? null : moneyTexts(paid.totals).join(', ')],
  [t`First paid`, paid.firstAt && moment(paid.firstAt)],
  [t`Last paid`, paid.lastAt && moment(paid.lastAt)],
])}
<section class="stack" aria-labelledby="accounts"><h2 id="accounts">Accounts</h2>
${table(t`Accounts of the recipient`, accountColumns(), accountsOf(payee))}</section>
<section class="stack" aria-labelledby="changes"><h2 id="changes">What changed</h2>
${changes.length === 0 ? html`<p class="soft">Nothing: the same name and account each time.</p>` : html`<ol class="card story">${changes.map(changeItem)}</ol>`}</section>
${tagsPart(context, id, tags)}
<section class="stack" aria-labelledby="payouts"><h2 id="payouts">Payouts</h2>
${table(t`Payouts of the recipient`, payoutColumns(), shown)}
${pager(t`Pages of payouts`, pages, (page) => pathWith(`/payees/${id}`, { page }))}</section>`;
  return answer(context, { title: name, here: 'recipients', body });
}

/** Every payout of one payee, as a file. */
export function statementOf(context: WebContext, book: PayeeBook, kind: FileKind): Response | Promise<Response> {
  const payee = payeeIn(context, book);
  if (payee === undefined) return errorPage(context, NO_SUCH_PAYEE);
  const name = `statement-${payee.payeeId ?? payee.name}`.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 80);
  return sendTable(context, { name, title: t`Statement`, columns: PAYOUT_FILE, rows: payee.payouts }, kind);
}

/** An account of a payee, by the runs that were read: its payouts, oldest first. */
type PayeeAccount = { account: Html | null; payouts: HistoricPayout[] };

/** The payee's accounts, that which was used last first. */
function accountsOf({ payouts }: BookedPayee): PayeeAccount[] {
  // The newest payout is the first.
  const byAccount = Map.groupBy(payouts, ({ accountKey }) => accountKey);
  return Array.from(byAccount.values(), (own) => ({
    account: own[0] ? shownAccount(own[0]) : null,
    payouts: own.toReversed(),
  }));
}

const accountColumns = (): readonly Column<PayeeAccount>[] => [
  [t`Account`, ({ account }) => account, 'head'],
  [t`Currency`, ({ payouts }) => [...new Set(payouts.map(({ currency }) => currencyLabel(currency)))].join(', ')],
  [t`First in a run`, ({ payouts }) => momentOf(payouts[0]), 'small'],
  [t`First paid`, ({ payouts }) => momentOf(payouts.find(isPaid)) ?? t`never yet`, 'small'],
  [t`Last in a run`, ({ payouts }) => momentOf(payouts.at(-1)), 'small'],
  [t`Payouts`, ({ payouts }) => payouts.length, 'number'],
];

function momentOf(payout: HistoricPayout | undefined): Html | null {
  return payout === undefined ? null : moment(payout.payment.at);
}

/** What changed, in which payment, who prepared that, and who approved it. */
function changeItem(change: PayeeChange): Html {
  const {
    what,
    payout: { payment },
  } = change;
  const { was, now } = wasAndNow(change);
  const { run_id, at } = payment;
  return html`<li><span class="soft small">${moment(at)}</span><span>Another ${either(what === 'account', 'account', 'name')}: ${was} became <strong>${now}</strong>, in <a class="id" href="/runs/${run_id}">${run_id}</a> <span class="soft">(${paymentName(payment)}${byWhom(payment)})</span></span></li>`;
}

/** A name, or an account, before and after. */
export function wasAndNow({ what, before, payout }: PayeeChange): { was: Shown; now: Shown } {
  const shown = (one: HistoricPayout) => (what === 'account' ? shownAccount(one) : one.name);
  return { was: shown(before), now: shown(payout) };
}

export function byWhom({ preparer, approvers }: PaymentOf): Html {
  return html`${preparer !== null && t`, by ${preparer}`}${approvers.length > 0 && t`, approved by ${listed(approvers)}`}`;
}

/** That the recipient is paid on another account since lately: who reads the page sees it first. */
export function changedNotice(payee: BookedPayee, nowMs: number): Html | null {
  const changed = accountChangeLately(payee, nowMs);
  if (changed === null) return null;
  const { was, now: account } = wasAndNow(changed);
  const { payment } = changed.payout;
  return html`<div class="notice care"><p><strong>Account changed.</strong> ${was} became <b>${account}</b> on ${moment(payment.at, 'sentence')}, in <a href="/runs/${payment.run_id}">${paymentName(payment)}</a>${byWhom(payment)}.</p></div>`;
}

/** Where a payout is shown among the others of its payment. */
export function payoutLink({ payment, row }: HistoricPayout): Html {
  const { run_id } = payment;
  return html`<a href="/runs/${run_id}/rows?q=${row}">${paymentName(payment)}</a> <span class="soft small">row ${row}</span>`;
}

export function payoutStatus({ status, returned, payment }: HistoricPayout): Html {
  const word = returned === null ? messages.outcomes.STATUS_LABELS[status] : t`Returned`;
  const badge = html`<span class="status ${returned === null ? status : 'failed'}">${capitalized(word)}</span>`;
  return html`${badge}${payment.rehearsal && html` <span class="soft small">rehearsal</span>`}`;
}

const payoutColumns = (): readonly Column<HistoricPayout>[] => [
  [t`Payment`, payoutLink, 'head'],
  [t`Amount`, ({ minor, currency }) => money(minor, currency), 'number'],
  [t`To`, shownAccount, 'small'],
  [t`Reference`, ({ reference }) => reference, 'small'],
  [t`Status`, payoutStatus],
  [t`Started`, ({ payment }) => moment(payment.at), 'small'],
];
