import { Hono } from 'hono';
import { html } from 'hono/html';
import { type Invitation, isRole, NAME_MAX, nameFault, type Person, ROLE_WORDS, type Role } from '../people/people.ts';
import { beginSession } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { accountField, type Html } from '../shell/parts.ts';
import { field, type Web, type WebContext, type WebEnv } from '../web.ts';
import { PASSWORD_MIN, passwordFault } from './passwords.ts';
import { type NewSecrets, newSecrets, removeKeyFile } from './prove.ts';

const NO_SUCH_LINK = 'This link was used already, or is older than 24 hours. Ask an administrator for a new one.';

/** What the first person may take for themself beside administering. */
const FIRST_ROLES: ReadonlySet<Role> = new Set(['preparer', 'approver', 'viewer']);

/**
 * How invited people come in. The link's token stands behind its #, which browsers send to nobody: the page's script puts
 * it into a form, and so it is in no log and no history of a server.
 */
export function welcomeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();

  app.get('/welcome', (context) =>
    answer(context, { title: 'Welcome', body: welcomePage({ step: 'link', what: null }) }),
  );

  app.post('/welcome', async (context) => {
    const token = tokenIn(field(await context.req.parseBody(), 'token'));
    const invitation = context.var.web.people.invitation(token);
    if (invitation === null) return refused(context, NO_SUCH_LINK);
    return enterPage(context, invitation, token, null);
  });

  app.post('/welcome/enter', async (context) => {
    const { web } = context.var;
    const form = await context.req.parseBody({ all: true });
    const token = tokenIn(field(form, 'token'));
    const invitation = web.people.invitation(token);
    if (invitation === null) return refused(context, NO_SUCH_LINK);
    const name = invitation.person?.name ?? field(form, 'name');
    const password = field(form, 'password');
    const fault = faultOf(web, invitation, name, password, field(form, 'again'));
    if (fault !== null) return enterPage(context, invitation, token, fault, { name, roles: firstRoles(form.role) });
    const made = await newSecrets(web, password);
    const person = comeIn(web, { token, invitation, name, roles: firstRoles(form.role) }, made);
    if (person === null) {
      made.discard();
      return refused(context, NO_SUCH_LINK);
    }
    if (invitation.person !== null) removeKeyFile(invitation.person);
    beginSession(context, person.id, made.passphrase);
    return context.redirect('/', 303);
  });

  return app;
}

/** Null where the link was used while the password was being worked on. */
function comeIn(
  { people, audit, access, sessions, store }: Web,
  { token, invitation, name, roles }: { token: string; invitation: Invitation; name: string; roles: readonly Role[] },
  { secrets }: NewSecrets,
): Person | null {
  return store.transaction(() => {
    if (!people.useInvitation(token)) return null;
    const person = invitation.person ?? people.add(name, roles);
    people.setSecrets(person.id, secrets);
    people.voidLinksBy(person.id);
    sessions.endOf(person.id);
    const { madeBy } = invitation;
    if (person.hasComeIn) access.reset(person.id, madeBy, 'sign_in');
    else if (madeBy !== null) access.granted(person.id, madeBy);
    const act = invitation.person === null ? 'first_person_came_in' : person.hasComeIn ? 'password_reset' : 'came_in';
    const { publicKey } = secrets;
    audit.append({
      person: person.id,
      act,
      details: { name: person.name, roles: person.roles, public_key: publicKey },
    });
    return person;
  });
}

function faultOf(
  { people }: Web,
  { person }: Invitation,
  name: string,
  password: string,
  again: string,
): string | null {
  const wrongName = person === null ? nameFault(name) : null;
  if (wrongName !== null) return wrongName;
  if (person === null && people.byName(name) !== null) return 'This name is taken: write another.';
  const wrong = passwordFault(password, name.trim());
  if (wrong !== null) return wrong;
  return password === again ? null : 'The two passwords differ. Type the same twice.';
}

function firstRoles(said: unknown): Role[] {
  const words = (Array.isArray(said) ? said : [said]).filter((word) => typeof word === 'string');
  return ['administrator', ...words.filter(isRole).filter((role) => FIRST_ROLES.has(role))];
}

/** People may paste the whole link. */
function tokenIn(text: string): string {
  return text.slice(text.lastIndexOf('#') + 1).trim();
}

const NOTHING_TYPED: Typed = { name: '', roles: [] };

function enterPage(
  context: WebContext,
  { person }: Invitation,
  token: string,
  what: string | null,
  typed: Typed = NOTHING_TYPED,
) {
  const body = welcomePage({ step: 'enter', token, who: person, what, typed });
  return answer(context, { title: 'Welcome', body }, what === null ? 200 : 422);
}

function refused(context: WebContext, what: string) {
  return answer(context, { title: 'Welcome', body: welcomePage({ step: 'link', what }) }, 403);
}

type Welcome =
  | { step: 'link'; what: string | null }
  | { step: 'enter'; token: string; who: Person | null; what: string | null; typed: Typed };

/** What the first person has filled in already. */
type Typed = { name: string; roles: readonly Role[] };

/** Two steps: the link proves itself, then its owner says who they are and takes a password. */
function welcomePage(welcome: Welcome): Html {
  const wrong = welcome.what === null ? '' : html`<p class="notice wrong" role="alert">${welcome.what}</p>`;
  if (welcome.step === 'link') {
    return html`<section class="door">
<h1>Welcome to payrun</h1>
${wrong}
<form method="post" action="/welcome" data-token-form>
<label>Your one-time link <input name="token" required autocomplete="off" spellcheck="false"></label>
<button class="primary">Continue</button>
</form>
<p class="soft small">Paste the link that you were given, if it is not there already.</p>
</section>`;
  }
  const { token, who, typed } = welcome;
  return html`<section class="door">
<h1>${who === null ? 'Welcome to payrun' : html`Welcome, ${who.name}`}</h1>
<p class="soft">${who === null ? 'You are the first here, and administer this page: you invite the others.' : rolesText(who)}</p>
${wrong}
<form method="post" action="/welcome/enter">
<input type="hidden" name="token" value="${token}">
${who === null ? firstFields(typed) : accountField(who.name)}
<label>Password <input name="password" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password" aria-describedby="password-hint"></label>
<p class="soft small" id="password-hint">At least ${PASSWORD_MIN} characters. Four words that nobody would put together are good. It also locks the key that you sign with, so nobody can look it up for you.</p>
<label>Confirm password <input name="again" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password"></label>
<button class="primary">Come in</button>
</form>
</section>`;
}

function firstFields({ name, roles }: Typed): Html {
  const also = (['preparer', 'approver'] as const).map(
    (role) =>
      html`<label class="choice"><input type="checkbox" name="role" value="${role}"${roles.includes(role) ? html` checked` : ''}> <span>${ROLE_WORDS[role].label} <span class="soft">${ROLE_WORDS[role].means}</span></span></label>`,
  );
  return html`<label>Your name <input name="name" value="${name}" required maxlength="${NAME_MAX}" autocomplete="name" autofocus></label>
<fieldset><legend>You may also be</legend>${also}</fieldset>
<p class="soft small">Nobody approves a plan that they made themself: for that you need a second person.</p>`;
}

function rolesText({ roles }: Person): Html {
  const words = roles.map((role) => ROLE_WORDS[role].label.toLowerCase());
  return html`You are invited as ${words.length === 0 ? 'a guest without a role' : words.join(', ')}. Choose your password.`;
}
