import { COMMENT_MAX, cleanComment, isTooLong } from '../../app/comment.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { type RunState, scheduledStart } from '../../domain/run/run-state.ts';
import { counted, listed } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { accountSeen } from '../../report/model/identifiers.ts';
import { pageOf as runPage } from '../runs/found-run.ts';
import { pageProof, runHead } from '../runs/run-head.ts';
import { shownAccount } from '../shell/account.ts';
import { readForm, text, texts } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { answer, askedPage } from '../shell/layout.ts';
import {
  accountField,
  choice,
  facts as factsPart,
  hiddenField,
  moment,
  type Problem,
  pageOf,
  pager,
  pathWith,
  problemNotice,
  runLinks,
} from '../shell/parts.ts';
import { isTotal, minorText, plainTotals, planText, shownTotals } from '../shell/words.ts';
import { passkeysHere } from '../sign-in/passkeys.ts';
import { signedIn, type WebContext } from '../web.ts';
import { comparedCounts, comparedPart } from './compared-part.ts';
import { editsPart } from './edits-part.ts';
import { connectionField, connectionNotSeen, type NewConnection, newConnectionPart } from './new-connection.ts';
import { notTicked, type PaidBefore, paidBeforeText } from './paid-before.ts';
import { approversPart, moneyPart, preparerName, verificationPart, warningsPart } from './plan-parts.ts';
import type { PlanExtras } from './plan-view.ts';
import { startMoment } from './scheduled.ts';
import { approverWarnings } from './standing.ts';

/** A plan whose header and facts are there, and which this person may approve. */
export type Waiting = {
  runId: string;
  run: RunState;
  facts: PlanFacts;
  digest: string;
  /** The rows to new or changed accounts that this person has not approved yet. */
  rows: number[];
  extras: PlanExtras;
  again: PaidBefore | null;
  connection: NewConnection | null;
};

/** `totals`: the places of those that are wrong, from 0. */
export type Wrong = Problem & { retryAfterSeconds?: number | null; totals?: readonly number[] };

/** What somebody filled in: ticks hold how many they are about, or the number of a row; a total for each currency. */
type Typed = {
  totals: readonly string[];
  row: readonly string[];
  paid_before: string;
  connection_seen: string;
  comment: string;
};

export const nothingDone = () => t`Nothing was approved.`;
export const NOTHING_TYPED: Typed = { totals: [], row: [], paid_before: '', connection_seen: '', comment: '' };

const decision = {
  row: texts,
  paid_before: text,
  connection_seen: text,
  comment: text.transform(cleanComment),
  password: text,
  credential: text,
};

export async function readDecision(context: WebContext, { facts }: Waiting) {
  const form = await readForm(context, decision);
  return { ...form, totals: facts.totals.map((_, at) => text.parse(form[totalField(at)])) };
}

/** The field of the total of a currency, by its place: `total`, `total_2`, and so on. */
function totalField(at: number): string {
  return at === 0 ? 'total' : `total_${at + 1}`;
}

/** What is wrong with what somebody ticked and typed, before their password is looked at. */
export function wrongIn({ again, facts, connection }: Waiting, typed: Typed): Wrong | null {
  const { paid_before, connection_seen, totals, comment } = typed;
  if (again !== null && paid_before !== String(again.payouts)) return notTicked(again, nothingDone());
  const notSeen = connectionNotSeen(connection, connection_seen, nothingDone());
  if (notSeen !== null) return notSeen;
  if (isTooLong(comment))
    return {
      message: t`The comment is longer than ${COMMENT_MAX} characters.`,
      remedy: t`Shorten it. ${nothingDone()}`,
    };
  const plain = plainTotals(facts);
  const wrong = plain.flatMap((total, at) => (isTotal(totals[at] ?? '', total) ? [] : [at]));
  if (wrong.length === 0 && plain.length > 0) return null;
  const shown = shownTotals({ plan: facts }).filter((_, at) => wrong.includes(at));
  const message = wrong.length > 1 ? t`These are not the totals.` : t`That is not the total.`;
  const them = wrong.length > 1 ? t`them as they stand` : t`it as it stands`;
  return { message, remedy: t`Check again, and type ${them} here: ${listed(shown)}. ${nothingDone()}`, totals: wrong };
}

/**
 * Shows everything that the signature is over, what needs a look first: who is paid again, changed accounts, new payees; then
 * what it asks for: that payouts were paid before, rows to new accounts, each total by hand, a comment, password, passkey.
 */
export async function showDecision(
  context: WebContext,
  waiting: Waiting,
  wrong: Wrong | null,
  typed: Typed,
): Promise<Response> {
  const { web, person } = signedIn(context);
  const { runId, run, extras } = waiting;
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const hasPasskey = (await passkeysHere(web, person)).length > 0;
  const rowsAsked = askedPage(context, 'rows');
  const status = html`<span class="status waiting">Awaiting approval</span>`;
  const body = html`${runHead(run, await pageProof(web, run), { status })}
${problemNotice(wrong)}
<div class="decide">
<div class="stack in-order">
${newConnectionPart(waiting.connection)}
${approversPart(await approverWarnings(web, run, person))}
${warningsPart(run, extras)}
${editsPart(run)}
${moneyPart(run, extras)}
${comparedCounts(extras)}
${comparedPart(runId, extras)}
${summary(waiting)}
</div>
<section class="card decision" aria-labelledby="sign"><h2 id="sign">Approve this payment</h2>
<form method="post" action="${approvePath(runId, rowsAsked)}" data-passkey-get="/runs/${runId}/approve/passkey">
${accountField(person.name)}
${hiddenField('credential', '')}
${paidBeforeField(waiting, typed)}
${connectionField(waiting.connection, typed.connection_seen)}
${rowsField(waiting, typed, rowsAsked)}
<fieldset class="totals"><legend>Type each total to confirm it</legend>${totalFields(waiting, typed, wrong?.totals ?? [])}</fieldset>
<label>Comment (optional) <textarea name="comment" rows="3" maxlength="${COMMENT_MAX}" aria-describedby="comment-why">${typed.comment}</textarea></label>
<p class="soft small" id="comment-why">It is signed with your approval and visible to everyone who can see this payment.</p>
<label>Your password <input name="password" type="password" required autocomplete="current-password" aria-describedby="password-why"></label>
<p class="soft small" id="password-why">It unlocks your signing key.${hasPasskey && t` Then your passkey is asked for.`}</p>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button class="primary">Approve ${planText(run)}</button>
</form>
<div class="row"><a class="button danger" href="/runs/${runId}/reject">Reject with a reason…</a><a class="button quiet" href="/runs/${runId}">Decide later</a></div>
<p class="soft small">Approval covers exactly these rows. Any change needs a new plan and new approval.</p>
</section>
</div>
<div class="decide-bar" role="group" aria-label="Decide"><a class="button danger" href="/runs/${runId}/reject">Reject…</a><a class="button primary" href="#sign">Confirm and approve</a></div>`;
  return answer(context, { ...runPage(run), body }, seconds !== null ? 429 : wrong === null ? 200 : 422);
}

/** `page`: which page of rows to new or changed accounts. */
function approvePath(runId: string, page: number): string {
  return pathWith(`/runs/${runId}/approve`, { rows: page === 1 ? null : page });
}

function summary({ run, extras, again }: Waiting): Html {
  const { header, plan } = run;
  const start = scheduledStart(run);
  const changed = extras.warnings.filter(({ code }) => code === 'account_changed').length;
  const bad = (payouts: number) => html`<strong class="bad">${counted(payouts, 'payout')}</strong>`;
  return html`<section class="stack" aria-labelledby="what"><h2 id="what">${planText(run)}</h2>
${factsPart([
  [t`File`, header?.input.name],
  [t`Made by`, html`${preparerName(plan)}, ${moment(run.createdAt, 'sentence')}`],
  [t`Paid before`, again && html`${bad(again.payouts)}, by ${runLinks(again.runs)}`],
  [t`Scheduled for`, start && startMoment(start.start)],
  [t`Changed bank details`, changed === 0 ? t`none` : bad(changed)],
])}
${verificationPart(run)}</section>`;
}

/** The tick holds how many it is about, so that one for what was seen is none for what was found since. */
function paidBeforeField({ run, again }: Waiting, typed: Typed): Html | null {
  if (again === null) return null;
  const value = String(again.payouts);
  const words = paidBeforeText(again, run.plan?.payouts ?? 0);
  const ticked = { isTicked: typed.paid_before === value, isRequired: true };
  return html`<fieldset><legend>Paid before</legend>${choice('paid_before', value, words, ticked)}</fieldset>`;
}

/** Rows per page. Each page needs its own approval. */
const ROWS_OF_A_PAGE = 50;

function rowsField({ run, runId, rows }: Waiting, typed: Typed, asked: number): Html | null {
  if (rows.length === 0) return null;
  const { shown, ...pages } = pageOf(rows, asked, ROWS_OF_A_PAGE);
  const wanted = new Set(shown);
  const choices = run.rows.flatMap(({ row, order }) => {
    if (order === null || !wanted.has(row)) return [];
    const { payee, destination, amount_minor, currency } = order;
    const who = payee.payee_id === null ? payee.name : `${payee.name} (${payee.payee_id})`;
    const words = html`Row ${row}: ${who} gets ${minorText(amount_minor, currency)} <span class="soft">on ${shownAccount(accountSeen(destination))}</span>`;
    return [choice('row', row, words, { isTicked: typed.row.includes(String(row)) })];
  });
  return html`<fieldset><legend>Rows to new or changed accounts: tick those you confirmed with the payee</legend>${choices}${pages.pages > 1 && html`<p class="soft small">This approval covers only the rows ticked on this page. Approve each page separately.</p>`}${pager(t`Pages of rows`, pages, (page) => `${approvePath(runId, page)}#sign`)}</fieldset>`;
}

/** One for each currency; what is wrong stands beside its field. */
function totalFields({ facts, run }: Waiting, { totals }: Typed, wrong: readonly number[]): Html[] {
  const shown = shownTotals(run);
  const plain = plainTotals(facts);
  return facts.totals.map(({ payouts, currency }, at) => {
    const field = totalField(at);
    const isWrong = wrong.includes(at);
    const why = isWrong && html`<span class="why wrong small" id="${field}-why">This is not ${shown[at]}.</span>`;
    const invalid = isWrong && html` aria-invalid="true" aria-describedby="${field}-why"`;
    return html`<div class="total"><label for="${field}"><b>${currencyLabel(currency)}</b> <span class="soft small">${counted(payouts, 'payout')}</span> <span class="hidden">Type the total: ${shown[at]}</span></label>
<input id="${field}" name="${field}" value="${totals[at]}" required maxlength="80" autocomplete="off" spellcheck="false" data-fits="${plain[at]}" data-reads="${shown[at]}"${invalid}><span class="fits">${icon('check')}</span>${why}</div>`;
  });
}
