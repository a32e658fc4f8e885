import { COMMENT_MAX, cleanComment, isTooLong } from '../../../app/comment.ts';
import { currencyLabel } from '../../../domain/currencies.ts';
import type { RunRow } from '../../../domain/entry.ts';
import type { PlanFacts } from '../../../domain/plan.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { counted, listed } from '../../../messages/text.ts';
import { plural, t } from '../../../messages/translate.ts';
import { accountSeen } from '../../../report/model/identifiers.ts';
import { shownAccount } from '../../shell/account.ts';
import { readForm, text, texts } from '../../shell/form.ts';
import { type Html, html } from '../../shell/html.ts';
import { icon } from '../../shell/icon.ts';
import { askedPage } from '../../shell/layout.ts';
import { accountField, choice, hiddenField, type Problem, pageOf, pager, pathWith } from '../../shell/parts.ts';
import { isTotal, minorText, plainTotals, shownTotals } from '../../shell/words.ts';
import type { WebContext } from '../../web.ts';
import { connectionField, connectionNotSeen, type NewConnection } from '../new-connection.ts';
import { notTicked, type PaidBefore, paidBeforeText } from '../paid-before.ts';
import type { PlanExtras } from '../plan-view.ts';
import type { StandingFor } from '../standing.ts';

/** A plan whose header and facts are there, and which this person may approve. */
export type Waiting = {
  runId: string;
  run: RunState;
  rowOf(row: number): RunRow | undefined;
  facts: PlanFacts;
  digest: string;
  /** The rows to new or changed accounts that this person has not approved yet. */
  rows: number[];
  extras: PlanExtras;
  again: PaidBefore | null;
  connection: NewConnection | null;
  standing: StandingFor;
};

/** `totals`: the places of those that are wrong, from 0. */
export type Wrong = Problem & { retryAfterSeconds?: number | null; totals?: readonly number[] };

/** What somebody filled in: ticks hold how many they are about, or the number of a row; a total for each currency. */
type Typed = {
  totals: readonly string[];
  row: readonly string[];
  paid_before: string;
  connection_seen: string;
  accounts_confirmed: string;
  comment: string;
};

export const nothingDone = () => t`Nothing was approved.`;
export const NOTHING_TYPED: Typed = {
  ...{ totals: [], row: [], paid_before: '', connection_seen: '', accounts_confirmed: '', comment: '' },
};

const decision = {
  row: texts,
  paid_before: text,
  connection_seen: text,
  accounts_confirmed: text,
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
 * What the signature asks for: that payouts were paid before, rows to new accounts, each total by hand, that changed accounts were
 * confirmed, a comment, the password, and then the passkey of who has one.
 */
export function decisionForm(
  context: WebContext,
  waiting: Waiting,
  { wrong, typed, name, hasPasskey }: { wrong: Wrong | null; typed: Typed; name: string; hasPasskey: boolean },
): Html {
  const { runId, facts } = waiting;
  const rowsAsked = askedPage(context, 'rows');
  return html`<form method="post" action="${approvePath(runId, rowsAsked)}" data-passkey-get="/runs/${runId}/approve/passkey">
${accountField(name)}
${hiddenField('credential', '')}
${paidBeforeField(waiting, typed)}
${connectionField(waiting.connection, typed.connection_seen)}
${rowsField(waiting, typed, rowsAsked)}
<fieldset class="totals"><legend>Type each total to confirm it</legend>${totalFields(waiting, typed, wrong?.totals ?? [])}</fieldset>
${confirmedField(waiting, typed)}
<label>Comment (optional) <textarea name="comment" rows="2" maxlength="${COMMENT_MAX}" aria-describedby="comment-why">${typed.comment}</textarea></label>
<p class="soft small" id="comment-why">It is signed with your approval and visible to everyone who can see this payment.</p>
<label>Your password <input name="password" type="password" required autocomplete="current-password" aria-describedby="password-why"></label>
<p class="soft small" id="password-why">It unlocks your signing key.${hasPasskey && t` Then your passkey is asked for.`}</p>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button class="primary">Approve ${counted(facts.payouts, 'payout')}</button>
</form>`;
}

/** `page`: which page of rows to new or changed accounts. */
function approvePath(runId: string, page: number): string {
  return pathWith(`/runs/${runId}/approve`, { rows: page === 1 ? null : page });
}

/** Payouts to changed accounts, less those that are approved row by row. */
function accountsToConfirm({ warnings, counts }: PlanExtras): number {
  const rowsOf = (wanted: string) => warnings.flatMap(({ code, row }) => (code === wanted && row !== null ? row : []));
  const byRow = new Set(rowsOf('cooling_off'));
  const changed = rowsOf('account_changed').filter((row) => !byRow.has(row)).length;
  return byRow.size === 0 ? Math.max(changed, counts.account_changed ?? 0) : changed;
}

/** The browser asks for it. Programs that approve without it are not refused: what is signed says which accounts are paid. */
function confirmedField({ extras }: Waiting, typed: Typed): Html | null {
  const accounts = accountsToConfirm(extras);
  if (accounts === 0) return null;
  const words = plural(
    accounts,
    'I confirmed the changed account with the recipient.',
    'I confirmed the # changed accounts with the recipients.',
  );
  const ticked = { isTicked: typed.accounts_confirmed === String(accounts), isRequired: true };
  return choice('accounts_confirmed', accounts, words, ticked);
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

function rowsField({ runId, rows, ...waiting }: Waiting, typed: Typed, asked: number): Html | null {
  if (rows.length === 0) return null;
  const { shown, ...pages } = pageOf(rows, asked, ROWS_OF_A_PAGE);
  const choices = shown.flatMap((row) => {
    const order = waiting.rowOf(row)?.order;
    if (!order) return [];
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
