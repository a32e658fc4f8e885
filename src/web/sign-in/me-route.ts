import { Hono } from 'hono';
import type { Person } from '../people/people.ts';
import { beginSession, requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { field, signedIn, type WebContext, type WebEnv } from '../web.ts';
import { mePage } from './me-page.ts';
import { addPasskey, askForPasskey } from './new-passkey.ts';
import { askForChange, mayChange } from './passkey-change.ts';
import { passwordFault } from './passwords.ts';
import { proveAgain } from './prove.ts';
import { changedSecrets, removeKeyFile } from './secrets.ts';

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
