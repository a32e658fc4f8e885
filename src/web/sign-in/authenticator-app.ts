import { Hono } from 'hono';
import type { Person } from '../../app/people/people.ts';
import { either, t } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { accountField, problemNotice } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import type { Asked } from './passkeys.ts';
import { type NotProven, proveAgain, proveCodeAgain } from './prove.ts';
import { base32, keyUri } from './totp.ts';

/** Setting up an authenticator app and removing it: each takes the password and a code of the app. */
export function authenticatorAppRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const anybody = requireRole();
  app.get('/me/app', anybody, (context) => show(context, null));
  app.post('/me/app', anybody, add);
  app.post('/me/app/remove', anybody, remove);
  return app;
}

const fields = { current: text, code: text };

async function add(context: WebContext) {
  const { web, ...asked } = signedIn(context);
  const { current, code } = await readForm(context, fields);
  const proven = await proveAgain(web, asked.person, current);
  if (!proven.ok) return show(context, proven);
  const confirmed = await proveCodeAgain(web, asked.person, () => confirmApp(web, asked, code));
  if (!confirmed.ok) return show(context, confirmed);
  return answer(context, { title: t`Recovery codes`, here: 'me', body: codesPart(confirmed.found, '/me') });
}

/** Confirms the app by its first code, and gives the recovery codes; null where the code is not right. */
export async function confirmApp(web: Web, { person, session }: Asked, code: string): Promise<string[] | null> {
  return web.store.transaction(async () => {
    const codes = await web.secondFactors.confirm(session, code);
    if (codes !== null) await web.audit.append({ person: person.id, act: 'app_added' });
    return codes;
  });
}

async function remove(context: WebContext) {
  const { web, person } = signedIn(context);
  const { current, code } = await readForm(context, fields);
  const proven = await proveAgain(web, person, current);
  if (!proven.ok) return show(context, proven);
  const taken = await proveCodeAgain(web, person, () => web.secondFactors.take(person.id, proven.passphrase, code));
  if (!taken.ok) return show(context, taken);
  await web.store.transaction(async () => {
    if (await web.secondFactors.remove(person.id)) await web.audit.append({ person: person.id, act: 'app_removed' });
  });
  return context.redirect('/me?done=app_removed', 303);
}

/** The app that a person has, or is to set up. */
async function show(context: WebContext, wrong: NotProven | null): Promise<Response> {
  const { web, ...asked } = signedIn(context);
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const hasApp = await web.secondFactors.hasApp(asked.person.id);
  const body = html`<p class="trail"><a href="/me">You</a></p>
<h1>Authenticator app</h1>
${problemNotice(wrong?.message ?? null)}
<section class="card narrow">
${hasApp ? removeForm(asked.person, await web.secondFactors.codesLeft(asked.person.id)) : await addForm(web, asked)}
</section>`;
  const status = seconds !== null ? 429 : wrong === null ? 200 : 422;
  return answer(context, { title: t`Authenticator app`, here: 'me', body }, status);
}

async function addForm(web: Web, asked: Asked): Promise<Html> {
  return html`${await keyPart(web, asked)}
<form method="post" action="/me/app">
${accountField(asked.person.name)}
${codeField(t`Code shown in the app`)}
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<button class="primary">Set up the app</button>
</form>`;
}

function removeForm({ name }: Person, codesLeft: number): Html {
  return html`<p>You enter a code from the app each time you sign in. ${codesLeft} of your recovery codes are left. To get new ones, remove the app and set it up again.</p>
<form method="post" action="/me/app/remove">
${accountField(name)}
${codeField(t`Code from the app, or a recovery code`)}
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<button class="danger">Remove the app</button>
</form>`;
}

export function codeField(label: string): Html {
  return html`<label>${label} <input name="code" required maxlength="24" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"></label>`;
}

/** The key that an app is to have, as a picture and as text. */
export async function keyPart({ secondFactors, options }: Web, { person, session }: Asked): Promise<Html> {
  const secret = await secondFactors.prepare(session);
  const picture = await qrCode(keyUri(secret, `${person.name} (${new URL(options.origin).host})`));
  const key = base32(secret).match(/.{1,4}/g) ?? [];
  return html`<p>Scan this with an authenticator app on your phone, or type in the key. Then enter the code that the app shows.</p>
${picture}
<pre tabindex="0" aria-label="The key as text">${key.join(' ')}</pre>`;
}

/** Black on white in the dark too, as cameras want it. */
async function qrCode(content: string): Promise<Html> {
  const { default: encodeQr } = await import('qr');
  const rows = encodeQr(content, 'raw');
  const size = rows.length;
  const cells = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="200" height="200" role="img" aria-label="QR code of the key" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="white"/><path fill="black" d="${cells.join('')}"/></svg>`;
}

/** Shown this once. */
export function codesPart(codes: readonly string[], next: string): Html {
  return html`<section class="door">
<h1>Your recovery codes</h1>
<p>The app is set up. If you lose it, each of these codes signs you in once. They are not shown again: print them or keep them in a password manager.</p>
<pre tabindex="0">${codes.join('\n')}</pre>
<p><a class="button primary" href="${next}">I have kept them</a></p>
</section>`;
}

/** On the page of what a person has here. */
export async function appCard({ secondFactors }: Web, { id }: Person): Promise<Html> {
  const hasApp = await secondFactors.hasApp(id);
  return html`<section class="part" aria-labelledby="app">
<h2 id="app">Authenticator app</h2>
<p class="soft">${hasApp ? t`You enter a code from it each time you sign in. ${await secondFactors.codesLeft(id)} recovery codes are left.` : t`With it, you sign in with your password and a code from your phone.`}</p>
<p><a class="button" href="/me/app">${either(hasApp, 'Remove or replace it', 'Set up an app')}</a></p>
</section>`;
}
