import { html } from 'hono/html';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { accountText } from '../../report/model/account-text.ts';
import type { PageProof } from '../audit/page-proof.ts';
import { runHead } from '../runs/run-head.ts';
import { accountField, type Html, moment, safe } from '../shell/parts.ts';
import { payoutsText } from '../shell/words.ts';
import { minorText, preparerName, shownFirstTotal, shownTotals } from './amounts.ts';
import { moneyPart, ownLinksPart, warningsPart } from './plan-parts.ts';
import { type PlanExtras, paidBeforeOf, paidBeforeText } from './plan-view.ts';
import type { OwnLink } from './standing.ts';

type ApprovePage = {
  runId: string;
  run: RunState;
  proof: PageProof;
  extras: PlanExtras;
  /** Which approvers came in by a link of whoever made it. */
  links: readonly OwnLink[];
  /** Of the person who approves. */
  name: string;
  /** The rows to new or changed accounts that this person has not approved yet. */
  rows: readonly number[];
  hasPasskey: boolean;
  /** Why the last try was refused, and what was filled in. */
  wrong: { what: string; remedy: string } | null;
  typed: { total: string; rows: readonly number[]; paidBefore: string };
};

/**
 * Everything that the signature is over, and what it asks for: that payouts were paid before, rows to new accounts, the
 * total by hand, password, passkey.
 */
export function approvePage(page: ApprovePage): Html {
  const { runId, run, extras, wrong } = page;
  return html`${runHead(run, page.proof)}
${wrong === null ? '' : html`<div class="notice wrong" role="alert"><p><strong>${wrong.what}</strong></p><p>${wrong.remedy}</p></div>`}
${summary(page)}
${ownLinksPart(page.links)}
${warningsPart(run, extras)}
${moneyPart(run, extras)}
<section class="card" aria-labelledby="sign"><h2 id="sign">Approve it</h2>
<form method="post" action="/runs/${runId}/approve" data-passkey-get="/runs/${runId}/approve/passkey">
${accountField(page.name)}
<input type="hidden" name="credential">
${paidBeforeField(page)}
${rowsField(page)}
${totalField(page)}
<label>Your password <input name="password" type="password" required autocomplete="current-password" aria-describedby="password-why"></label>
<p class="soft small" id="password-why">It opens the key that signs, so that nobody else at your screen can.${page.hasPasskey ? ' Then your passkey is asked for.' : ''}</p>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<div class="row"><button class="primary">Approve ${payoutsText(run.plan?.payouts ?? 0, shownTotals(run))}</button><a class="button" href="/runs/${runId}">Not now</a></div>
</form></section>`;
}

/** Why somebody may not approve it. */
export function cannotApprovePage(
  { runId, run, proof }: Pick<ApprovePage, 'runId' | 'run' | 'proof'>,
  why: string,
  isOnHold: boolean,
): Html {
  return html`${runHead(run, proof)}
<div class="notice ${isOnHold ? 'wrong' : 'care'}"><p class="lead">You cannot approve this plan.</p><p>${safe(why)}</p></div>
<p><a href="/runs/${runId}">Back to the plan</a></p>`;
}

function summary({ run, extras }: ApprovePage): Html {
  const { header, plan } = run;
  const paid = paidBeforeOf(extras);
  const changed = extras.warnings.filter(({ code }) => code === 'account_changed').length;
  return html`<section class="card" aria-labelledby="what"><h2 id="what">${payoutsText(plan?.payouts ?? 0, shownTotals(run))}</h2>
<dl class="facts">
<dt>File</dt><dd>${safe(header?.input.name ?? '')}</dd>
<dt>Made by</dt><dd>${safe(preparerName(plan))}, ${moment(run.createdAt)}</dd>
${paid === null ? '' : html`<dt>Paid before</dt><dd><strong class="bad">${counted(paid.payouts, 'payout')}</strong>, by ${paid.runs.map((run, at) => html`${at === 0 ? '' : ', '}<a href="/runs/${run}">${run}</a>`)}</dd>`}
<dt>Changed bank details</dt><dd>${changed === 0 ? 'none' : html`<strong class="bad">${counted(changed, 'payout')}</strong>`}</dd>
<dt>SHA-256 of the file</dt><dd><span class="id">${header?.input.sha256 ?? ''}</span></dd>
<dt>Digest</dt><dd><span class="id">${header?.digest ?? ''}</span></dd>
</dl></section>`;
}

/** The tick holds how many it is about, so that one for what was seen is none for what was found since. */
function paidBeforeField({ run, extras, typed }: ApprovePage): Html | '' {
  const paid = paidBeforeOf(extras);
  if (paid === null) return '';
  const value = String(paid.payouts);
  return html`<fieldset><legend>Paid before</legend><label class="choice"><input type="checkbox" name="paid_before" value="${value}" required${typed.paidBefore === value ? html` checked` : ''}> <span>${paidBeforeText(paid, run.plan?.payouts ?? 0)}</span></label></fieldset>`;
}

function rowsField({ run, rows, typed }: ApprovePage): Html | '' {
  if (rows.length === 0) return '';
  const wanted = new Set(rows);
  const items = run.rows.flatMap(({ row, order }) => {
    if (order === null || !wanted.has(row)) return [];
    const { payee, destination, amount_minor, currency } = order;
    const who = payee.payee_id === null ? payee.name : `${payee.name} (${payee.payee_id})`;
    return [
      html`<label class="choice"><input type="checkbox" name="row" value="${row}"${typed.rows.includes(row) ? html` checked` : ''}> <span>Row ${row}: ${safe(who)} gets ${minorText(amount_minor, currency)} <span class="soft">on ${safe(accountText(destination))}</span></span></label>`,
    ];
  });
  return html`<fieldset><legend>Rows to new or changed accounts: tick those that you have asked the payee about</legend>${items}</fieldset>`;
}

function totalField({ run, typed }: ApprovePage): Html {
  const first = run.plan === null ? '' : shownFirstTotal(run.plan);
  const which = (run.plan?.totals.length ?? 0) < 2 ? 'the total' : 'the total of the first currency';
  return html`<label>Type ${which}: ${first} <input name="total" value="${typed.total}" required maxlength="80" autocomplete="off" spellcheck="false"></label>`;
}
