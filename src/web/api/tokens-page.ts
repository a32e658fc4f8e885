import { Hono } from 'hono';
import {
  type ApiToken,
  isScope,
  mayHave,
  passphraseOf,
  SCOPES,
  type Scope,
  TOKEN_LIFETIME_MAX_MS,
  TOKEN_NAME_MAX,
  TOKENS_OF_ONE_MAX,
} from '../../app/people/api-tokens.ts';
import type { Person } from '../../app/people/people.ts';
import { createPersonKey } from '../../app/people/person-key.ts';
import { KEYS } from '../../app/people/store/page-files.ts';
import { isoUtc } from '../../domain/time.ts';
import { t, textTable } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text, texts } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { accountField, type Column, choice, doneNotice, moment, option, problemNotice, table } from '../shell/parts.ts';
import { proveAgain } from '../sign-in/prove.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';

const DAY_MS = 24 * 60 * 60_000;
const LIFETIMES_DAYS = [7, 30, 90, 180, TOKEN_LIFETIME_MAX_MS / DAY_MS];
const DEFAULT_DAYS = 90;

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = textTable({
  'uploads:write': 'upload files and read their checks',
  'plans:write': 'plan payments of files that it uploaded',
  'runs:start': 'start payments that others have approved',
  'payments:read': 'read payments, payouts and reports',
  'recipients:read': 'read recipients, with masked accounts',
});

const DONE: Readonly<Record<string, string>> = textTable({
  revoked: 'Token revoked. It no longer works.',
});

const days = text.transform((typed) => LIFETIMES_DAYS.find((one) => String(one) === typed) ?? null);

const form = {
  name: text.transform((typed) => typed.trim()),
  scope: texts.transform((all) => all.filter(isScope)),
  days,
  current: text,
};

type Typed = { name: string; scopes: readonly Scope[]; days: number };
type Wrong = { message: string; retryAfterSeconds?: number | null };

const NOTHING_TYPED: Typed = { name: '', scopes: [], days: DEFAULT_DAYS };

/** The tokens with which programs act for a person. An administrator sees and revokes those of everybody. */
export function tokenRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const anybody = requireRole();
  app.get('/me/tokens', anybody, (context) => show(context, null, NOTHING_TYPED));
  app.post('/me/tokens', anybody, make);
  app.post('/me/tokens/:id/revoke', anybody, revoke);
  return app;
}

async function make(context: WebContext): Promise<Response> {
  const { web, person, session } = signedIn(context);
  const { current, ...typed } = await readForm(context, form);
  const scopes = typed.scope.filter((scope) => mayHave(person.roles, scope));
  const shown = { name: typed.name, scopes, days: typed.days ?? DEFAULT_DAYS };
  const wrong = await wrongIn(web, person, shown, typed.days);
  if (wrong !== null) return show(context, { message: wrong }, shown);
  const proven = await proveAgain(web, person, current);
  if (!proven.ok) return show(context, proven, shown);
  const token = web.tokens.newToken();
  const key = scopes.includes('plans:write') ? await newKey(web, token) : { keyFile: null, publicKey: null };
  const expiresAt = web.deps.clock.wallMs() + shown.days * DAY_MS;
  const made = await web.store.transaction(async () => {
    const added = await web.tokens.add(token, { personId: person.id, name: shown.name, scopes, expiresAt, ...key });
    const details = {
      name: shown.name,
      scopes,
      expires: isoUtc(expiresAt),
      token_id: added.id,
      public_key: key.publicKey,
    };
    await web.audit.append({ person: person.id, act: 'token_made', details });
    return added;
  });
  await web.sessions.setNewLink(session, { personId: made.id, link: token });
  return context.redirect('/me/tokens', 303);
}

/** The key that signs its plans, in a file that only the token opens. */
async function newKey({ people, store: { files }, deps }: Web, token: string) {
  const keyFile = people.newKeyFile();
  const file = { path: files.path(KEYS, keyFile), passphrase: passphraseOf(token) };
  const publicKey = await createPersonKey(file, deps.randomness);
  await files.keepSecret(KEYS, keyFile);
  return { keyFile, publicKey };
}

async function wrongIn(web: Web, person: Person, { name, scopes }: Typed, days: number | null): Promise<string | null> {
  if (name === '') return t`Enter what the token is for.`;
  if (name.length > TOKEN_NAME_MAX || /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(name))
    return t`Enter at most ${TOKEN_NAME_MAX} visible characters.`;
  if (scopes.length === 0) return t`Choose what the token may do.`;
  if (days === null) return t`Choose when the token expires.`;
  const now = web.deps.clock.wallMs();
  const own = (await web.tokens.list(person.id)).filter((token) => stateOf(token, now) === 'active');
  return own.length < TOKENS_OF_ONE_MAX ? null : t`You have ${TOKENS_OF_ONE_MAX} active tokens. Revoke one first.`;
}

async function revoke(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const token = await web.tokens.get(context.req.param('id') ?? '');
  const isAdministrator = person.roles.includes('administrator');
  if (token === null || (token.personId !== person.id && !isAdministrator))
    return show(context, { message: t`Token not found.` }, NOTHING_TYPED);
  await web.store.transaction(async () => {
    if (!(await web.tokens.revoke(token.id))) return;
    const details = { name: token.name, whom: token.personId, token_id: token.id };
    await web.audit.append({ person: person.id, act: 'token_revoked', details });
  });
  if (token.keyFile !== null) await web.store.files.remove(KEYS, token.keyFile);
  return context.redirect('/me/tokens?done=revoked', 303);
}

type Shown = { token: ApiToken; owner: string; state: 'active' | 'expired' | 'revoked' };

function stateOf({ expiresAt, revokedAt }: ApiToken, now: number): Shown['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'active';
}

async function show(context: WebContext, wrong: Wrong | null, typed: Typed): Promise<Response> {
  const { web, person, session } = signedIn(context);
  const now = web.deps.clock.wallMs();
  const isAdministrator = person.roles.includes('administrator');
  const listed = await web.tokens.list(isAdministrator ? null : person.id);
  const owners = new Map((await web.people.list()).map(({ id, name }) => [id, name]));
  const tokens = listed.map((token): Shown => {
    return { token, owner: owners.get(token.personId) ?? '', state: stateOf(token, now) };
  });
  const made = wrong === null ? await web.sessions.takeNewLink(session) : null;
  const isNew = made !== null && listed.some(({ id }) => id === made.personId);
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const body = html`<p class="trail"><a href="/me">You</a></p>
<h1>API tokens</h1>
<p class="lead">Programs act for you with tokens: they can upload, plan, start approved payments and read. A token cannot approve.</p>
${problemNotice(wrong?.message ?? null)}
${doneNotice(DONE[context.req.query('done') ?? ''] ?? null)}
${isNew && madeNotice(made.link)}
${tokens.length === 0 ? html`<p class="empty">No tokens yet.</p>` : table(t`API tokens`, columns(isAdministrator), tokens)}
${makeForm(person, typed)}`;
  const status = seconds !== null ? 429 : wrong === null ? 200 : 422;
  return answer(context, { title: t`API tokens`, here: 'me', body }, status);
}

function madeNotice(token: string): Html {
  return html`<section class="notice stack" aria-labelledby="made">
<h2 id="made">Your new token</h2>
<p>Copy it now: it is shown only once.</p>
<pre tabindex="0">${token}</pre>
</section>`;
}

function columns(isAdministrator: boolean): Column<Shown>[] {
  const owner: Column<Shown> = [t`Person`, ({ owner: name }) => name];
  return [
    [t`Token`, ({ token }) => token.name, 'head'],
    ...(isAdministrator ? [owner] : []),
    [t`May`, ({ token }) => token.scopes.join(', '), 'small'],
    [t`Last used`, ({ token }) => (token.usedAt === null ? 'never' : moment(token.usedAt)), 'small'],
    [t`Expires`, ({ token }) => moment(token.expiresAt), 'small'],
    [
      t`Status`,
      ({ token, state }) =>
        state === 'active'
          ? html`<form method="post" action="/me/tokens/${token.id}/revoke"><button class="danger" aria-label="Revoke ${token.name}">Revoke</button></form>`
          : state,
    ],
  ];
}

function makeForm({ name, roles }: Person, typed: Typed): Html {
  const offered = SCOPES.filter((scope) => mayHave(roles, scope));
  if (offered.length === 0)
    return html`<p class="soft">Your role does not allow tokens. Ask an administrator for another role.</p>`;
  const lifetimes = LIFETIMES_DAYS.map((one) => option(String(one), t`${one} days`, one === typed.days));
  return html`<section class="part" aria-labelledby="make"><h2 id="make">Create a token</h2>
<form method="post" action="/me/tokens">
${accountField(name)}
<label>Name <input name="name" value="${typed.name}" required maxlength="${TOKEN_NAME_MAX}" placeholder="ERP, payroll export" autocomplete="off"></label>
<fieldset class="explained"><legend>Permissions</legend>${offered.map((scope) =>
    choice('scope', scope, html`${scope} <span class="soft">${SCOPE_WORDS[scope]}</span>`, {
      isTicked: typed.scopes.includes(scope),
    }),
  )}</fieldset>
<label>Expires after <select name="days">${lifetimes}</select></label>
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<button class="primary">Create token</button>
</form></section>`;
}
