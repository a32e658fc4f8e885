import { Hono } from 'hono';
import { mayHave } from '../../app/people/api-tokens.ts';
import type { Person } from '../../app/people/people.ts';
import {
  ENDPOINTS_OF_ONE_MAX,
  type WebhookEndpoint,
  type WebhookStanding,
} from '../../app/people/webhook-endpoints.ts';
import { counted } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { accountField, type Column, doneNotice, moment, problemNotice, table } from '../shell/parts.ts';
import { proveAgain } from '../sign-in/prove.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { eventsNow } from './events.ts';

type Wrong = { message: string; retryAfterSeconds?: number | null };

const DONE: Readonly<Record<string, string>> = textTable({
  removed: 'The endpoint is removed. Nothing more is sent to it.',
});
const URL_MAX = 2_048;
const unusableUrl = () =>
  t`Webhooks cannot be sent to this address. Enter an https URL that leads to a public address, without a user name or a fragment.`;

/** Where events of plans and runs are posted for a person. An administrator sees and removes the endpoints of everybody. */
export function webhookRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/me/webhooks', requireRole(), (context) => show(context, null, ''));
  app.post('/me/webhooks', requireRole(...SEEING), add);
  app.post('/me/webhooks/:id/remove', requireRole(), remove);
  return app;
}

async function add(context: WebContext): Promise<Response> {
  const { web, person, session } = signedIn(context);
  const { url, current } = await readForm(context, { url: text.transform((typed) => typed.trim()), current: text });
  const own = (await web.endpoints.list()).filter(({ personId }) => personId === person.id);
  if (own.length >= ENDPOINTS_OF_ONE_MAX)
    return show(context, { message: t`You have ${ENDPOINTS_OF_ONE_MAX} endpoints. Remove one first.` }, url);
  if (!web.deps.webhooks?.mayUse(url)) return show(context, { message: unusableUrl() }, url);
  const proven = await proveAgain(web, person, current);
  if (!proven.ok) return show(context, proven, url);
  const known = (await eventsNow(web)).map(({ key }) => key);
  const made = await web.store.transaction(async () => {
    const added = await web.endpoints.add(person.id, url, known);
    const details = { host: new URL(url).host, endpoint: added.id };
    await web.audit.append({ person: person.id, act: 'webhook_added', details });
    return added;
  });
  await web.sessions.setNewLink(session, { personId: made.id, link: made.secret });
  return context.redirect('/me/webhooks', 303);
}

async function remove(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const endpoint = await web.endpoints.get(context.req.param('id') ?? '');
  if (endpoint === null || (endpoint.personId !== person.id && !person.roles.includes('administrator')))
    return show(context, { message: t`Endpoint not found.` }, '');
  await web.store.transaction(async () => {
    if (!(await web.endpoints.remove(endpoint.id))) return;
    const details = { host: new URL(endpoint.url).host, whom: endpoint.personId, endpoint: endpoint.id };
    await web.audit.append({ person: person.id, act: 'webhook_removed', details });
  });
  return context.redirect('/me/webhooks?done=removed', 303);
}

type Shown = WebhookStanding & { endpoint: WebhookEndpoint; owner: string };

async function shownEndpoints(web: Web, person: Person): Promise<Shown[]> {
  const isAdministrator = person.roles.includes('administrator');
  const listed = (await web.endpoints.list()).filter(({ personId }) => isAdministrator || personId === person.id);
  return Promise.all(
    listed.map(async (endpoint) => ({
      endpoint,
      owner: await web.people.nameOf(endpoint.personId),
      ...(await web.endpoints.standing(endpoint.id)),
    })),
  );
}

async function show(context: WebContext, wrong: Wrong | null, typed: string): Promise<Response> {
  const { web, person, session } = signedIn(context);
  const endpoints = await shownEndpoints(web, person);
  const made = wrong === null ? await web.sessions.takeNewLink(session) : null;
  const isNew = made !== null && endpoints.some(({ endpoint }) => endpoint.id === made.personId);
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const body = html`<p class="trail"><a href="/me">You</a></p>
<h1>Webhooks</h1>
<p class="lead">payrun notifies your programs about plans and runs, so they do not have to poll.</p>
${problemNotice(wrong?.message ?? null)}
${doneNotice(DONE[context.req.query('done') ?? ''] ?? null)}
${isNew && secretNotice(made.link)}
${endpoints.length === 0 ? html`<p class="empty">No endpoints yet.</p>` : table(t`Webhook endpoints`, tableColumns(), endpoints)}
${mayHave(person.roles, 'payments:read') && addForm(person, typed)}`;
  const status = seconds !== null ? 429 : wrong === null ? 200 : 422;
  return answer(context, { title: t`Webhooks`, here: 'me', body }, status);
}

function secretNotice(secret: string): Html {
  return html`<section class="notice stack" aria-labelledby="made">
<h2 id="made">The signing secret</h2>
<p>Copy it now: it is shown only once. Your program uses it to verify that a webhook came from here.</p>
<pre tabindex="0">${secret}</pre>
</section>`;
}

const tableColumns = (): readonly Column<Shown>[] => [
  [t`Endpoint`, ({ endpoint }) => endpoint.url, 'head'],
  [t`Person`, ({ owner }) => owner],
  [t`Last delivered`, ({ sentAt }) => (sentAt === null ? 'never' : moment(sentAt)), 'small'],
  [
    t`Problems`,
    ({ failure, givenUp }) =>
      html`${failure ?? t`none`}${givenUp > 0 && html`<br>${counted(givenUp, 'event')} not delivered`}`,
    'small',
  ],
  [
    t`Action`,
    ({ endpoint }) =>
      html`<form method="post" action="/me/webhooks/${endpoint.id}/remove"><button class="danger" aria-label="Remove ${endpoint.url}">Remove</button></form>`,
  ],
];

function addForm({ name }: Person, typed: string): Html {
  return html`<section class="part" aria-labelledby="add"><h2 id="add">Add an endpoint</h2>
<form method="post" action="/me/webhooks">
${accountField(name)}
<label>URL <input name="url" type="url" value="${typed}" required maxlength="${URL_MAX}" placeholder="https://erp.example.com/payrun" autocomplete="off"></label>
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<button class="primary">Add endpoint</button>
</form></section>`;
}
