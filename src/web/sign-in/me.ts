import { Hono } from 'hono';
import type { Role } from '../../app/people/grants.ts';
import type { Person } from '../../app/people/people.ts';
import { shownDay } from '../../messages/local-time.ts';
import { t, textTable } from '../../messages/translate.ts';
import { ROLE_WORDS } from '../people/access-words.ts';
import { beginSession, requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { accountField, doneNotice, hiddenField, problemNotice } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { appCard } from './authenticator-app.ts';
import { type Passkey, passkeyLabel, UNNAMED } from './passkey-store.ts';
import { addPasskey, askForChange, askForPasskey, mayChange, relyingParty } from './passkeys.ts';
import { PASSWORD_MIN, passwordFault } from './passwords.ts';
import { changedSecrets, type NotProven, proveAgain, removeKeyFile } from './prove.ts';
import { viewCard } from './view-choice.ts';

const DONE: Readonly<Record<string, string>> = textTable({
  password: 'Password changed. You are signed out everywhere else.',
  passkey: 'Passkey added. You will be asked for it when you approve a payment.',
  removed: 'Passkey removed.',
  view: 'Saved.',
  app_removed: 'The authenticator app is removed, with its recovery codes.',
});

const LABEL_MAX = 64;
const label = text.transform((typed) => typed.trim().slice(0, LABEL_MAX) || UNNAMED);

/** Whose plans and approvals are signed. */
const SIGNING: readonly Role[] = ['preparer', 'approver'];

/**
 * What people do with their own password, passkeys and key. Each change asks for the password again, and one of the passkeys
 * for one of them too.
 */
export function meRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const anybody = requireRole();
  app.get('/me', anybody, (context) => show(context, null));
  app.post('/me/password', anybody, changePassword);
  app.post('/me/passkeys/ask', anybody, askForOwn);
  app.post('/me/passkeys/options', anybody, passkeyOptions);
  app.post('/me/passkeys', anybody, keepPasskey);
  app.post('/me/passkeys/remove', anybody, removePasskey);
  return app;
}

async function changePassword(context: WebContext) {
  const { web, person, session } = signedIn(context);
  const { current, password, again } = await readForm(context, { current: text, password: text, again: text });
  const refuse = (message: string) => show(context, { at: 'password', message });
  const differs = password === again ? null : t`The new passwords do not match.`;
  const fault = passwordFault(password, person.name) ?? differs;
  if (fault !== null) return refuse(fault);
  const proven = await proveAgain(web, person, current);
  if (!proven.ok) return show(context, { at: 'password', ...proven });
  const made = await changedSecrets(web, proven.person, proven.passphrase, password);
  const isChanged = await web.store.transaction(async () => {
    // Somebody may have done the same in another window meanwhile, or have been let in anew.
    if ((await web.people.get(person.id))?.keyFile !== proven.person.keyFile) return false;
    await web.people.setSecrets(person.id, made.secrets);
    await web.secondFactors.reseal(person.id, { from: proven.passphrase, to: made.passphrase });
    await web.sessions.endOf(person.id);
    await web.audit.append({ person: person.id, act: 'password_changed' });
    return true;
  });
  if (!isChanged) {
    await made.discard();
    return refuse(t`It was changed in another window. Try again.`);
  }
  await removeKeyFile(web, proven.person);
  await beginSession(context, person.id, made.passphrase, session.provider);
  return context.redirect('/me?done=password', 303);
}

/** For the page's script: what a passkey of the person is to sign before they are changed, null where there is none. */
async function askForOwn(context: WebContext) {
  const { web, ...asked } = signedIn(context);
  const { current } = await readForm(context, { current: text });
  const proven = await proveAgain(web, asked.person, current);
  return proven.ok ? context.json(await askForChange(web, asked)) : notProven(context, proven);
}

/** For the page's script: what the browser is to make, or why not. */
async function passkeyOptions(context: WebContext) {
  const { web, ...asked } = signedIn(context);
  const { current, credential } = await readForm(context, { current: text, credential: text });
  const proven = await proveAgain(web, asked.person, current);
  if (!proven.ok) return notProven(context, proven);
  const may = await mayChange(web, asked, credential);
  if (!may.ok) return context.json({ message: may.message }, 403);
  const options = await askForPasskey(web, asked);
  if (options === null) return context.json({ message: t`Passkeys belong to names: open the page by its name.` }, 409);
  return context.json(options);
}

export function notProven(context: WebContext, { message, retryAfterSeconds }: NotProven) {
  return context.json({ message }, retryAfterSeconds === null ? 403 : 429);
}

async function keepPasskey(context: WebContext) {
  const { web, ...asked } = signedIn(context);
  const form = await readForm(context, { label, credential: text });
  const added = await addPasskey(web, asked, form.label, form.credential);
  if (!added.ok) return show(context, { at: 'passkey', message: added.message });
  const { id, rpId, publicKey } = added.passkey;
  const details = { label: form.label, id, rp_id: rpId, public_key: publicKey };
  await web.audit.append({ person: asked.person.id, act: 'passkey_added', details });
  return context.redirect('/me?done=passkey', 303);
}

async function removePasskey(context: WebContext) {
  const { web, ...asked } = signedIn(context);
  const { person } = asked;
  const { current, credential, id } = await readForm(context, { current: text, credential: text, id: text });
  const proven = await proveAgain(web, person, current);
  if (!proven.ok) return show(context, { at: 'passkey', ...proven });
  const may = await mayChange(web, asked, credential);
  if (!may.ok) return show(context, { at: 'passkey', message: may.message });
  if (!(await web.passkeys.remove(person.id, id)))
    return show(context, { at: 'passkey', message: t`It was already removed.` });
  await web.audit.append({ person: person.id, act: 'passkey_removed', details: { id } });
  return context.redirect('/me?done=removed', 303);
}

type Wrong = { at: 'password' | 'passkey'; message: string; retryAfterSeconds?: number | null };

/** What a person has here: roles, password, passkeys, and the key that they sign with. */
async function show(context: WebContext, wrong: Wrong | null): Promise<Response> {
  const { web, person: before } = signedIn(context);
  // They may have changed since the request began.
  const person = (await web.people.get(before.id)) ?? before;
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const done = DONE[context.req.query('done') ?? ''] ?? null;
  const hasName = relyingParty(web.options.origin) !== null;
  const passkeys = await web.passkeys.of(person.id);
  const wrongAt = (at: Wrong['at']) => problemNotice(wrong?.at === at ? wrong.message : null);
  const body = html`<h1>${person.name}</h1>
${doneNotice(wrong === null ? done : null)}
<div class="columns">
<section class="part" aria-labelledby="roles">
<h2 id="roles">Your roles</h2>
${person.roles.length === 0 && html`<p class="soft">None yet. Ask an administrator for a role.</p>`}
<dl class="stack roles">${person.roles.map((role) => html`<div><dt>${ROLE_WORDS[role].label}</dt><dd class="soft">${ROLE_WORDS[role].means}</dd></div>`)}</dl>
</section>
<section class="part" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="soft">With one, you approve plans with your password and the passkey: your phone, your computer or a security key.${passkeys.length > 0 && t` Adding another and removing one take it too. Where you have lost it, an administrator removes your passkeys.`}</p>
${wrongAt('passkey')}
${passkeys.map((passkey) => passkeyRow(passkey, person))}
${hasName ? addForm(person) : html`<p class="soft">Passkeys need a host name. This page was opened by IP address.</p>`}
</section>
${await appCard(web, person)}
${await viewCard(web, person)}
<section class="part" aria-labelledby="password">
<h2 id="password">Password</h2>
${wrongAt('password')}
<form method="post" action="/me/password">
${accountField(person.name)}
<label>Current password <input name="current" type="password" required autocomplete="current-password"></label>
<label>New password <input name="password" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password" aria-describedby="new-hint"></label>
<p class="soft small" id="new-hint">At least ${PASSWORD_MIN} characters. It also locks your signing key.</p>
<label>Confirm password <input name="again" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password"></label>
<button>Change the password</button>
</form>
</section>
</div>
${keyCard(person)}
<p><a href="/me/notices">Notifications</a></p>
<p><a href="/me/tokens">API tokens</a>, with which programs act for you</p>
<p><a href="/me/webhooks">Webhooks</a>, by which programs learn what happens</p>`;
  return answer(context, { title: t`You`, here: 'me', body }, seconds !== null ? 429 : wrong === null ? 200 : 422);
}

function passkeyRow({ id, label: given, createdAt, usedAt }: Passkey, { name }: Person): Html {
  const label = passkeyLabel(given);
  const used = usedAt === null ? t`not used yet` : t`last used ${shownDay(usedAt)}`;
  return html`<details>
<summary>${label} <span class="soft small">added ${shownDay(createdAt)}, ${used}</span></summary>
<form method="post" action="/me/passkeys/remove" class="inside" data-passkey-get="/me/passkeys/ask">
${hiddenField('id', id)}
${passkeyFields(name)}
<button class="danger">Remove ${label}</button>
</form>
</details>`;
}

function addForm({ name }: Person): Html {
  return html`<form method="post" action="/me/passkeys" data-passkey-get="/me/passkeys/ask" data-passkey-create="/me/passkeys/options">
<label>Name <input name="label" required maxlength="${LABEL_MAX}" placeholder="My phone" autocomplete="off"></label>
${passkeyFields(name)}
<button>Add a passkey</button>
<noscript><p class="soft small">Passkeys need JavaScript.</p></noscript>
</form>`;
}

function passkeyFields(name: string): Html {
  return html`${hiddenField('credential', '')}
${accountField(name)}
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>`;
}

/** The line that a job's file names this person by, where somebody asks them for it. JSON text is YAML too. */
function keyCard({ name, publicKey, roles }: Person): Html | null {
  if (publicKey === null || !roles.some((role) => SIGNING.includes(role))) return null;
  const line = `- {name: ${JSON.stringify(name)}, public_key: ${publicKey}}`;
  return html`<details class="card">
<summary>Your signing key</summary>
<p class="soft">Plans that you make or approve are signed with it. Files uploaded here use it automatically, so you need it only if the author of a job file asks you for it. A job file with <code>approval:</code> names you with this line, under <code>approvers:</code> or <code>preparers:</code></p>
<pre tabindex="0">${line}</pre>
</details>`;
}
