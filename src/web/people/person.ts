import { Hono } from 'hono';
import type { PeopleParts } from '../../app/people/access.ts';
import { type Person, ROLES } from '../../app/people/people.ts';
import { isoUtc } from '../../domain/time.ts';
import { requireRole } from '../require-role.ts';
import { readForm } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { doneNotice, problemNotice } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { changeText } from './access-words.ts';
import { roleChoices, roles } from './role-choices.ts';

const LAST = 'Nobody else is an administrator: make somebody one first.';

/** One person: their roles, and locking them out. An administrator who does so does not thereby prepare or approve. */
export function personRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const only = requireRole('administrator');
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
export function giveLink(context: WebContext, { id }: Person): void {
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

function show(context: WebContext, person: Person, wrong: string | null = null) {
  const { web, session, person: viewer } = signedIn(context);
  const link = session.newLink?.personId === person.id ? session.newLink.link : null;
  session.newLink = null;
  const { id, name } = person;
  const isLocked = person.lockedAt !== null;
  const body = html`<p class="trail"><a href="/people">People</a></p>
<h1>${name}</h1>
${problemNotice(wrong)}
${doneNotice(DONE[context.req.query('done') ?? ''] ?? null)}
${link && linkNotice(name, link)}
${changesPart(web, person, viewer)}
<div class="columns">
<section class="card" aria-labelledby="roles">
<h2 id="roles">What they may do</h2>
<form method="post" action="/people/${id}/roles">
${roleChoices('Roles', ROLES, person.roles)}
<button>Change the roles</button>
</form>
</section>
<section class="card" aria-labelledby="in">
<h2 id="in">Coming in</h2>
<p class="soft">${stateText(person)}</p>
${!isLocked && waysIn(person, web.passkeys.of(id).length)}
<form method="post" action="/people/${id}/${isLocked ? 'unlock' : 'lock'}">
<button${!isLocked && html` class="danger"`}>${isLocked ? 'Let in again' : 'Lock out'}</button>
</form>
</section>
</div>`;
  return answer(context, { title: name, here: 'people', body }, wrong === null ? 200 : 409);
}

/** What administrators changed and nobody else confirmed: in red where approvals do not count. */
function changesPart({ people, access }: PeopleParts, { id, name }: Person, viewer: Person): Html | null {
  const changes = access.open(id);
  if (changes.length === 0) return null;
  const hold = access.holdOf(id);
  const mayConfirm = access.confirmable(id, viewer.id).length > 0;
  const effect =
    hold === 'all'
      ? `Approvals by ${name} do not count for 24 hours, and not at all for payments that the administrator prepares, until another administrator confirms the change.`
      : `Payments that ${name} and the administrator prepare and approve between them do not count as approved until another administrator confirms the change.`;
  return html`<section class="notice ${hold === null ? 'care' : 'wrong'} stack" aria-labelledby="changes">
<h2 id="changes">To be confirmed by another administrator</h2>
<ul class="points">${changes.map((change) => html`<li>${changeText(people, change)}</li>`)}</ul>
<p>${effect}</p>
${mayConfirm && html`<p>Ask ${name} in person or by phone first: confirm only what ${name} knows of.</p><form method="post" action="/people/${id}/confirm"><button>Confirm the change</button></form>`}
</section>`;
}

function linkNotice(name: string, link: string): Html {
  return html`<section class="notice stack" aria-labelledby="link">
<h2 id="link">The link for ${name}</h2>
<p>It is shown this once. The first person to open it signs in as ${name}, so give it to them in a way that only they can read. It is good for 24 hours.</p>
<pre tabindex="0">${link}</pre>
</section>`;
}

function stateText({ createdAt, lockedAt, hasComeIn }: Person): string {
  if (lockedAt !== null) return `Locked out since ${isoUtc(lockedAt).slice(0, 10)}.`;
  const since = isoUtc(createdAt).slice(0, 10);
  return hasComeIn ? `Here since ${since}.` : `Invited on ${since}, and has not come in yet.`;
}

function waysIn({ id, hasComeIn }: Person, passkeys: number): Html {
  const whose = passkeys === 1 ? 'their passkey' : `their ${passkeys} passkeys`;
  return html`<form method="post" action="/people/${id}/link"><button>Make a new link</button></form>
${hasComeIn && html`<p class="soft small">A new link is for a forgotten password. They get a new key to sign with: plans and jobs that name the old one need the new one.</p>`}
${passkeys > 0 && html`<form method="post" action="/people/${id}/passkeys"><button>Remove ${whose}</button></form>`}`;
}
