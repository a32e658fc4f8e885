import { Hono } from 'hono';
import { heldWithAccounts } from '../../app/payees/hold-payee.ts';
import type { BookedPayee, PayeeBook } from '../../app/payees/payee-book.ts';
import type { HoldsKnown } from '../../app/runs/run-reads.ts';
import { HOLD_REASON_MAX, type Holds, type PlacedHold } from '../../domain/run/holds.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { HOLDING, hasOneOf, requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { errorPage } from '../shell/layout.ts';
import { moment } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { NO_SUCH_PAYEE, onBook, payeeIn } from './payee-books.ts';

/** Who may say that somebody may be paid again. */
const RELEASING = ['approver'] as const;

const NO_REASON = textTable({
  status: 422,
  message: 'The reason is missing. Nothing was recorded.',
  get remedy() {
    return t`Go back and say why, in at most ${HOLD_REASON_MAX} characters.`;
  },
});

const PAGE = textTable({ title: 'Recipients', here: 'recipients' }, ['here']);

/** Puts payees on hold, and releases them. */
export function holdRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/payees/:id/hold', requireRole(...HOLDING), onBook(PAGE, hold));
  app.post('/payees/:id/release', requireRole(...RELEASING), onBook(PAGE, release));
  return app;
}

async function hold(context: WebContext, book: PayeeBook): Promise<Response> {
  const payee = payeeIn(context, book);
  if (payee === undefined) return errorPage(context, NO_SUCH_PAYEE);
  return record(context, heldWithAccounts(payee));
}

async function release(context: WebContext, book: PayeeBook): Promise<Response> {
  const { web, person } = signedIn(context);
  const { now } = await web.deps.reads.holds();
  const held = now.ofPayee(context.req.param('id') ?? '');
  const isSeen = payeeIn(context, book) !== undefined || web.sight.of(person).seesEverything;
  if (held === null || !isSeen) return errorPage(context, NOT_HELD);
  const { payee, name, payee_id } = held;
  return record(context, { act: 'release', payee, name, payee_id, accounts: [] });
}

const NOT_HELD = textTable({
  status: 409,
  message: 'This recipient is not on hold.',
  remedy: 'Look at the recipient again: someone may have released the hold a moment ago.',
});

type Recorded = Pick<PlacedHold, 'act' | 'payee' | 'name' | 'payee_id' | 'accounts'>;

/** What counts is on disk in the journal before the audit log has it. */
async function record(context: WebContext, recorded: Recorded): Promise<Response> {
  const { web, person } = signedIn(context);
  const reason = (await readForm(context, { reason: text })).reason.trim();
  if (reason === '' || reason.length > HOLD_REASON_MAX) return errorPage(context, NO_REASON);
  await web.deps.reads.recordHold({ ...recorded, reason, by: person.name });
  const act = recorded.act === 'hold' ? 'payee_held' : 'payee_released';
  const details = { name: recorded.name, payee_id: recorded.payee_id, reason };
  await web.audit.append({ person: person.id, act, details });
  return context.redirect(`/payees/${recorded.payee}`, 303);
}

/** The hold of a payee, or of one who was paid on the account that they were paid on last; null where there is none. */
export function heldBy({ id, payouts }: BookedPayee, holds: Holds): PlacedHold | null {
  return holds.ofPayee(id) ?? holds.ofAccount(payouts[0]?.accountKey ?? '');
}

/** Whether a payee is on hold, what that means, and what this person can do about it. */
export function holdPart(context: WebContext, payee: BookedPayee, { now, records }: HoldsKnown): Html {
  const { web, person } = signedIn(context);
  const { seesEverything } = web.sight.of(person);
  const held = heldBy(payee, now);
  const own = records.filter((record) => record.payee === payee.id);
  const story = own.length > 0 && html`<ol class="card story">${own.toReversed().map(storyItem)}</ol>`;
  if (held === null) {
    // As the page of a payout fills it in: it is only recorded when somebody sends the form.
    const reason = (context.req.query('reason') ?? '').slice(0, HOLD_REASON_MAX);
    const form =
      hasOneOf(person, HOLDING) &&
      html`<details id="hold"${reason !== '' && html` open`}><summary class="button danger">Hold payments…</summary>
${reasonForm(`/payees/${payee.id}/hold`, t`Why should payments to this recipient be held?`, t`Do not pay`, 'danger', reason)}</details>`;
    return html`${story}${form}`;
  }
  const isOther = held.payee !== payee.id;
  const form = hasOneOf(person, RELEASING)
    ? reasonForm(`/payees/${held.payee}/release`, t`Why can this recipient be paid again?`, t`Release hold`, '')
    : html`<p>An approver can release it.</p>`;
  return html`<div class="notice care" role="status">
<p><strong>On hold: do not pay.</strong> ${isOther && html`The account is on hold with ${seesEverything ? held.name : t`another recipient`}. `}${held.by}, ${moment(held.at, 'sentence')}: “${held.reason}”</p>
<p>From now on, a row for this recipient, or for an account they were paid on, is an error in every file. Payments already planned or under way leave it out. A payout that was already sent is not recalled.</p>
${isOther ? null : form}</div>${story}`;
}

function storyItem({ act, at, by, reason }: PlacedHold): Html {
  return html`<li><span class="soft small">${moment(at)}</span><span>${by} ${either(act === 'hold', 'put the recipient on hold', 'released the hold')}: “${reason}”</span></li>`;
}

function reasonForm(path: string, label: string, button: string, className: string, reason = ''): Html {
  return html`<form method="post" action="${path}" class="stack">
<label>${label} <input name="reason" required maxlength="${HOLD_REASON_MAX}" value="${reason}" autocomplete="off"></label>
<button${className && html` class="${className}"`}>${button}</button>
</form>`;
}

/** Those on hold who are in none of the runs that were read: they have no page of their own here. */
export function heldElsewhere(holds: Holds, { byId }: PayeeBook): Html | null {
  const others = holds.all.filter(({ payee }) => !byId.has(payee));
  if (others.length === 0) return null;
  const items = others.map(
    ({ name, by, at, reason }) =>
      html`<li><b>${name}</b><span class="soft">${by}, ${moment(at, 'sentence')}: “${reason}”</span></li>`,
  );
  return html`<section aria-labelledby="elsewhere"><h2 id="elsewhere">On hold, and in none of these runs</h2><ul class="entries">${items}</ul></section>`;
}
