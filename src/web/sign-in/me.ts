import { Hono } from 'hono';
import { html } from 'hono/html';
import { isoUtc } from '../../domain/time.ts';
import { type Person, ROLE_WORDS, type Role } from '../people/people.ts';
import { beginSession, requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { accountField, type Html } from '../shell/parts.ts';
import { field, signedIn, type WebContext, type WebEnv } from '../web.ts';
import type { Passkey } from './passkey-store.ts';
import { addPasskey, askForChange, askForPasskey, mayChange, relyingParty } from './passkeys.ts';
import { PASSWORD_MIN, passwordFault } from './passwords.ts';
import { changedSecrets, proveAgain, removeKeyFile } from './prove.ts';

const DONE = {
  password: 'Your password is changed. Everywhere else you are signed out.',
  passkey: 'The passkey is added. It is asked for whenever you approve a plan.',
  removed: 'The passkey is removed.',
} as const;

const LABEL_MAX = 64;

/**
 * What people do with their own password, passkeys and key. Each change asks for the password again, and one of the passkeys
 * for one of them too.
 */
export function meRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/me', requireRole(), (context) => {
    const done = context.req.query('done') ?? '';
    return show(context, { done: done in DONE ? DONE[done as keyof typeof DONE] : null });
  });
  app.post('/me/password', requireRole(), changePassword);
  app.post('/me/passkeys/ask', requireRole(), askForOwn);
  app.post('/me/passkeys/options', requireRole(), passkeyOptions);
  app.post('/me/passkeys', requireRole(), keepPasskey);
  app.post('/me/passkeys/remove', requireRole(), removePasskey);
  return app;
}

async function changePassword(context: WebContext) {
  const { web } = context.var;
  const { person } = signedIn(context);
  const form = await context.req.parseBody();
  const [current, password, again] = [field(form, 'current'), field(form, 'password'), field(form, 'again')];
  const differs = password === again ? null : 'The two new passwords differ. Type the same twice.';
  const fault = passwordFault(password, person.name) ?? differs;
  if (fault !== null) return show(context, { wrong: { at: 'password', what: fault } });
  const proven = await proveAgain(web, person, current);
  if (!proven.ok) return show(context, { wrong: { at: 'password', ...proven } });
  const made = await changedSecrets(web, proven.person, proven.passphrase, password);
  const isChanged = web.store.transaction(() => {
    // Somebody may have done the same in another window meanwhile, or have been let in anew.
    if (web.people.get(person.id)?.keyFile !== proven.person.keyFile) return false;
    web.people.setSecrets(person.id, made.secrets);
    web.audit.append({ person: person.id, act: 'password_changed' });
    return true;
  });
  if (!isChanged) {
    made.discard();
    return show(context, { wrong: { at: 'password', what: 'It was changed in another window meanwhile. Try again.' } });
  }
  removeKeyFile(proven.person);
  web.sessions.endOf(person.id);
  beginSession(context, person.id, made.passphrase);
  return context.redirect('/me?done=password', 303);
}

/** For the page's script: what a passkey of the person is to sign before they are changed, null where there is none. */
async function askForOwn(context: WebContext) {
  const { web } = context.var;
  const asked = signedIn(context);
  const form = await context.req.parseBody();
  const proven = await proveAgain(web, asked.person, field(form, 'current'));
  if (!proven.ok) return context.json({ what: proven.what }, proven.retryAfterSeconds === null ? 403 : 429);
  return context.json(await askForChange(web, asked));
}

/** For the page's script: what the browser is to make, or why not. */
async function passkeyOptions(context: WebContext) {
  const { web } = context.var;
  const asked = signedIn(context);
  const form = await context.req.parseBody();
  const proven = await proveAgain(web, asked.person, field(form, 'current'));
  if (!proven.ok) return context.json({ what: proven.what }, proven.retryAfterSeconds === null ? 403 : 429);
  const may = await mayChange(web, asked, field(form, 'credential'));
  if (!may.ok) return context.json({ what: may.what }, 403);
  const options = await askForPasskey(web, asked);
  if (options === null) return context.json({ what: 'Passkeys belong to names: open the page by its name.' }, 409);
  return context.json(options);
}

async function keepPasskey(context: WebContext) {
  const { web } = context.var;
  const asked = signedIn(context);
  const form = await context.req.parseBody();
  const label = field(form, 'label').trim().slice(0, LABEL_MAX) || 'Passkey';
  const added = await addPasskey(web, asked, label, field(form, 'credential'));
  if (!added.ok) return show(context, { wrong: { at: 'passkey', what: added.what } });
  const { id, rpId, publicKey } = added.passkey;
  const details = { label, id, rp_id: rpId, public_key: publicKey };
  web.audit.append({ person: asked.person.id, act: 'passkey_added', details });
  return context.redirect('/me?done=passkey', 303);
}

async function removePasskey(context: WebContext) {
  const { web } = context.var;
  const asked = signedIn(context);
  const { person } = asked;
  const form = await context.req.parseBody();
  const proven = await proveAgain(web, person, field(form, 'current'));
  if (!proven.ok) return show(context, { wrong: { at: 'passkey', ...proven } });
  const may = await mayChange(web, asked, field(form, 'credential'));
  if (!may.ok) return show(context, { wrong: { at: 'passkey', what: may.what } });
  const id = field(form, 'id');
  if (!web.passkeys.remove(person.id, id))
    return show(context, { wrong: { at: 'passkey', what: 'It is removed already.' } });
  web.audit.append({ person: person.id, act: 'passkey_removed', details: { id } });
  return context.redirect('/me?done=removed', 303);
}

type Shown = {
  done?: string | null;
  wrong?: { at: 'password' | 'passkey'; what: string; retryAfterSeconds?: number | null };
};

function show(context: WebContext, { done = null, wrong }: Shown) {
  const { web } = context.var;
  // It may have changed since the request began.
  const person = web.people.get(signedIn(context).person.id) as Person;
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const body = mePage({
    person,
    passkeys: web.passkeys.of(person.id),
    origin: web.options.origin,
    done,
    wrong: wrong ?? null,
  });
  return answer(context, { title: 'You', here: 'me', body }, seconds !== null ? 429 : wrong === undefined ? 200 : 422);
}

type Me = {
  person: Person;
  passkeys: readonly Passkey[];
  origin: string;
  done: string | null;
  wrong: { at: 'password' | 'passkey'; what: string } | null;
};

/** Whose plans and approvals are signed. */
const SIGNING: readonly Role[] = ['preparer', 'approver'];

/** What a person has here: roles, password, passkeys, and the key that they sign with. */
function mePage({ person, passkeys, origin, done, wrong }: Me): Html {
  const told = (at: 'password' | 'passkey') =>
    wrong?.at === at ? html`<p class="notice wrong" role="alert">${wrong.what}</p>` : '';
  return html`<h1>${person.name}</h1>
${done === null ? '' : html`<p class="notice done" role="status">${done}</p>`}
<div class="columns">
<section class="card" aria-labelledby="roles">
<h2 id="roles">What you may do</h2>
${person.roles.length === 0 ? html`<p class="soft">Nothing yet. Ask an administrator for a role.</p>` : ''}
<dl class="stack roles">${person.roles.map((role) => html`<div><dt>${ROLE_WORDS[role].label}</dt><dd class="soft">${ROLE_WORDS[role].means}</dd></div>`)}</dl>
</section>
<section class="card" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="soft">With one, approving a plan takes your password and the passkey: your phone, your computer or a security key.${passkeys.length === 0 ? '' : ' Adding another and removing one take it too. Where you have lost it, an administrator removes your passkeys.'}</p>
${told('passkey')}
${passkeys.map((passkey) => passkeyRow(passkey, person))}
${relyingParty(origin) === null ? html`<p class="soft">They cannot be used here, because this page is reached by an address and not by a name.</p>` : addForm(person)}
</section>
<section class="card" aria-labelledby="password">
<h2 id="password">Password</h2>
${told('password')}
<form method="post" action="/me/password">
${accountField(person.name)}
<label>Your password now <input name="current" type="password" required autocomplete="current-password"></label>
<label>New password <input name="password" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password" aria-describedby="new-hint"></label>
<p class="soft small" id="new-hint">At least ${PASSWORD_MIN} characters. It also locks the key that you sign with.</p>
<label>Confirm password <input name="again" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password"></label>
<button>Change the password</button>
</form>
</section>
</div>
${keyCard(person)}`;
}

function passkeyRow({ id, label, createdAt, usedAt }: Passkey, { name }: Person): Html {
  const used = usedAt === null ? 'not used yet' : `last used ${isoUtc(usedAt).slice(0, 10)}`;
  return html`<details>
<summary>${label} <span class="soft small">added ${isoUtc(createdAt).slice(0, 10)}, ${used}</span></summary>
<form method="post" action="/me/passkeys/remove" class="inside" data-passkey-get="/me/passkeys/ask">
<input type="hidden" name="id" value="${id}">
<input type="hidden" name="credential">
${accountField(name)}
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button class="danger">Remove ${label}</button>
</form>
</details>`;
}

function addForm({ name }: Person): Html {
  return html`<form method="post" action="/me/passkeys" data-passkey-get="/me/passkeys/ask" data-passkey-create="/me/passkeys/options">
${accountField(name)}
<label>What to call it <input name="label" required maxlength="64" placeholder="My phone" autocomplete="off"></label>
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<input type="hidden" name="credential">
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button>Add a passkey</button>
<noscript><p class="soft small">Passkeys need JavaScript.</p></noscript>
</form>`;
}

/** The line that a job's file names this person by, where somebody asks them for it. JSON text is YAML too. */
function keyCard({ name, publicKey, roles }: Person): Html | '' {
  if (publicKey === null || !roles.some((role) => SIGNING.includes(role))) return '';
  const line = `- {name: ${JSON.stringify(name)}, public_key: ${publicKey}}`;
  return html`<details class="card">
<summary>The key that you sign with</summary>
<p class="soft">Plans that you make or approve are signed with it. Plans of files that are uploaded here know it by themselves, so you need it only when whoever writes the files of jobs asks you for it. A job whose file has an <code>approval:</code> names you with this line, under <code>approvers:</code> or <code>preparers:</code></p>
<pre tabindex="0">${line}</pre>
</details>`;
}
