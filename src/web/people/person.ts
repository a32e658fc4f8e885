import { Hono } from 'hono';
import { cleanGrants, everywhere, type Grant, isEverywhere, ROLES } from '../../app/people/grants.ts';
import type { Person } from '../../app/people/people.ts';
import { shownDay } from '../../messages/local-time.ts';
import { t, textTable } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { readForm } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { doneNotice, facts, problemNotice } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { accessPart, changeAccess, readAccess } from './access-form.ts';
import { changeText } from './access-words.ts';
import { factorText, membersOf, signInText, statePill } from './members.ts';
import { roleChoices, roles } from './role-choices.ts';

const lastAdministrator = () => t`There is no other administrator. Make someone else one first.`;

/** One person: their roles, and locking them out. An administrator who does so does not thereby prepare or approve. */
export function personRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const only = requireRole('administrator');
  app.get('/people/:id', only, onPerson(show));
  app.post('/people/:id/roles', only, onPerson(changeRoles));
  app.post('/people/:id/access', only, onPerson(saveAccess));
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
  return async (context: WebContext) => {
    const person = await context.var.web.people.get(context.req.param('id') ?? '');
    if (person !== null) return act(context, person);
    return errorPage(context, {
      status: 404,
      message: t`No such member.`,
      remedy: t`See the list of people.`,
    });
  };
}

/** The roles for everything: all entities and jobs, with names and amounts. */
async function changeRoles(context: WebContext, person: Person) {
  const { role } = await readForm(context, { role: roles });
  return changed(context, person, cleanGrants(role.map(everywhere)), 'roles');
}

async function saveAccess(context: WebContext, person: Person) {
  return changed(context, person, await readAccess(context), 'access');
}

async function changed(context: WebContext, person: Person, to: readonly Grant[], what: string) {
  const isChanged = await changeAccess(context, person, to);
  return isChanged ? done(context, person, what) : show(context, person, lastAdministrator());
}

async function lock(context: WebContext, person: Person) {
  const { people, sessions } = context.var.web;
  const isLocked = await act(context, person, 'locked_out', async () => {
    if (await people.isLastAdministrator(person.id)) return false;
    await people.setLocked(person.id, true);
    await people.voidLinksBy(person.id);
    await sessions.endOf(person.id);
    return true;
  });
  return isLocked ? done(context, person, 'locked') : show(context, person, lastAdministrator());
}

async function unlock(context: WebContext, person: Person) {
  await act(context, person, 'let_in_again', async () => {
    await context.var.web.people.setLocked(person.id, false);
    return true;
  });
  return done(context, person, 'unlocked');
}

async function newLink(context: WebContext, person: Person) {
  await act(context, person, 'link_made', async () => {
    await giveLink(context, person);
    return true;
  });
  return context.redirect(`/people/${person.id}`, 303);
}

async function removePasskeys(context: WebContext, person: Person) {
  const { web, person: by } = signedIn(context);
  await act(context, person, 'passkeys_removed', async () => {
    if ((await web.passkeys.removeAll(person.id)) > 0) await web.access.reset(person.id, by.id, 'passkeys');
    return true;
  });
  return done(context, person, 'passkeys');
}

const notYours = () =>
  t`You cannot confirm this. It takes an administrator who did not make the change, is not the person, and was not reset by either.`;

/** Another administrator confirms that a reset was in order: what the person approves counts again. */
async function confirmChanges(context: WebContext, person: Person) {
  const { access, audit, store } = context.var.web;
  const by = signedIn(context).person.id;
  const confirmed = await store.transaction(async () => {
    const changes = await access.confirm(person.id, by);
    const details = { whom: person.id, name: person.name, changes: changes.map(({ kind, at }) => ({ kind, at })) };
    if (changes.length > 0) await audit.append({ person: by, act: 'access_confirmed', details });
    return changes;
  });
  return confirmed.length === 0 ? show(context, person, notYours()) : done(context, person, 'confirmed');
}

/** What an administrator does with a person, and its entry in the audit log: both, or neither where `work` gives false. */
async function act(
  context: WebContext,
  { id, name }: Person,
  what: string,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const { store, audit } = context.var.web;
  return store.transaction(async () => {
    const isDone = await work();
    if (isDone) await audit.append({ person: signedIn(context).person.id, act: what, details: { whom: id, name } });
    return isDone;
  });
}

/** The link is shown once, to the administrator who made it, and is nowhere else. */
export async function giveLink(context: WebContext, { id }: Person): Promise<void> {
  const { web, session, person } = signedIn(context);
  const token = await web.people.invite(id, person.id);
  await web.sessions.setNewLink(session, { personId: id, link: `${web.options.origin}/welcome#${token}` });
}

const DONE: Readonly<Record<string, string>> = textTable({
  roles: 'Roles changed, effective immediately.',
  access: 'Access changed, effective immediately.',
  locked: 'Deactivated and signed out everywhere.',
  unlocked: 'Reactivated.',
  passkeys: 'The passkeys are removed. Another administrator confirms that.',
  confirmed: 'Confirmed.',
});

function done(context: WebContext, { id }: Person, what: string) {
  return context.redirect(`/people/${id}?done=${what}`, 303);
}

async function show(context: WebContext, person: Person, wrong: string | null = null): Promise<Response> {
  const { web, session, person: viewer } = signedIn(context);
  const made = await web.sessions.takeNewLink(session);
  const link = made?.personId === person.id ? made.link : null;
  const { id, name } = person;
  const isLocked = person.lockedAt !== null;
  const [member] = await membersOf(web, [person], viewer.id);
  const body = html`<p class="trail"><a href="/people">Team</a></p>
<div class="tight stack"><h1>${name} ${member && statePill(member)}</h1>
<p class="soft small">${stateText(person)}</p></div>
${problemNotice(wrong)}
${doneNotice(DONE[context.req.query('done') ?? ''] ?? null)}
${link && linkNotice(name, link)}
${await changesPart(web, person, viewer)}
<div class="parted">
<div class="stack">
${person.grants.every(isEverywhere) && rolesPart(person)}
${await accessPart(web, person)}
</div>
<section class="part" aria-labelledby="in">
<h2 id="in">Sign-in</h2>
${
  member &&
  facts([
    [t`Last sign-in`, signInText(member)],
    [t`Second factor`, factorText(member)],
  ])
}
${!isLocked && waysIn(person, (await web.passkeys.of(id)).length)}
${isLocked ? html`<form method="post" action="/people/${id}/unlock"><button>Reactivate</button></form>` : lockPart(person)}
</section>
</div>`;
  return answer(context, { title: name, here: 'team', body }, wrong === null ? 200 : 409);
}

/** Not for who has less than everything somewhere: it would give them everything. */
function rolesPart({ id, roles: chosen }: Person): Html {
  return html`<section class="part" aria-labelledby="roles">
<h2 id="roles">Roles</h2>
<form method="post" action="/people/${id}/roles">
${roleChoices(t`Roles`, ROLES, chosen)}
<button>Change the roles</button>
</form>
</section>`;
}

/** What administrators changed and nobody else confirmed: in red where approvals do not count. */
async function changesPart(web: Web, { id, name }: Person, viewer: Person): Promise<Html | null> {
  const { people, access } = web;
  const mayConfirm = (await access.confirmable(id, viewer.id)).length > 0;
  const changes = await access.open(id, mayConfirm || (await web.connections.anyLive()));
  if (changes.length === 0) return null;
  const hold = await access.holdOf(id);
  const texts = await Promise.all(changes.map((change) => changeText(people, change)));
  const effect =
    hold === 'all'
      ? t`Approvals by ${name} do not count for 24 hours, and not at all for payments that the administrator prepares, until another administrator confirms the change.`
      : (await access.open(id)).length === 0
        ? t`Until another administrator confirms the change, ${name} and the administrator cannot approve live payments that the other prepares.`
        : t`Until another administrator confirms the change, ${name} and the administrator, or anyone this administrator reset, cannot approve payments that the other prepares.`;
  return html`<section class="notice ${hold === null ? 'care' : 'wrong'} stack" aria-labelledby="changes">
<h2 id="changes">To be confirmed by another administrator</h2>
<ul class="points">${texts.map((text) => html`<li>${text}</li>`)}</ul>
<p>${effect}</p>
${mayConfirm && html`<p>Ask ${name} in person or by phone first: confirm only what ${name} knows of.</p><form method="post" action="/people/${id}/confirm"><button>Confirm the change</button></form>`}
</section>`;
}

function linkNotice(name: string, link: string): Html {
  return html`<section class="notice stack" aria-labelledby="link">
<h2 id="link">The link for ${name}</h2>
<p>It is shown only once. The first person to open it signs in as ${name}, so send it in a way that only they can read. It is valid for 24 hours.</p>
<pre tabindex="0">${link}</pre>
</section>`;
}

/** Asks for confirmation, as everything does that stops other people's work. */
function lockPart({ id, name }: Person): Html {
  return html`<details><summary>Deactivate…</summary><form class="inside" method="post" action="/people/${id}/lock">
<p>${name} is signed out everywhere and cannot sign in. Their approvals of payments that have not started no longer count, and their scheduled payments will not start. You can reactivate them later.</p>
<button class="danger">Deactivate ${name}</button></form></details>`;
}

function stateText({ createdAt, lockedAt, hasComeIn }: Person): string {
  if (lockedAt !== null) return t`Deactivated on ${shownDay(lockedAt)}.`;
  const since = shownDay(createdAt);
  return hasComeIn ? t`Here since ${since}.` : t`Invited on ${since}, not accepted yet.`;
}

function waysIn({ id, hasComeIn }: Person, passkeys: number): Html {
  const whose = passkeys === 1 ? t`their passkey` : t`their ${passkeys} passkeys`;
  return html`<form method="post" action="/people/${id}/link"><button>Make a new link</button></form>
${hasComeIn && html`<p class="soft small">Create a new link when someone forgot their password or lost their authenticator app. They get a new signing key; plans and jobs that name the old key need the new one.</p>`}
${passkeys > 0 && html`<form method="post" action="/people/${id}/passkeys"><button>Remove ${whose}</button></form>`}`;
}
