import { Hono } from 'hono';
import { type Invitation, nameFault, type Person } from '../people/people.ts';
import { isRole, type Role } from '../people/roles.ts';
import { beginSession } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { field, type Web, type WebContext, type WebEnv } from '../web.ts';
import { passwordFault } from './passwords.ts';
import { type NewSecrets, newSecrets, removeKeyFile } from './secrets.ts';
import { type Typed, welcomePage } from './welcome-page.ts';

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
