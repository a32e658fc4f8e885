import { Hono } from 'hono';
import { requireRole } from '../require-role.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { field, signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { type Access, changeText } from './access.ts';
import { isRole, nameFault, type Person, type Role } from './people.ts';
import { peoplePage, personPage, type ShownChanges } from './people-page.ts';

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
  app.post('/people/:id/confirm', only, (context) => withPerson(context, (person) => confirmChanges(context, person)));
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
    const { people, audit, access, store } = context.var.web;
    const isGivenUp = person.roles.includes('administrator') && !roles.includes('administrator');
    if (isGivenUp && people.isLastAdministrator(person.id)) return show(context, person, LAST);
    store.transaction(() => {
      people.setRoles(person.id, roles);
      if (isGivenUp) people.voidLinksBy(person.id);
      const by = signedIn(context).person.id;
      if (roles.some((role) => role !== 'viewer' && !person.roles.includes(role))) access.granted(person.id, by);
      const details = { whom: person.id, name: person.name, from: person.roles, to: roles };
      audit.append({ person: by, act: 'roles_changed', details });
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
  const { passkeys, access } = context.var.web;
  const by = signedIn(context).person.id;
  act(context, person, 'passkeys_removed', () => {
    if (passkeys.removeAll(person.id) > 0) access.reset(person.id, by, 'passkeys');
  });
  return done(context, person, 'passkeys');
}

const NOT_YOURS =
  'You cannot confirm this: an administrator does who did not make the change, is not the person, and whose own sign-in was not reset by either.';

/** Another administrator says that a reset was in order: what the person approves counts again. */
function confirmChanges(context: WebContext, person: Person) {
  const { access, audit, store } = context.var.web;
  const by = signedIn(context).person.id;
  const confirmed = store.transaction(() => {
    const changes = access.confirm(person.id, by);
    const details = { whom: person.id, name: person.name, changes: changes.map(({ kind, at }) => ({ kind, at })) };
    if (changes.length > 0) audit.append({ person: by, act: 'access_confirmed', details });
    return changes;
  });
  return confirmed.length === 0 ? show(context, person, NOT_YOURS) : done(context, person, 'confirmed');
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
  passkeys: 'The passkeys are removed. Another administrator confirms that.',
  confirmed: 'Confirmed.',
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
  const { people, access } = context.var.web;
  const body = peoplePage({ people: people.list(), onHold: (id) => holdOf(access, id), wrong });
  return answer(context, { title: 'People', here: 'people', body }, wrong === null ? 200 : 422);
}

function show(context: WebContext, person: Person, wrong: string | null) {
  const { web } = context.var;
  const { session } = signedIn(context);
  const link = session.newLink?.personId === person.id ? session.newLink.link : null;
  session.newLink = null;
  const said = DONE[context.req.query('done') ?? ''] ?? null;
  const passkeys = web.passkeys.of(person.id).length;
  const changes = changesOf(web, person, signedIn(context).person);
  const body = personPage({ person, passkeys, changes, link, done: said, wrong });
  return answer(context, { title: person.name, here: 'people', body }, wrong === null ? 200 : 409);
}

/** Whether nothing that a person approves counts now (`all`), or nothing of plans by who reset them (`some`). */
function holdOf(access: Access, id: string): 'all' | 'some' | null {
  if (access.recent(id) !== null) return 'all';
  return access.open(id).some(({ kind }) => kind !== 'access') ? 'some' : null;
}

/** What was changed of a person and not confirmed, in words, and whether who looks may confirm some of it. */
function changesOf(web: Web, { id }: Person, viewer: Person): ShownChanges {
  const open = web.access.open(id);
  return {
    words: open.map((change) => changeText(web, change)),
    hold: holdOf(web.access, id),
    mayConfirm: web.access.confirmable(id, viewer.id).length > 0,
  };
}

function rolesIn(said: unknown): Role[] {
  const words = (Array.isArray(said) ? said : [said]).filter((word) => typeof word === 'string');
  return words.filter(isRole);
}
