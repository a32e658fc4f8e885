import { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Person } from '../../app/people/people.ts';
import { assert } from '../../domain/refusal.ts';
import { either, t } from '../../messages/translate.ts';
import {
  beginHalfSession,
  beginSession,
  cookieNamed,
  deviceToken,
  nextPath,
  requireHalfIn,
  requireProvider,
} from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, answerPart, errorPage } from '../shell/layout.ts';
import { accountField, hiddenField, problemNotice } from '../shell/parts.ts';
import { addressOf, type HalfIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { PASSWORD_MIN, passwordFault } from './passwords.ts';
import { newSecrets, proveAtSignIn } from './prove.ts';
import { CALLBACK, type PendingSignIn, type ProviderPerson, pendingSignIn } from './provider.ts';
import { connect, knownPerson, providerOf } from './provider-person.ts';
import type { FromProvider } from './sessions.ts';

const PASSWORD_PLACE = '/sign-in/provider/password';
/** How long a person may take at the provider. */
const PENDING_SECONDS = 600;

/**
 * Signing in at a provider, which says who somebody is and what they may do. Then they prove their password, which opens the
 * key that they sign with, and which the provider never sees.
 */
export function providerRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const hasProvider = requireProvider();
  const half = requireHalfIn('provider');
  app.get('/sign-in/provider', hasProvider, begin);
  app.get(CALLBACK, hasProvider, comeBack);
  app.get(PASSWORD_PLACE, half, (context) => page(context, context.req.query('next'), null, 200));
  app.post(PASSWORD_PLACE, half, provePassword);
  return app;
}

/** A cookie that a browser sends when it is led here from the provider. */
function pendingCookie({ options }: Web) {
  const isSecure = options.origin.startsWith('https:');
  const flags = { httpOnly: true, sameSite: 'Lax', path: '/', secure: isSecure } as const;
  return { name: cookieNamed(options.origin, 'provider'), flags };
}

async function begin(context: WebContext): Promise<Response> {
  const { web } = context.var;
  const provider = providerOf(web);
  try {
    const { url, pending } = await provider.begin(nextPath(context.req.query('next'), web.options.origin));
    const { name, flags } = pendingCookie(web);
    setCookie(context, name, JSON.stringify(pending), { ...flags, maxAge: PENDING_SECONDS });
    return context.redirect(url, 303);
  } catch (error) {
    web.deps.log.warn({ error }, 'the sign-in provider could not be reached');
    const message = t`${provider.name} cannot be reached.`;
    return errorPage(context, { status: 503, message, remedy: t`Try again in a minute.` });
  }
}

async function comeBack(context: WebContext): Promise<Response> {
  const { web } = context.var;
  const pending = takePending(context);
  const who = pending && (await finish(context, pending));
  if (pending === null || who === null)
    return refused(context, t`${providerOf(web).name} did not sign you in.`, t`Sign in again.`);
  const known = await knownPerson(web, who);
  if (!known.ok) return refused(context, known.message, known.remedy);
  const { subject, idToken, roles } = who;
  await beginHalfSession(context, known.person.id, { provider: { subject, idToken, roles } });
  const place = `${PASSWORD_PLACE}?next=${encodeURIComponent(pending.next)}`;
  // Our cookie is for our own pages, and the browser comes from another: this page asks once more, with it.
  return answerPart(
    context,
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>payrun</title><meta http-equiv="refresh" content="0; url=${place}"></head><body></body></html>`,
  );
}

/** What this browser was sent to the provider with; good for one answer. Null where it was not. */
function takePending(context: WebContext): PendingSignIn | null {
  const { name, flags } = pendingCookie(context.var.web);
  const kept = getCookie(context, name);
  deleteCookie(context, name, flags);
  try {
    return pendingSignIn.parse(JSON.parse(kept ?? ''));
  } catch {
    return null;
  }
}

/** Null where what the provider answers is not right: why is in the log. */
async function finish(context: WebContext, pending: PendingSignIn): Promise<ProviderPerson | null> {
  const { web } = context.var;
  try {
    return await providerOf(web).finish(new URL(context.req.url).search, pending);
  } catch (error) {
    web.deps.log.warn({ error }, 'a sign-in at the provider was refused');
    return null;
  }
}

async function refused(context: WebContext, message: string, remedy: string): Promise<Response> {
  const details = { address: addressOf(context), provider: true };
  await context.var.web.audit.append({ person: null, act: 'sign_in_refused', details });
  return errorPage(context, { status: 403, message, remedy });
}

async function provePassword(context: WebContext): Promise<Response> {
  const { web, halfIn } = context.var;
  const form = await readForm(context, { password: text, again: text, next: text });
  const next = nextPath(form.next, web.options.origin);
  const { person, provider } = ofProvider(halfIn);
  if (!person.hasComeIn) {
    const differs = form.password === form.again ? null : t`The passwords do not match.`;
    const fault = passwordFault(form.password, person.name) ?? differs;
    if (fault !== null) return page(context, next, fault, 422);
    return comeIn(context, { person, provider }, form.password, next);
  }
  const given = {
    name: person.name,
    password: form.password,
    address: addressOf(context),
    device: deviceToken(context),
  };
  const proven = await proveAtSignIn(web, given, async () => true);
  if (!proven.ok) {
    if (proven.retryAfterSeconds !== null) context.header('retry-after', String(proven.retryAfterSeconds));
    return page(context, next, proven.message, proven.retryAfterSeconds === null ? 401 : 429);
  }
  await connect(web, person, provider);
  return whole(context, { person, provider }, proven.passphrase, next);
}

type OfProvider = { person: Person; provider: FromProvider };

function ofProvider(half: HalfIn | null): OfProvider {
  const provider = half?.session.provider ?? null;
  assert(half !== null && provider !== null, 'a route without its requireHalfIn');
  return { person: half.person, provider };
}

/** Somebody new has chosen the password that opens their key. */
async function comeIn(context: WebContext, of: OfProvider, password: string, next: string): Promise<Response> {
  const { web } = context.var;
  const made = await newSecrets(web, password);
  const isIn = await web.store.transaction(async () => {
    const person = await web.people.get(of.person.id);
    if (person === null || person.hasComeIn) return false;
    await web.people.setSecrets(person.id, made.secrets);
    const details = { name: person.name, roles: person.roles, public_key: made.secrets.publicKey };
    await web.audit.append({ person: person.id, act: 'came_in', details });
    return true;
  });
  if (isIn) return whole(context, of, made.passphrase, next);
  await made.discard();
  return context.redirect('/sign-in', 303);
}

async function whole(context: WebContext, of: OfProvider, passphrase: string, next: string): Promise<Response> {
  await beginSession(context, of.person.id, passphrase, of.provider);
  const details = { address: addressOf(context), second_factor: 'provider' };
  await context.var.web.audit.append({ person: of.person.id, act: 'signed_in', details });
  return context.redirect(next, 303);
}

async function page(
  context: WebContext,
  next: string | undefined,
  wrong: string | null,
  status: 200 | 401 | 422 | 429,
): Promise<Response> {
  const { web, halfIn } = context.var;
  const { person } = ofProvider(halfIn);
  const isKnown = person.hasComeIn;
  const body = html`<section class="door">
<h1>${isKnown ? t`Your password` : t`Welcome, ${person.name}`}</h1>
${problemNotice(wrong)}
<p class="soft">${providerOf(web).name} says that you are ${person.name}. ${either(isKnown, 'Your payrun password opens the key that signs your payments and approvals.', 'Choose a password for payrun: it locks the key that signs your payments and approvals. Your provider never sees it, and nobody can look it up for you.')}</p>
<form method="post" action="${PASSWORD_PLACE}">
${hiddenField('next', nextPath(next, web.options.origin))}
${accountField(person.name)}
${isKnown ? html`<label>Password <input name="password" type="password" required autocomplete="current-password" autofocus></label>` : newFields()}
<button class="primary">Sign in</button>
</form>
<p class="soft small"><a href="/sign-in">Sign in as someone else</a></p>
</section>`;
  return answer(context, { title: isKnown ? t`Your password` : t`Welcome`, body }, status);
}

function newFields(): Html {
  return html`<label>Password <input name="password" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password" aria-describedby="password-hint"></label>
<p class="soft small" id="password-hint">At least ${PASSWORD_MIN} characters. Four unrelated words work well.</p>
<label>Confirm password <input name="again" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password"></label>`;
}
