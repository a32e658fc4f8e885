import { Hono } from 'hono';
import type { KeptConnection } from '../../app/people/connections.ts';
import { t, textTable } from '../../messages/translate.ts';
import type { PageConnection } from '../page-connections.ts';
import { requireRole } from '../require-role.ts';
import { html } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { errorPage } from '../shell/layout.ts';
import { doneNotice, type Failure, problemNotice } from '../shell/parts.ts';
import { proveAgain } from '../sign-in/prove.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import {
  connectionForm,
  connectionIn,
  NOTHING_TYPED,
  readConnectionForm,
  readKeysForm,
  rotatedProfile,
  type Typed,
} from './connection-form.ts';
import { connectionTable, detailPart, testWords } from './connection-parts.ts';
import { answerSettings } from './settings-frame.ts';

/** What the page reaches services by: an administrator adds, tests, rotates and disables connections. */
export function connectionRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const only = requireRole('administrator');
  app.get('/settings', only, (context) => context.redirect('/settings/connections', 303));
  app.get('/settings/connections', only, showList);
  app.get('/settings/connections/new', only, (context) => showForm(context, NOTHING_TYPED, []));
  app.post('/settings/connections', only, add);
  app.get('/settings/connections/:id', only, onConnection(showOne));
  app.post('/settings/connections/:id/test', only, onConnection(testNow));
  app.post('/settings/connections/:id/rotate', only, onConnection(rotate));
  app.post('/settings/connections/:id/confirm', only, onConnection(confirm));
  app.post('/settings/connections/:id/disable', only, onConnection(disable));
  app.post('/settings/connections/:id/enable', only, onConnection(enable));
  return app;
}

type Kept = PageConnection & { kept: KeptConnection };

/** Hands the connection of the address to `act`: one that an administrator made. */
function onConnection(act: (context: WebContext, connection: Kept) => Response | Promise<Response>) {
  return async (context: WebContext): Promise<Response> => {
    const found = await context.var.web.connections.get(context.req.param('id') ?? '');
    if (found !== null && found.kept !== null) return act(context, { ...found, kept: found.kept });
    return errorPage(context, {
      status: 404,
      message: t`Connection not found.`,
      remedy: t`See the list of them.`,
    });
  };
}

async function showList(context: WebContext): Promise<Response> {
  const { connections } = context.var.web;
  const listed = await connections.list();
  const body = html`<div class="head"><h2>Connections</h2><a class="button" href="/settings/connections/new">${icon('plus')}Add connection</a></div>
<p class="soft">The services that payments go through. The one payrun was started with and the rehearsal are built in.</p>
${connectionTable(listed, new Set(listed.map(({ entity }) => entity.id)).size > 1)}`;
  return answerSettings(context, 'connections', body);
}

async function showForm(context: WebContext, typed: Typed, problems: readonly string[]): Promise<Response> {
  const { web, person } = signedIn(context);
  const entities = await web.entities.list();
  const wrong =
    problems.length > 0 &&
    html`<div class="notice wrong" role="alert"><p><strong>The connection was not added.</strong></p><ul>${problems.map((one) => html`<li>${one}</li>`)}</ul></div>`;
  const body = html`<h2>Add connection</h2>
<p class="soft">Your IT team or payment provider knows these. The connection is tested when you add it; nothing can be paid over it until the test passes.</p>
${wrong}${connectionForm(web, typed, { entities, person: person.name })}`;
  return answerSettings(context, 'connections', body, problems.length > 0 ? 422 : 200);
}

async function add(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const typed = await readConnectionForm(context);
  const read = await connectionIn(web, typed);
  if (!read.ok) return showForm(context, typed, read.problems);
  const proven = await proveAgain(web, person, typed.current);
  if (!proven.ok) return showForm(context, typed, [proven.message]);
  const added = await web.connections.kept.add(read, by(context));
  if (added === null) return showForm(context, typed, [t`A connection with this name already exists.`]);
  await test(context, added);
  return context.redirect(`/settings/connections/${added.id}?done=added`, 303);
}

const DONE: Readonly<Record<string, string>> = textTable({
  added: 'The connection was added.',
  tested: 'The connection was tested.',
  rotated: 'The new key signed a test and has taken the place of the old one.',
  confirmed: 'You have confirmed the connection.',
  disabled: 'The connection is disabled. Payments under way will finish.',
  enabled: 'The connection is enabled.',
});

type Wrong = { failure: Failure; keys: Pick<Typed, 'api_key' | 'signing_key_file'> };

async function showOne(context: WebContext, connection: Kept, wrong: Wrong | null = null): Promise<Response> {
  const { web, person } = signedIn(context);
  const names = new Map((await web.people.list()).map(({ id, name }) => [id, name]));
  const done = DONE[context.req.query('done') ?? ''] ?? null;
  const body = html`<p class="soft small crumbs"><a href="/settings/connections">Connections</a> / ${connection.name}</p>
${problemNotice(wrong?.failure ?? null)}${wrong === null && doneNotice(done)}
${detailPart(web, connection, { names, person, keys: wrong?.keys ?? null })}`;
  return answerSettings(context, 'connections', body, wrong?.failure.status ?? 200);
}

async function testNow(context: WebContext, { kept }: Kept): Promise<Response> {
  await test(context, kept);
  return done(context, kept, 'tested');
}

/** Tests the connection as it is now, and keeps what came of it. */
async function test(context: WebContext, { id }: Pick<KeptConnection, 'id'>): Promise<void> {
  const { web } = signedIn(context);
  const connection = await web.connections.get(id);
  const over = connection && web.connections.over(connection);
  if (connection?.kept == null || over == null) return;
  await web.connections.kept.tested(connection.kept, await web.deps.services.test(over), by(context));
}

/** New keys are tested before they take the place of the old ones. */
async function rotate(context: WebContext, connection: Kept): Promise<Response> {
  const { web, person } = signedIn(context);
  const { current, ...keys } = await readKeysForm(context);
  const { kept } = connection;
  const refuse = (message: string, remedy = '') =>
    showOne(context, connection, { failure: { status: 422, message, remedy }, keys });
  const read = rotatedProfile(web, kept.profile, keys);
  if (!read.ok) return refuse(read.problems.join(' '));
  const proven = await proveAgain(web, person, current);
  if (!proven.ok) return refuse(proven.message);
  const over = web.connections.over({ ...connection, kept: { ...kept, profile: read.profile } });
  const tested = over === undefined ? null : await web.deps.services.test(over);
  if (tested === null || !tested.ok) {
    const why = tested && testWords(tested);
    return refuse(t`The new key was not accepted, and the old one stays. ${why?.message ?? ''}`, why?.remedy);
  }
  if (kept.isRehearsal !== null && tested.isRehearsal !== kept.isRehearsal)
    return refuse(t`The new key switches between LIVE and TEST. The old key stays.`);
  const isRotated = await web.connections.kept.rotate(kept, { profile: read.profile, test: tested }, by(context));
  if (!isRotated) return refuse(t`Someone else has rotated the keys.`, t`Look at the connection again.`);
  return done(context, kept, 'rotated');
}

async function confirm(context: WebContext, { kept }: Kept): Promise<Response> {
  const isConfirmed = await context.var.web.connections.kept.confirm(kept, by(context));
  if (isConfirmed) return done(context, kept, 'confirmed');
  return errorPage(context, {
    status: 409,
    message: t`Not confirmed: a different administrator must confirm the change.`,
    remedy: t`Look at the connection again.`,
  });
}

async function disable(context: WebContext, { kept }: Kept): Promise<Response> {
  await context.var.web.connections.kept.setDisabled(kept.id, true, by(context));
  return done(context, kept, 'disabled');
}

async function enable(context: WebContext, { kept }: Kept): Promise<Response> {
  await context.var.web.connections.kept.setDisabled(kept.id, false, by(context));
  return done(context, kept, 'enabled');
}

function done(context: WebContext, { id }: KeptConnection, what: string): Response {
  return context.redirect(`/settings/connections/${id}?done=${what}`, 303);
}

function by(context: WebContext): { person: string; audit: Web['audit'] } {
  const { web, person } = signedIn(context);
  return { person: person.id, audit: web.audit };
}
