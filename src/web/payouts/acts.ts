import type { RunRow } from '../../domain/entry.ts';
import { type PlacedHold, payeeHash } from '../../domain/run/holds.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { messages } from '../../messages/messages.ts';
import { t } from '../../messages/translate.ts';
import { ACTING, HOLDING, hasOneOf } from '../require-role.ts';
import type { Found } from '../runs/found-run.ts';
import { type RowState, stateLabel } from '../runs/rows/row-index.ts';
import { type Html, html } from '../shell/html.ts';
import { hiddenField, moment, pathWith } from '../shell/parts.ts';
import { capitalized, paymentName } from '../shell/words.ts';
import { signedIn, type WebContext } from '../web.ts';

/** One payout of a run, with what else decides about what can be done. */
export type PayoutNow = {
  row: RunRow;
  state: RowState;
  /** Why it was not paid, by the service's code or ours. */
  code: string | null;
  /** Whether a person can decide something about it. */
  isInDoubt: boolean;
  /** Who holds its recipient. */
  hold: PlacedHold | null;
  /** Of a run that is over: the rows that can be paid again, and what became of the others since. */
  retryable: readonly RunRow[];
  since: SinceOfRun | null;
};

/** Something that can be done about a payout: `way` leads there; else `why` not. Each has its words in `means`. */
type PayoutAct = { what: string; means: string } & ({ way: Html } | { why: Html | string });

/**
 * What can be done about one payout, and why not. Nothing here takes a payout back or sends it again: once its intent is recorded, only
 * its outcome decides, and a row is paid again only by a plan of its own, which is approved and compared with the journal like any other.
 */
export function payoutActs(context: WebContext, found: Found, payout: PayoutNow): PayoutAct[] {
  return [decideAct, retryAct, leaveOutAct, holdAct].map((act) => act(context, found, payout));
}

/** They are under way or perhaps paid: nothing is sent for them before that is ruled out. */
const OPEN: ReadonlySet<RowState> = new Set(['sending', 'accepted', 'in_doubt', 'unresolved']);

function decideAct(
  context: WebContext,
  { followed: { runId }, snapshot }: Found,
  { row, isInDoubt, state }: PayoutNow,
): PayoutAct {
  const what = t`Decide what became of it`;
  const means = t`Record whether it was paid, based on what the service or the bank shows you.`;
  if (!isInDoubt) return { what, means, why: whyNotInDoubt(state) };
  if (!hasOneOf(signedIn(context).person, ACTING))
    return { what, means, why: t`A preparer or an approver decides it.` };
  if (snapshot.isHeld)
    return { what, means, why: t`payrun is still finding that out. You can decide once it has stopped.` };
  return { what, means, way: html`<a class="button" href="/runs/${runId}/doubts/${row.row}">Decide…</a>` };
}

function whyNotInDoubt(state: RowState): string {
  switch (state) {
    case 'waiting':
    case 'not_submitted':
      return t`None of it was sent.`;
    case 'rejected':
      return t`The service refused it, so there is nothing to decide.`;
    case 'accepted':
      return t`The service has it and will report when it is completed or failed.`;
    default:
      return t`It is ${stateLabel(state)}: nothing is open.`;
  }
}

function retryAct(context: WebContext, { followed, snapshot }: Found, payout: PayoutNow): PayoutAct {
  const { row } = payout;
  const what = t`Pay only this one again`;
  const means = t`Creates a new payment with only this row. Nothing is sent before it is approved.`;
  const why = whyNotAgain(followed.run.header?.rehearsal ?? false, snapshot, payout);
  if (why !== null) return { what, means, why };
  if (!signedIn(context).person.roles.includes('preparer'))
    return { what, means, why: t`A preparer creates that payment.` };
  const way = html`<form method="post" action="/runs/${followed.runId}/retry">${hiddenField('row', String(row.row))}<button>Prepare this payment</button></form>`;
  return { what, means, way };
}

/** Why the row cannot be in another payment; null where it can. */
function whyNotAgain(
  isRehearsal: boolean,
  { phase }: Found['snapshot'],
  { row, state, since, retryable }: PayoutNow,
): string | null {
  if (state === 'completed') return t`It was paid.`;
  if (OPEN.has(state)) return t`It was sent and may still be paid. It will not be resent until that is ruled out.`;
  if (state === 'waiting') return t`It has not been sent yet.`;
  if (phase !== 'finished') return t`Finish the whole payment first.`;
  if (retryable.some((each) => each.row === row.row)) return null;
  const became = since?.rows.get(row.row);
  return became === undefined
    ? t`The row itself has an error. Correct it in a new file.`
    : `${capitalized(messages.outcomes.sinceText(became, isRehearsal))}.`;
}

function leaveOutAct(context: WebContext, { followed: { runId, run }, snapshot }: Found, payout: PayoutNow): PayoutAct {
  const { row, state, retryable } = payout;
  const what = t`Leave it out`;
  const means = t`The remaining others are paid without it.`;
  if (!snapshot.isStarted)
    return { what, means, why: t`A plan is approved as a whole. Recall it, delete the row, and plan it again.` };
  if (state === 'waiting')
    return { what, means, why: t`The plan was approved as a whole. Put the recipient on hold: then it is left out.` };
  const why = whyNotAgain(run.header?.rehearsal ?? false, snapshot, payout);
  if (why !== null) return { what, means, why };
  if (retryable.length < 2) return { what, means, why: t`Nothing else is left to pay.` };
  if (!signedIn(context).person.roles.includes('preparer'))
    return { what, means, why: t`A preparer creates that payment.` };
  const path = pathWith(`/runs/${runId}/remaining`, { leave_out: row.row });
  return { what, means, way: html`<a class="button" href="${path}">Pay the others…</a>` };
}

function holdAct(context: WebContext, { followed: { run }, snapshot }: Found, payout: PayoutNow): PayoutAct {
  const { row, state, code, hold } = payout;
  const what = t`Hold payments to this recipient`;
  const isSent = OPEN.has(state) || state === 'completed';
  const means = isSent
    ? t`They are not paid until an approver releases the hold. This payout was already sent and cannot be recalled.`
    : t`They are not paid until an approver releases the hold.`;
  if (row.order === null) return { what, means, why: t`The row names no recipient.` };
  if (hold !== null)
    return { what, means, why: html`On hold since ${moment(hold.at, 'sentence')}, by ${hold.by}: “${hold.reason}”` };
  if (!hasOneOf(signedIn(context).person, HOLDING))
    return { what, means, why: t`A preparer, an approver or an administrator does that.` };
  if (!snapshot.isStarted) return { what, means, why: t`Recipients appear here once a payment to them has started.` };
  const name = run.header === null ? '' : paymentName(run.header);
  const reason = `${name}, row ${row.row}: ${stateLabel(state)}${code === null || code === state ? '' : ` (${code})`}`;
  const path = `${pathWith(`/payees/${payeeHash(row.order.payee)}`, { reason })}#hold`;
  return { what, means, way: html`<a class="button" href="${path}">Hold payments…</a>` };
}

export function actsPart(acts: readonly PayoutAct[]): Html {
  const items = acts.map((act) => {
    const { what, means } = act;
    const control = 'way' in act ? act.way : html`<span class="button off" aria-disabled="true">Not possible</span>`;
    return html`<li class="split"><span><strong>${what}</strong><br><span class="soft">${means}</span>${'why' in act && html`<br>${act.why}`}</span>${control}</li>`;
  });
  return html`<section class="stack" aria-labelledby="acts"><h2 id="acts">What you can do</h2><ul class="entries card">${items}</ul></section>`;
}
