import { Hono } from 'hono';
import type { Person } from '../../app/people/people.ts';
import { assert } from '../../domain/refusal.ts';
import { either, t } from '../../messages/translate.ts';
import { beginHalfSession, beginSession, deviceToken, nextPath, requireHalfIn } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { accountField, hiddenField, problemNotice } from '../shell/parts.ts';
import { addressOf, type HalfIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { codeField, codesPart, confirmApp, keyPart } from './authenticator-app.ts';
import { UNNAMED } from './passkey-store.ts';
import { addPasskey, askForPasskey, askForSignIn, passkeysHere, relyingParty, verifySignIn } from './passkeys.ts';
import { type NotProven, proveSecond } from './prove.ts';
import { isOfProvider } from './provider-person.ts';
import type { CodeKind } from './second-factor-store.ts';

/** What a sign-in takes beside the password: a factor that the person has, or that they set up now. */
type Needed = 'ask' | 'set_up';

const PLACE = '/sign-in/second-factor';

/** An app is asked for wherever somebody has one; a passkey, or setting one of the two up, where everybody needs a second factor. */
export async function secondFactorOf(web: Web, person: Person): Promise<Needed | null> {
  if (await web.secondFactors.hasApp(person.id)) return 'ask';
  if (!(await web.secondFactors.isRequired())) return null;
  return (await passkeysHere(web, person)).length > 0 ? 'ask' : 'set_up';
}

/**
 * Begins a session, or the half of one where a second factor is needed, or none where they sign in at the provider. Gives where
 * that leads: `next`, the second factor, or the sign-in.
 */
export async function enter(
  context: WebContext,
  { person, passphrase }: { person: Person; passphrase: string },
  next: string,
): Promise<{ isWhole: boolean; path: string }> {
  if (await isOfProvider(context.var.web, person)) return { isWhole: false, path: '/sign-in' };
  if ((await secondFactorOf(context.var.web, person)) === null) {
    await beginSession(context, person.id, passphrase);
    return { isWhole: true, path: next };
  }
  await beginHalfSession(context, person.id, { passphrase });
  return { isWhole: false, path: next === '/' ? PLACE : `${PLACE}?next=${encodeURIComponent(next)}` };
}

/** The second step of a sign-in. Until it is done the person is nobody on every other page. */
export function secondFactorRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const half = requireHalfIn('password');
  app.get(PLACE, half, show);
  app.post(PLACE, half, onNeeded('ask', proveFactor));
  app.post(`${PLACE}/ask`, half, onNeeded('ask', askPasskey));
  app.post(`${PLACE}/app`, half, onNeeded('set_up', setUpApp));
  app.post(`${PLACE}/passkey/options`, half, onNeeded('set_up', passkeyOptions));
  app.post(`${PLACE}/passkey`, half, onNeeded('set_up', setUpPasskey));
  return app;
}

type Step = (context: WebContext, half: HalfIn, next: string) => Promise<Response>;

function halfIn({ var: { halfIn: half } }: WebContext): HalfIn {
  assert(half !== null, 'a route without its requireHalfIn');
  return half;
}

/** Who has a factor gives it, and sets up no other in its place. */
function onNeeded(needed: Needed, step: Step) {
  return async (context: WebContext) => {
    const { web } = context.var;
    const half = halfIn(context);
    const { next } = await readForm(context, { next: text });
    if ((await secondFactorOf(web, half.person)) !== needed) return context.redirect(PLACE, 303);
    return step(context, half, nextPath(next, web.options.origin));
  };
}

async function show(context: WebContext): Promise<Response> {
  const { web } = context.var;
  return page(context, nextPath(context.req.query('next'), web.options.origin), null);
}

async function proveFactor(context: WebContext, { person, session }: HalfIn, next: string): Promise<Response> {
  const { web } = context.var;
  const { code, credential } = await readForm(context, { code: text, credential: text });
  const check = async (): Promise<CodeKind | 'passkey' | null> =>
    credential === ''
      ? web.secondFactors.take(person.id, session.passphrase, code)
      : (await verifySignIn(web, { person, session }, credential)).ok
        ? 'passkey'
        : null;
  const given = { person, address: addressOf(context), device: deviceToken(context) };
  const proven = await proveSecond(web, given, check);
  if (proven.ok) return whole(context, next, proven.found);
  await web.audit.append({ person: person.id, act: 'second_factor_refused', details: { address: given.address } });
  return page(context, next, proven);
}

/** For the page's script: what a passkey is to sign. */
async function askPasskey(context: WebContext, half: HalfIn): Promise<Response> {
  return context.json(await askForSignIn(context.var.web, half));
}

async function setUpApp(context: WebContext, half: HalfIn, next: string): Promise<Response> {
  const { web } = context.var;
  const { code } = await readForm(context, { code: text });
  const given = { person: half.person, address: addressOf(context), device: deviceToken(context) };
  const confirmed = await proveSecond(web, given, () => confirmApp(web, half, code));
  if (!confirmed.ok) return page(context, next, confirmed);
  await whole(context, next, 'app');
  return answer(context, { title: t`Recovery codes`, body: codesPart(confirmed.found, next) });
}

async function passkeyOptions(context: WebContext, half: HalfIn): Promise<Response> {
  return context.json(await askForPasskey(context.var.web, half));
}

async function setUpPasskey(context: WebContext, half: HalfIn, next: string): Promise<Response> {
  const { web } = context.var;
  const { credential } = await readForm(context, { credential: text });
  const added = await addPasskey(web, half, UNNAMED, credential);
  if (!added.ok) return page(context, next, { ok: false, message: added.message, retryAfterSeconds: null });
  const { id, rpId, publicKey } = added.passkey;
  const details = { label: UNNAMED, id, rp_id: rpId, public_key: publicKey };
  await web.audit.append({ person: half.person.id, act: 'passkey_added', details });
  return whole(context, next, 'passkey');
}

/** The person is in: in a new session, whose token nobody has seen before. */
async function whole(context: WebContext, next: string, by: CodeKind | 'passkey'): Promise<Response> {
  const { person, session } = halfIn(context);
  await beginSession(context, person.id, session.passphrase);
  const details = { address: addressOf(context), second_factor: by.replace('_', ' ') };
  await context.var.web.audit.append({ person: person.id, act: 'signed_in', details });
  return context.redirect(next, 303);
}

async function page(context: WebContext, next: string, wrong: NotProven | null): Promise<Response> {
  const { web } = context.var;
  const half = halfIn(context);
  const needed = await secondFactorOf(web, half.person);
  // Nothing is asked for any more: the sign-in begins anew.
  if (needed === null) return context.redirect('/sign-in', 303);
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const body = html`<section class="door">
${needed === 'ask' ? await askPart(web, half, next, wrong) : await setUpPart(web, half, next, wrong)}
<p class="soft small"><a href="/sign-in">Sign in as someone else</a></p>
</section>`;
  return answer(context, { title: t`Second factor`, body }, seconds !== null ? 429 : wrong === null ? 200 : 401);
}

async function askPart(web: Web, { person }: HalfIn, next: string, wrong: NotProven | null): Promise<Html> {
  const hasApp = await web.secondFactors.hasApp(person.id);
  const hasPasskey = (await passkeysHere(web, person)).length > 0;
  return html`<h1>Second factor</h1>
${problemNotice(wrong?.message ?? null)}
${hasApp && codeForm(next)}
${hasPasskey && passkeyForm(person, next, hasApp)}
<p class="soft small">${either(hasApp, 'Where you have lost the app, use one of your recovery codes. Without either, ask', 'Where you have lost it, ask')} an administrator of this page for help.</p>`;
}

function codeForm(next: string): Html {
  return html`<form method="post" action="${PLACE}">
${hiddenField('next', next)}
${codeField(t`Code from your authenticator app, or a recovery code`)}
<button class="primary">Sign in</button>
</form>`;
}

function passkeyForm({ name }: Person, next: string, hasApp: boolean): Html {
  return html`<form method="post" action="${PLACE}" data-passkey-get="${PLACE}/ask">
${hiddenField('next', next)}${hiddenField('credential', '')}
${accountField(name)}
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button${!hasApp && html` class="primary"`}>Use a passkey</button>
<noscript><p class="soft small">Passkeys need JavaScript.</p></noscript>
</form>`;
}

async function setUpPart(web: Web, half: HalfIn, next: string, wrong: NotProven | null): Promise<Html> {
  const hasName = relyingParty(web.options.origin) !== null;
  const passkey = html`<h2>Or a passkey</h2>
<form method="post" action="${PLACE}/passkey" data-passkey-create="${PLACE}/passkey/options">
${hiddenField('next', next)}${hiddenField('credential', '')}
<p class="soft">Your phone, your computer or a security key. It is asked for whenever you approve a payment, too.</p>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button>Add a passkey</button>
<noscript><p class="soft small">Passkeys need JavaScript.</p></noscript>
</form>`;
  return html`<h1>Set up a second factor</h1>
${problemNotice(wrong?.message ?? null)}
<p class="soft">Everyone signs in here with a password and a second factor. Set one up to continue.</p>
<h2>Authenticator app</h2>
${await keyPart(web, half)}
<form method="post" action="${PLACE}/app">
${hiddenField('next', next)}
${codeField(t`Code shown in the app`)}
<button class="primary">Set up the app</button>
</form>
${hasName && passkey}`;
}
