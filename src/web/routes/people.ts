import { Hono } from 'hono';
import { answer } from '../layout.ts';
import { errorPage } from '../pages/error-page.ts';
import { peoplePage } from '../pages/people-page.ts';
import { personPage } from '../pages/person-page.ts';
import { nameFault, type Person } from '../people/people.ts';
import { isRole, type Role } from '../people/roles.ts';
import { requireRole } from '../require-role.ts';
import { field, signedIn, type WebContext, type WebEnv } from '../web.ts';

const LAST = 'Nobody else is an administrator: make somebody one first.';

/** Inviting people, their roles, and locking them out. An administrator who does so does not thereby prepare or approve. */
export function peopleRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const only = requireRole('administrator');
  app.get('/people', only, (context) => list(context, null));
  app.post('/people', only, invite);
  app.get('/people/:id', only, (context) => withPerson(context, (person) => show(context, person, null)));
  app.post('/people/:id/roles', only, changeRoles);
  app.post('/people/:id/lock', only, (context) => withPerson(context, (person) => lock(context, person)));
  app.post('/people/:id/unlock', only, (context) => withPerson(context, (person) => unlock(context, person)));
  app.post('/people/:id/link', only, (context) => withPerson(context, (person) => newLink(context, person)));
  app.post('/people/:id/passkeys', only, (context) => withPerson(context, (person) => removePasskeys(context, person)));
  return app;
}

async function invite(context: WebContext) {
  const { people, audit, store } = context.var.web;
  const form = await context.req.parseBody({ all: true });
  const name = field(form, 'name');
  const roles = rolesIn(form.role);
  const none = roles.length === 0 ? 'Choose at least one role.' : null;
  const taken = people.byName(name) === null ? null : 'There is somebody of this name already: add a second name.';
  const fault = nameFault(name) ?? taken ?? none;
  if (fault !== null) return list(context, { what: fault, name, roles });
  const person = store.transaction(() => {
    const added = people.add(name, roles);
    const by = signedIn(context).person.id;
    audit.append({ person: by, act: 'invited', details: { whom: added.id, name: added.name, roles } });
    return added;
  });
  giveLink(context, person);
  return context.redirect(`/people/${person.id}`, 303);
}

async function changeRoles(context: WebContext) {
  const form = await context.req.parseBody({ all: true });
  const roles = rolesIn(form.role);
  return withPerson(context, (person) => {
    const { people, audit, store } = context.var.web;
    const isGivenUp = person.roles.includes('administrator') && !roles.includes('administrator');
    if (isGivenUp && people.isLastAdministrator(person.id)) return show(context, person, LAST);
    store.transaction(() => {
      people.setRoles(person.id, roles);
      if (isGivenUp) people.voidLinksBy(person.id);
      const details = { whom: person.id, name: person.name, from: person.roles, to: roles };
      audit.append({ person: signedIn(context).person.id, act: 'roles_changed', details });
    });
    return done(context, person, 'roles');
  });
}

function lock(context: WebContext, person: Person) {
  const { people, sessions } = context.var.web;
  if (people.isLastAdministrator(person.id)) return show(context, person, LAST);
  act(context, person, 'locked_out', () => {
    people.setLocked(person.id, true);
    people.voidLinksBy(person.id);
  });
  sessions.endOf(person.id);
  return done(context, person, 'locked');
}

function unlock(context: WebContext, person: Person) {
  act(context, person, 'let_in_again', () => context.var.web.people.setLocked(person.id, false));
  return done(context, person, 'unlocked');
}

function newLink(context: WebContext, person: Person) {
  act(context, person, 'link_made', () => giveLink(context, person));
  return context.redirect(`/people/${person.id}`, 303);
}

function removePasskeys(context: WebContext, person: Person) {
  act(context, person, 'passkeys_removed', () => void context.var.web.passkeys.removeAll(person.id));
  return done(context, person, 'passkeys');
}

/** What an administrator does with a person, and that it was done: both or neither. */
function act(context: WebContext, { id, name }: Person, what: string, work: () => void): void {
  const { store, audit } = context.var.web;
  store.transaction(() => {
    work();
    audit.append({ person: signedIn(context).person.id, act: what, details: { whom: id, name } });
  });
}

/** The link is shown once, to whoever made it, and is nowhere else. */
function giveLink(context: WebContext, { id }: Person): void {
  const { people, options } = context.var.web;
  const { session, person } = signedIn(context);
  session.newLink = { personId: id, link: `${options.origin}/welcome#${people.invite(id, person.id)}` };
}

const DONE: Readonly<Record<string, string>> = {
  roles: 'The roles are changed. They count from now on.',
  locked: 'Locked out, and signed out everywhere.',
  unlocked: 'May come in again.',
  passkeys: 'The passkeys are removed.',
};

function done(context: WebContext, { id }: Person, what: string) {
  return context.redirect(`/people/${id}?done=${what}`, 303);
}

function withPerson(context: WebContext, work: (person: Person) => Response | Promise<Response>) {
  const person = context.var.web.people.get(context.req.param('id') ?? '');
  if (person !== null) return work(person);
  return errorPage(context, {
    status: 404,
    what: 'There is nobody at this address.',
    remedy: 'See the list of people.',
  });
}

function list(context: WebContext, wrong: { what: string; name: string; roles: readonly Role[] } | null) {
  const { people } = context.var.web;
  const body = peoplePage({ people: people.list(), wrong });
  return answer(context, { title: 'People', here: 'people', body }, wrong === null ? 200 : 422);
}

function show(context: WebContext, person: Person, wrong: string | null) {
  const { web } = context.var;
  const { session } = signedIn(context);
  const link = session.newLink?.personId === person.id ? session.newLink.link : null;
  session.newLink = null;
  const said = DONE[context.req.query('done') ?? ''] ?? null;
  const passkeys = web.passkeys.of(person.id).length;
  const body = personPage({ person, passkeys, link, done: said, wrong });
  return answer(context, { title: person.name, here: 'people', body }, wrong === null ? 200 : 409);
}

function rolesIn(said: unknown): Role[] {
  const words = (Array.isArray(said) ? said : [said]).filter((word) => typeof word === 'string');
  return words.filter(isRole);
}
