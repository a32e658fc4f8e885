import { Hono } from 'hono';
import { isEmailAddress } from '../../domain/notices/email-address.ts';
import { counted } from '../../messages/text.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text, texts } from '../shell/form.ts';
import { html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { choice, doneNotice, moment, problemNotice } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type Choice, NOTICE_EVENTS, type NoticeEvent } from './choices.ts';

const EVENT_WORDS: Readonly<Record<NoticeEvent, string>> = {
  waiting: 'A payment is waiting for me: to approve, or to start',
  changed_details: 'A payment that waits for my approval pays somebody on a changed account',
  failed: 'Payouts failed or were rejected',
  unresolved: 'A payout needs a decision',
  stopped: 'A payment stopped before all of it was sent',
};

const NO_MAIL =
  'This page sends no mail yet. Its operator starts it with --mail-server and --mail-from; what you choose here takes effect then.';

/** What a person has mails about. */
export function noticeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/me/notices', requireRole(), (context) => show(context, null, null));
  app.post('/me/notices', requireRole(), choose);
  return app;
}

async function choose(context: WebContext) {
  const { web, person } = signedIn(context);
  const form = await readForm(context, { address: text, events: texts });
  const address = form.address.trim();
  const events = NOTICE_EVENTS.filter((event) => form.events.includes(event));
  if (events.length > 0 && !isEmailAddress(address))
    return show(context, { address, events }, 'Enter one e-mail address, such as ana@example.org.');
  await web.notices.skipAll(person);
  await web.store.transaction(async () => {
    await web.notices.choices.set(person.id, { address, events });
    await web.audit.append({ person: person.id, act: 'notices_chosen', details: { address, events } });
  });
  return context.redirect('/me/notices?done=yes', 303);
}

async function show(context: WebContext, typed: Choice | null, wrong: string | null): Promise<Response> {
  const { web, person } = signedIn(context);
  const { address, events } = typed ?? (await web.notices.choices.of(person.id)) ?? { address: '', events: [] };
  const { mails, at } = await web.notices.outbox.givenUp(person.id);
  const choices = NOTICE_EVENTS.map((event) =>
    choice('events', event, EVENT_WORDS[event], { isTicked: events.includes(event) }),
  );
  const body = html`<h1>Notifications</h1>
${doneNotice(context.req.query('done') === 'yes' ? 'Saved.' : null)}
<section class="card" aria-labelledby="mail">
<h2 id="mail">By mail</h2>
${!web.notices.canMail && html`<p class="soft">${NO_MAIL}</p>`}
${mails > 0 && at !== null && html`<p class="soft">${counted(mails, 'mail')} to you could not be sent, the last on ${moment(at)}.</p>`}
${problemNotice(wrong)}
<form method="post" action="/me/notices">
<fieldset><legend>Mail me when</legend>${choices}</fieldset>
<label>E-mail address <input name="address" type="email" value="${address}" maxlength="254" autocomplete="email"></label>
<p class="soft small">A mail has the payment’s name, its status and a link, and no payee or account.</p>
<button>Save</button>
</form>
</section>`;
  return answer(context, { title: 'Notifications', here: 'me', body }, wrong === null ? 200 : 422);
}
