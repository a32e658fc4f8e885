import { Hono } from 'hono';
import { z } from 'zod';
import { t } from '../../messages/translate.ts';
import { hasOneOf, requireRole, SEEING } from '../require-role.ts';
import { html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { modeBadge } from '../shell/mode.ts';
import { type Column, moment, table } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { NOTICES_SHOWN, type PageNotice } from './inbox.ts';

/** What a person was notified of in the page. */
export function inboxRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/notices', requireRole(), showNotices);
  app.get('/notices/open', requireRole(), open);
  app.post('/notices/read', requireRole(), markRead);
  return app;
}

async function showNotices(context: WebContext) {
  const { web, person } = signedIn(context);
  const noted = hasOneOf(person, SEEING) ? await web.notices.inbox.of(person.id) : [];
  // What was noted before names and amounts were hidden from them may name a file.
  const notices = (await web.sight.of(person).notes(noted)).map(({ note, isNamed }) =>
    isNamed ? note : { ...note, text: t`News of ${note.runId}` },
  );
  const hasUnread = notices.some(({ readAt }) => readAt === null);
  const list =
    notices.length === 0
      ? html`<p class="empty">No notices yet. What needs you and the outcome of payments appear here.</p>`
      : table(t`Notices`, tableColumns(), notices);
  const readAll =
    hasUnread && html`<form method="post" action="/notices/read"><button>Mark all as read</button></form>`;
  const body = html`<div class="head"><h1>Notices</h1><div class="row"><p><a href="/me/notices">Choose your notifications</a></p>${readAll}</div></div>
${list}
${notices.length === NOTICES_SHOWN && html`<p class="soft small">The newest ${NOTICES_SHOWN} are shown.</p>`}`;
  return answer(context, { title: t`Notices`, here: 'me', body });
}

const tableColumns = (): readonly Column<PageNotice>[] => [
  [
    t`Notice`,
    ({ runId, text, isRehearsal, readAt }) =>
      html`<span class="each">${modeBadge(isRehearsal)} </span><a class="${readAt === null ? 'unread' : 'read'}" href="/notices/open?run=${encodeURIComponent(runId)}">${text}</a>${readAt === null && html` <span class="tag">New</span>`}`,
    'head',
  ],
  [t`When`, ({ at }) => moment(at), 'small'],
];

const runId = z.string().regex(/^[\w-]{1,100}$/);

/** A payment that somebody opens from its notice: all of its notices are read then. */
async function open(context: WebContext) {
  const { web, person } = signedIn(context);
  const run = runId.safeParse(context.req.query('run')).data;
  if (run === undefined) return context.redirect('/notices', 303);
  await web.notices.inbox.markRead(person.id, run);
  return context.redirect(`/runs/${run}`, 303);
}

async function markRead(context: WebContext) {
  const { web, person } = signedIn(context);
  await web.notices.inbox.markRead(person.id, null);
  return context.redirect('/notices', 303);
}
