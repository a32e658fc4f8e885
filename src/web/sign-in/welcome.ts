import { Hono } from 'hono';
import type { Role } from '../../app/people/grants.ts';
import { type Invitation, NAME_MAX, nameFault, type Person } from '../../app/people/people.ts';
import { t } from '../../messages/translate.ts';
import { NAME_FAULTS, ROLE_WORDS } from '../people/access-words.ts';
import { roleChoices, roles } from '../people/role-choices.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { accountField, hiddenField, problemNotice } from '../shell/parts.ts';
import type { Web, WebContext, WebEnv } from '../web.ts';
import { PASSWORD_MIN, passwordFault } from './passwords.ts';
import { type NewSecrets, newSecrets, removeKeyFile } from './prove.ts';
import { enter } from './second-factor.ts';

const noSuchLink = () => t`This link was already used or is older than 24 hours. Ask an administrator for a new one.`;

/** What the first person may be beside an administrator, and which of these the page offers. */
const FIRST_ROLES: ReadonlySet<Role> = new Set(['preparer', 'approver', 'viewer']);
const OFFERED: readonly Role[] = ['preparer', 'approver'];

/** The token of a link. People may paste the whole of it. */
const token = text.transform((link) => link.slice(link.lastIndexOf('#') + 1).trim());
const firstRoles = roles.transform((all): Role[] => all.filter((role) => FIRST_ROLES.has(role)));

/** What the first person has filled in already. */
type Typed = { name: string; role: readonly Role[] };
const NOTHING_TYPED: Typed = { name: '', role: [] };

/**
 * How invited people come in. The link's token stands behind its #, which browsers send to nobody: the page's script puts
 * it into a form, and so it is in no log and no history of a server.
 */
export function welcomeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();

  app.get('/welcome', (context) => answer(context, { title: t`Welcome`, body: linkPage(null) }));

  app.post('/welcome', async (context) => {
    const form = await readForm(context, { token });
    const invitation = await context.var.web.people.invitation(form.token);
    if (invitation === null) return refused(context);
    return answer(context, { title: t`Welcome`, body: enterPage(invitation, form.token, null, NOTHING_TYPED) });
  });

  app.post('/welcome/enter', async (context) => {
    const { web } = context.var;
    const form = await readForm(context, { token, name: text, role: firstRoles, password: text, again: text });
    const invitation = await web.people.invitation(form.token);
    if (invitation === null) return refused(context);
    const fault = await faultOf(web, invitation, form);
    if (fault !== null)
      return answer(context, { title: t`Welcome`, body: enterPage(invitation, form.token, fault, form) }, 422);
    const made = await newSecrets(web, form.password);
    const person = await comeIn(web, invitation, form, made);
    if (person === null) {
      await made.discard();
      return refused(context);
    }
    if (invitation.person !== null) await removeKeyFile(web, invitation.person);
    const { path } = await enter(context, { person, passphrase: made.passphrase }, '/');
    return context.redirect(path, 303);
  });

  return app;
}

type Entering = Typed & { token: string; password: string; again: string };

/** Null where the link was used while the password was being worked on, or somebody else is the first by now. */
async function comeIn(
  { people, audit, access, sessions, secondFactors, tokens, store }: Web,
  { person: invited, madeBy }: Invitation,
  form: Entering,
  { secrets }: NewSecrets,
): Promise<Person | null> {
  return store.transaction(async () => {
    if ((await people.invitation(form.token)) === null || !(await people.useInvitation(form.token))) return null;
    const person = invited ?? (await people.add(form.name, ['administrator', ...form.role]));
    await people.setSecrets(person.id, secrets);
    await people.voidLinksBy(person.id);
    await sessions.endOf(person.id);
    // Its secret is encrypted with what the old password yields.
    await secondFactors.remove(person.id);
    // Also what somebody made who was in their place meanwhile.
    await tokens.revokeAll(person.id);
    if (person.hasComeIn) await access.reset(person.id, madeBy, 'sign_in');
    else if (madeBy !== null) await access.granted(person.id, madeBy);
    const act = invited === null ? 'first_person_came_in' : person.hasComeIn ? 'password_reset' : 'came_in';
    const details = { name: person.name, roles: person.roles, public_key: secrets.publicKey };
    await audit.append({ person: person.id, act, details });
    return person;
  });
}

async function faultOf(
  { people }: Web,
  { person }: Invitation,
  { name, password, again }: Entering,
): Promise<string | null> {
  const wrongName = person === null ? nameFault(name) : null;
  if (wrongName !== null) return NAME_FAULTS[wrongName];
  if (person === null && (await people.byName(name)) !== null) return t`This name is taken. Choose another.`;
  const wrong = passwordFault(password, person?.name ?? name.trim());
  if (wrong !== null) return wrong;
  return password === again ? null : t`The passwords do not match.`;
}

function refused(context: WebContext) {
  return answer(context, { title: t`Welcome`, body: linkPage(noSuchLink()) }, 403);
}

/** The first step: the link proves itself. */
function linkPage(wrong: string | null): Html {
  return html`<section class="door">
<h1>Welcome to payrun</h1>
${problemNotice(wrong)}
<form method="post" action="/welcome" data-token-form>
<label>Your one-time link <input name="token" required autocomplete="off" spellcheck="false"></label>
<button class="primary">Continue</button>
</form>
<p class="soft small">Paste the link you were given if it is not already there.</p>
</section>`;
}

/** The second step: its owner says who they are, where nobody knows that, and chooses a password. */
function enterPage({ person }: Invitation, link: string, wrong: string | null, typed: Typed): Html {
  return html`<section class="door">
<h1>${person === null ? t`Welcome to payrun` : t`Welcome, ${person.name}`}</h1>
<p class="soft">${person === null ? t`You are the first member and administer this page. Invite the others.` : rolesText(person)}</p>
${problemNotice(wrong)}
<form method="post" action="/welcome/enter">
${hiddenField('token', link)}
${person === null ? firstFields(typed) : accountField(person.name)}
<label>Password <input name="password" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password" aria-describedby="password-hint"></label>
<p class="soft small" id="password-hint">At least ${PASSWORD_MIN} characters. Four unrelated words work well. It also locks your signing key, so nobody can look it up for you.</p>
<label>Confirm password <input name="again" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password"></label>
<button class="primary">Accept invitation</button>
</form>
</section>`;
}

function firstFields({ name, role }: Typed): Html {
  return html`<label>Your name <input name="name" value="${name}" required maxlength="${NAME_MAX}" autocomplete="name" autofocus></label>
${roleChoices(t`You can also be`, OFFERED, role)}
<p class="soft small">Nobody can approve their own plan. You need a second person.</p>`;
}

function rolesText(person: Person): string {
  const words = person.roles.map((role) => ROLE_WORDS[role].label.toLowerCase());
  return t`You are invited as ${words.length === 0 ? t`a guest without a role` : words.join(', ')}. Choose your password.`;
}
