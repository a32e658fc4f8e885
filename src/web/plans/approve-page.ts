import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { accountText } from '../../report/model/account-text.ts';
import type { PageProof } from '../runs/page-proof.ts';
import { runHead } from '../runs/run-head.ts';
import { type Html, html } from '../shell/html.ts';
import {
  accountField,
  choice,
  facts,
  hiddenField,
  moment,
  type Problem,
  problemNotice,
  runLinks,
} from '../shell/parts.ts';
import { minorText, planText, shownTotals } from '../shell/words.ts';
import { type PaidBefore, paidBeforeText } from './paid-before.ts';
import { moneyPart, ownLinksPart, preparerName, warningsPart } from './plan-parts.ts';
import type { PlanExtras } from './plan-view.ts';
import { capitalized, type LinkWarning, type StandingFor } from './standing.ts';

type ApprovePage = {
  runId: string;
  run: RunState;
  proof: PageProof;
  extras: PlanExtras;
  /** What it pays again. */
  again: PaidBefore | null;
  links: readonly LinkWarning[];
  /** Of the person who approves. */
  name: string;
  /** The rows to new or changed accounts that this person has not approved yet. */
  rows: readonly number[];
  hasPasskey: boolean;
  /** Why the last try was refused, and what was filled in. */
  wrong: Problem | null;
  typed: Typed;
};

/** What somebody filled in: ticks hold how many they are about, or the number of a row. */
export type Typed = { total: string; row: readonly string[]; paid_before: string };

/**
 * Everything that the signature is over, and what it asks for: that payouts were paid before, rows to new accounts, the
 * total by hand, password, passkey.
 */
export function approvePage(page: ApprovePage): Html {
  const { runId, run, extras } = page;
  return html`${runHead(run, page.proof)}
${problemNotice(page.wrong)}
${summary(page)}
${ownLinksPart(page.links)}
${warningsPart(run, extras)}
${moneyPart(run, extras)}
<section class="card" aria-labelledby="sign"><h2 id="sign">Approve it</h2>
<form method="post" action="/runs/${runId}/approve" data-passkey-get="/runs/${runId}/approve/passkey">
${accountField(page.name)}
${hiddenField('credential', '')}
${paidBeforeField(page)}
${rowsField(page)}
${totalField(page)}
<label>Your password <input name="password" type="password" required autocomplete="current-password" aria-describedby="password-why"></label>
<p class="soft small" id="password-why">It opens the key that signs, so that nobody else at your screen can.${page.hasPasskey && ' Then your passkey is asked for.'}</p>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<div class="row"><button class="primary">Approve ${planText(run)}</button><a class="button" href="/runs/${runId}">Not now</a></div>
</form></section>`;
}

/** Why somebody may not approve it. */
export function cannotApprovePage(
  run: RunState,
  runId: string,
  proof: PageProof,
  why: NonNullable<StandingFor['whyNot']>,
): Html {
  return html`${runHead(run, proof)}
<div class="notice ${why.isOnHold ? 'wrong' : 'care'}"><p class="lead">You cannot approve this plan.</p><p>${capitalized(why.text)}</p></div>
<p><a href="/runs/${runId}">Back to the plan</a></p>`;
}

function summary({ run, extras, again }: ApprovePage): Html {
  const { header, plan } = run;
  const changed = extras.warnings.filter(({ code }) => code === 'account_changed').length;
  const bad = (payouts: number) => html`<strong class="bad">${counted(payouts, 'payout')}</strong>`;
  return html`<section class="card" aria-labelledby="what"><h2 id="what">${planText(run)}</h2>
${facts([
  ['File', header?.input.name],
  ['Made by', html`${preparerName(plan)}, ${moment(run.createdAt)}`],
  ['Paid before', again && html`${bad(again.payouts)}, by ${runLinks(again.runs)}`],
  ['Changed bank details', changed === 0 ? 'none' : bad(changed)],
  ['SHA-256 of the file', html`<span class="id">${header?.input.sha256}</span>`],
  ['Digest', html`<span class="id">${header?.digest}</span>`],
])}</section>`;
}

/** The tick holds how many it is about, so that one for what was seen is none for what was found since. */
function paidBeforeField({ run, again, typed }: ApprovePage): Html | null {
  if (again === null) return null;
  const value = String(again.payouts);
  const words = paidBeforeText(again, run.plan?.payouts ?? 0);
  const ticked = { isTicked: typed.paid_before === value, isRequired: true };
  return html`<fieldset><legend>Paid before</legend>${choice('paid_before', value, words, ticked)}</fieldset>`;
}

function rowsField({ run, rows, typed }: ApprovePage): Html | null {
  if (rows.length === 0) return null;
  const wanted = new Set(rows);
  const choices = run.rows.flatMap(({ row, order }) => {
    if (order === null || !wanted.has(row)) return [];
    const { payee, destination, amount_minor, currency } = order;
    const who = payee.payee_id === null ? payee.name : `${payee.name} (${payee.payee_id})`;
    const words = html`Row ${row}: ${who} gets ${minorText(amount_minor, currency)} <span class="soft">on ${accountText(destination)}</span>`;
    return [choice('row', row, words, { isTicked: typed.row.includes(String(row)) })];
  });
  return html`<fieldset><legend>Rows to new or changed accounts: tick those that you have asked the payee about</legend>${choices}</fieldset>`;
}

function totalField({ run, typed }: ApprovePage): Html {
  const [first, ...others] = shownTotals(run);
  const which = others.length === 0 ? 'the total' : 'the total of the first currency';
  return html`<label>Type ${which}: ${first} <input name="total" value="${typed.total}" required maxlength="80" autocomplete="off" spellcheck="false"></label>`;
}
