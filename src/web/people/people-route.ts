import { Hono } from 'hono';
import { isRole, nameFault, type Person } from '../../app/people/people.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text, texts } from '../shell/form.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { changeText, NAME_FAULTS } from './access-words.ts';
import { peoplePage, personPage, type WrongInvitation } from './people-page.ts';

const LAST = 'Nobody else is an administrator: make somebody one first.';

/** The roles that are ticked in a form. */
export const roles = texts.transform((all) => all.filter(isRole));

/** Inviting people, their roles, and locking them out. An administrator who does so does not thereby prepare or approve. */
export function peopleRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const only = requireRole('administrator');
  app.get('/people', only, (context) => list(context, null));
  app.post('/people', only, invite);
  app.get('/people/:id', only, onPerson(show));
  app.post('/people/:id/roles', only, onPerson(changeRoles));
  app.post('/people/:id/lock', only, onPerson(lock));
  app.post('/people/:id/unlock', only, onPerson(unlock));
  app.post('/people/:id/link', only, onPerson(newLink));
  app.post('/people/:id/confirm', only, onPerson(confirmChanges));
  app.post('/people/:id/passkeys', only, onPerson(removePasskeys));
  return app;
}

type PersonAct = (context: WebContext, person: Person) => Response | Promise<Response>;

/** Hands the person of the address to `act`. */
function onPerson(act: PersonAct) {
  return (context: WebContext) => {
    const person = context.var.web.people.get(context.req.param('id') ?? '');
    if (person !== null) return act(context, person);
    return errorPage(context, {
      status: 404,
      message: 'There is nobody at this address.',
      remedy: 'See the list of people.',
    });
  };
}

async function invite(context: WebContext) {
  const { people, audit, store } = context.var.web;
  const { name, role } = await readForm(context, { name: text, role: roles });
  const none = role.length === 0 ? 'Choose at least one role.' : null;
  const taken = people.byName(name) === null ? null : 'There is somebody of this name already: add a second name.';
  const wrongName = nameFault(name);
  const fault = wrongName === null ? (taken ?? none) : NAME_FAULTS[wrongName];
  if (fault !== null) return list(context, { message: fault, name, roles: role });
  const person = store.transaction(() => {
    const added = people.add(name, role);
    const by = signedIn(context).person.id;
    audit.append({ person: by, act: 'invited', details: { whom: added.id, name: added.name, roles: role } });
    return added;
  });
  giveLink(context, person);
  return context.redirect(`/people/${person.id}`, 303);
}

async function changeRoles(context: WebContext, person: Person) {
  const { role: to } = await readForm(context, { role: roles });
  const { people, audit, access, store } = context.var.web;
  const isGivenUp = person.roles.includes('administrator') && !to.includes('administrator');
  if (isGivenUp && people.isLastAdministrator(person.id)) return show(context, person, LAST);
  store.transaction(() => {
    people.setRoles(person.id, to);
    if (isGivenUp) people.voidLinksBy(person.id);
    const by = signedIn(context).person.id;
    if (to.some((role) => role !== 'viewer' && !person.roles.includes(role))) access.granted(person.id, by);
    const details = { whom: person.id, name: person.name, from: person.roles, to };
    audit.append({ person: by, act: 'roles_changed', details });
  });
  return done(context, person, 'roles');
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
  const { web, person: by } = signedIn(context);
  act(context, person, 'passkeys_removed', () => {
    if (web.passkeys.removeAll(person.id) > 0) web.access.reset(person.id, by.id, 'passkeys');
  });
  return done(context, person, 'passkeys');
}

const NOT_YOURS =
  'You cannot confirm this: an administrator does who did not make the change, is not the person, and whose own sign-in was not reset by either.';

/** Another administrator confirms that a reset was in order: what the person approves counts again. */
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

/** What an administrator does with a person, and its entry in the audit log: both or neither. */
function act(context: WebContext, { id, name }: Person, what: string, work: () => void): void {
  const { store, audit } = context.var.web;
  store.transaction(() => {
    work();
    audit.append({ person: signedIn(context).person.id, act: what, details: { whom: id, name } });
  });
}

/** The link is shown once, to the administrator who made it, and is nowhere else. */
function giveLink(context: WebContext, { id }: Person): void {
  const { web, session, person } = signedIn(context);
  session.newLink = { personId: id, link: `${web.options.origin}/welcome#${web.people.invite(id, person.id)}` };
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

function list(context: WebContext, wrong: WrongInvitation | null) {
  const { people, access } = context.var.web;
  const body = peoplePage(people.list(), (id) => access.holdOf(id), wrong);
  return answer(context, { title: 'People', here: 'people', body }, wrong === null ? 200 : 422);
}

function show(context: WebContext, person: Person, wrong: string | null = null) {
  const { web, session, person: viewer } = signedIn(context);
  const link = session.newLink?.personId === person.id ? session.newLink.link : null;
  session.newLink = null;
  const body = personPage({
    person,
    passkeys: web.passkeys.of(person.id).length,
    changes: {
      words: web.access.open(person.id).map((change) => changeText(web.people, change)),
      hold: web.access.holdOf(person.id),
      mayConfirm: web.access.confirmable(person.id, viewer.id).length > 0,
    },
    link,
    done: DONE[context.req.query('done') ?? ''] ?? null,
    wrong,
  });
  return answer(context, { title: person.name, here: 'people', body }, wrong === null ? 200 : 409);
}
