import { Hono } from 'hono';
import { isEmailAddress } from '../../domain/notices/email-address.ts';
import { counted } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text, texts } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { type Column, choice, doneNotice, hiddenField, moment, problemNotice, table } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type Choice, NOTICE_EVENTS, type NoticeEvent } from './choices.ts';

const EVENT_WORDS: Readonly<Record<NoticeEvent, string>> = textTable({
  waiting: 'A payment is waiting for me to approve or start',
  changed_details: 'A payment awaiting my approval pays someone on a changed account',
  failed: 'Payouts failed or were rejected',
  unresolved: 'A payout needs a decision',
  returned: 'A completed payout was returned by the bank',
  stopped: 'A payment stopped before all of it was sent',
});

const noMail = () =>
  t`This page does not send mail yet. Your choices take effect once its operator starts it with --mail-server and --mail-from.`;

/** What a person is notified of, and how. */
export function noticeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/me/notices', requireRole(), (context) => show(context, null, null));
  app.post('/me/notices', requireRole(), choose);
  return app;
}

/** `page`: in the page; null where a form has no such choice. */
type Chosen = Choice & { page: readonly NoticeEvent[] | null };

async function choose(context: WebContext) {
  const { web, person } = signedIn(context);
  const form = await readForm(context, { address: text, events: texts, page: texts, in_page: text });
  const chosen: Chosen = {
    address: form.address.trim(),
    events: NOTICE_EVENTS.filter((event) => form.events.includes(event)),
    page: form.in_page === '' ? null : NOTICE_EVENTS.filter((event) => form.page.includes(event)),
  };
  const { address, events, page } = chosen;
  if (events.length > 0 && !isEmailAddress(address))
    return show(context, chosen, t`Enter one e-mail address, such as ana@example.org.`);
  const shown = (await web.notices.choices.inPage()).get(person.id) ?? NOTICE_EVENTS;
  const added = page?.filter((event) => !shown.includes(event)) ?? [];
  await web.notices.skip(person, { mail: NOTICE_EVENTS, page: added });
  await web.store.transaction(async () => {
    await web.notices.choices.set(person.id, { address, events });
    if (page !== null) await web.notices.choices.setInPage(person.id, page);
    const details = { address, events, ...(page !== null && { page }) };
    await web.audit.append({ person: person.id, act: 'notices_chosen', details });
  });
  return context.redirect('/me/notices?done=yes', 303);
}

async function show(context: WebContext, typed: Chosen | null, wrong: string | null): Promise<Response> {
  const { web, person } = signedIn(context);
  const { choices, outbox, canMail } = web.notices;
  const { address, events } = typed ?? (await choices.of(person.id)) ?? { address: '', events: [] };
  const shown = typed?.page ?? (await choices.inPage()).get(person.id) ?? NOTICE_EVENTS;
  const { mails, at } = await outbox.givenUp(person.id);
  const columns: Column<NoticeEvent>[] = [
    [t`Event`, (event) => EVENT_WORDS[event], 'head'],
    [t`In the page`, (event) => box('page', event, shown)],
    [t`By mail`, (event) => box('events', event, events)],
  ];
  const body = html`<div class="head"><h1>Notifications</h1><a href="/notices">Show notices</a></div>
${doneNotice(context.req.query('done') === 'yes' ? t`Saved.` : null)}
${!canMail && html`<p class="soft">${noMail()}</p>`}
${mails > 0 && at !== null && html`<p class="soft">${counted(mails, 'mail')} to you could not be sent, the last on ${moment(at, 'sentence')}.</p>`}
${problemNotice(wrong)}
<form method="post" action="/me/notices" class="stack">
${hiddenField('in_page', 'chosen')}
${table(t`What you are notified of`, columns, NOTICE_EVENTS, { className: 'rows lines choices' })}
<label>E-mail address <input name="address" type="email" value="${address}" maxlength="254" autocomplete="email"></label>
<p class="soft small">A notice has the payment’s name, its status and a link, and no payee or account.</p>
<div><button>Save</button></div>
</form>`;
  return answer(context, { title: t`Notifications`, here: 'me', body }, wrong === null ? 200 : 422);
}

function box(name: 'page' | 'events', event: NoticeEvent, ticked: readonly NoticeEvent[]): Html {
  const label = `${name === 'page' ? t`In the page` : t`By mail`}: ${EVENT_WORDS[event]}`;
  return choice(name, event, html`<span class="hidden">${label}</span>`, { isTicked: ticked.includes(event) });
}
