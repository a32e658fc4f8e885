import type { BookedPayee, PayeeChange } from '../../app/payees/payee-book.ts';
import { t } from '../../messages/translate.ts';
import { shownAccount } from '../shell/account.ts';
import { type Html, html } from '../shell/html.ts';
import { money } from '../shell/money.ts';
import { type Column, count, facts, moment, table } from '../shell/parts.ts';
import { fileLinks } from '../shell/table-files.ts';
import { moneyTexts, paymentName } from '../shell/words.ts';
import type { WebContext } from '../web.ts';
import { holdPart } from './holds.ts';
import { byWhom, changedNotice, payoutStatus, wasAndNow } from './payee.ts';
import { tagsPart } from './tags.ts';

/** The drawer shows this many of the newest changes and payouts; the payee's page has all. */
const SHOWN = 5;

/** A payee's details, beside the list. `closed`: the address of the list alone. */
export async function payeeDrawer(context: WebContext, payee: BookedPayee, closed: string): Promise<Html> {
  const { id, name, payeeId, payouts, paid, changes } = payee;
  const { web } = context.var;
  const [holds, tags] = [await web.deps.reads.holds(), await web.tags.all()];
  const own = html`<a class="button" href="/payees/${id}">View recipient</a>`;
  return html`<aside class="drawer" aria-labelledby="drawer-name">
<div class="head"><div><h2 id="drawer-name" tabindex="-1">${name}</h2>${payeeId && html`<p class="soft small">${payeeId}</p>`}</div>
<a class="button quiet" href="${closed}" data-closes="/payees/${id}" aria-label="Close" title="Close">×</a></div>
${changedNotice(payee, web.deps.clock.wallMs())}
<section class="stack" aria-labelledby="drawer-account"><h3 id="drawer-account">Account</h3>
${facts([
  [t`Pays to`, payouts[0] && html`<b>${shownAccount(payouts[0])}</b>`],
  [t`Paid`, t`${count(paid.times)} of ${count(payouts.length)} payouts`],
  [t`Total paid`, paid.times === 0 ? null : moneyTexts(paid.totals).join(', ')],
  [t`First paid`, paid.firstAt && moment(paid.firstAt)],
  [t`Last paid`, paid.lastAt && moment(paid.lastAt)],
])}</section>
${changes.length > 0 && html`<section class="stack" aria-labelledby="drawer-changes"><h3 id="drawer-changes">What changed</h3><ol class="stack">${changes.slice(0, SHOWN).map(changeItem)}</ol></section>`}
<section class="stack" aria-labelledby="drawer-payouts"><h3 id="drawer-payouts">Payouts</h3>
${table(null, payoutColumns(), payouts.slice(0, SHOWN))}</section>
${tagsPart(context, id, tags)}
<div class="stack foot">${holdPart(context, payee, holds)}
<div class="row">${own}${fileLinks(`/payees/${id}/statement`, {}, t`Statement`)}</div></div>
</aside>`;
}

function changeItem(change: PayeeChange): Html {
  const { payment } = change.payout;
  const { was, now } = wasAndNow(change);
  return html`<li><b>${was} → ${now}</b><br><span class="soft small">${moment(payment.at)}, <a href="/runs/${payment.run_id}">${paymentName(payment)}</a>${byWhom(payment)}</span></li>`;
}

const payoutColumns = (): readonly Column<BookedPayee['payouts'][number]>[] => [
  [
    t`Payment`,
    ({ payment, row }) => html`<a href="/runs/${payment.run_id}/rows?q=${row}">${paymentName(payment)}</a>`,
    'head',
  ],
  [t`Amount`, ({ minor, currency }) => money(minor, currency), 'number'],
  [t`Status`, payoutStatus],
];
