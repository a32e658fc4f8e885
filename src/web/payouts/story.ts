import type { Note } from '../../domain/entries/note.ts';
import type { EntryOf, PayoutEntry, PlacedEntry } from '../../domain/entry.ts';
import { messages } from '../../messages/messages.ts';
import { asSentence, capital, counted } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import type { PageProof } from '../runs/run-head.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { copyable, moment } from '../shell/parts.ts';
import { minorText } from '../shell/words.ts';

type PayoutKind = PayoutEntry['kind'];

/** Who looks, and how texts of the service are shown: with the row's account numbers masked. */
type StoryContext = { runId: string; proof: PageProof; hide(text: string): string };

type Words = { readonly [Kind in PayoutKind]: (entry: EntryOf<Kind>, context: StoryContext) => Shown };

/** What happened to one payout, entry by entry of its run: each attempt, what was answered, and what was done to find out. */
export function payoutStory(entries: readonly PlacedEntry[], context: StoryContext): Html {
  const items = entries.map(({ n, at, entry }) => {
    const words = WORDS[entry.kind as PayoutKind] as (entry: PlacedEntry['entry'], context: StoryContext) => Shown;
    return html`<li><span class="soft small">${moment(at, 'exact')} <span class="id">${n}</span></span><span>${words(entry, context)}</span></li>`;
  });
  return items.length === 0
    ? html`<p class="soft">Nothing was sent for it.</p>`
    : html`<ol class="card story">${items}</ol>`;
}

const clause = (note: Note, { hide }: StoryContext) => asSentence(capital(hide(messages.notes.noteText(note))));

function acceptedText(by: EntryOf<'accepted'>['by'], id: Html): Html {
  switch (by) {
    case 'answer':
      return html`The service accepted it as ${id}`;
    case 'look':
      return html`Found at the service by its token, as ${id}`;
    case 'resend':
      return html`The service answered the same request, sent again, with ${id}`;
    case 'person':
      return html`A person recorded it as ${id}`;
  }
}

function absentText({ attempt, by, listings }: EntryOf<'absent'>): string {
  switch (by) {
    case 'listing':
      return t`Attempt ${attempt} took no effect: the service does not show it in ${counted(listings, 'complete list')}.`;
    case 'person':
      return t`Attempt ${attempt} took no effect: a person accepts that the service does not show it in ${counted(listings, 'complete list')}.`;
    case 'first_copy':
      return t`Attempt ${attempt} took no effect: the service reports that it refused the request.`;
  }
}

function lookedText({ found, complete }: EntryOf<'looked'>): string {
  if (found === 0)
    return complete
      ? t`Looked up by its token: not found in a complete list.`
      : t`Looked up by its token: not found, but the list is not complete.`;
  return t`Looked for by its token: ${counted(found, 'record')} found.`;
}

const WORDS: Words = {
  intent: ({ attempt, token, external_account_id: account, request }) =>
    html`Attempt ${attempt} was recorded, then sent. The service could accept it until ${moment(request.expires * 1_000, 'exact')}.<br>
<span class="small">Token ${copyable(token, t`the token`)}</span> <span class="small">Account ${copyable(account, t`the id of the account`)}</span>`,
  accepted: ({ transaction_id: id, by }) => acceptedText(by, copyable(id, t`the transaction`)),
  no_effect: ({ attempt, reason }, context) => html`Attempt ${attempt} took no effect. ${clause(reason, context)}`,
  rejected: ({ code, ...why }, { hide }) =>
    html`Rejected: ${hide(messages.rejections.rejectionText(why))} <span class="id">${code}</span>`,
  doubt: ({ reason }, context) =>
    html`Its outcome is unknown. ${clause(reason, context)} It is resent only if it provably took no effect.`,
  replayed: ({ first }) =>
    first === null
      ? t`The service had this request before, and says nothing about the first copy.`
      : t`The service had this request before, and answered the first copy with status ${first.status}.`,
  unknown_transaction: ({ transaction_id: id }) =>
    html`The service does not know the transaction ${copyable(id, t`the transaction`)}, which it answered with`,
  looked: lookedText,
  absent: absentText,
  unresolved: ({ reason }, context) => html`It needs a decision. ${clause(reason, context)}`,
  suspected: ({ reason }, context) => html`It may have been paid already. ${clause(reason, context)}`,
  resolved: ({ verdict, transaction_id: id, row, ...who }, { runId, proof }) => {
    const isOnPage = who.page_person !== undefined && proof(who.page_person, [{ runId, act: 'resolved', row }]);
    const name = messages.actors.actorText(who, isOnPage);
    return verdict === 'sent' && id !== null
      ? html`${name} recorded it as sent, as ${copyable(id, t`the transaction`)}`
      : t`${name} recorded it as not sent.`;
  },
  surfaced: ({ transaction_id: id }) =>
    html`The service has another payment for it: ${copyable(id, t`the transaction`)}`,
  final: ({ status, code, message, ...sums }, { hide }) => {
    if (status === 'FAILED')
      return html`Failed: ${message === null ? t`the service gives no reason.` : hide(message)} <span class="id">${code}</span>`;
    const sent = minorText(sums.sent_minor, sums.sent_currency);
    const received = minorText(sums.received_minor, sums.received_currency);
    return t`Completed: ${sent} sent, ${received} received, ${minorText(sums.fees_minor, sums.sent_currency)} in fees.`;
  },
  not_submitted: ({ message }, context) => html`Not sent. ${clause(message, context)}`,
};
