import { Hono } from 'hono';
import { ROLES, type Role } from '../../app/people/grants.ts';
import { NAME_MAX, nameFault } from '../../app/people/people.ts';
import { listed } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { isYes, readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { answer } from '../shell/layout.ts';
import { count, hiddenField, problemNotice } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { NAME_FAULTS } from './access-words.ts';
import { type Member, membersOf, membersPart, rolesTable } from './members.ts';
import { giveLink } from './person.ts';
import { roleChoices, roles } from './role-choices.ts';

/** The team: who is in it, and inviting one more. */
export function teamRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const only = requireRole('administrator');
  app.get('/people', only, (context) => list(context, null));
  app.post('/people', only, invite);
  app.post('/people/second-factor', only, changePolicy);
  return app;
}

/** The invitation that was refused, and why. */
type WrongInvitation = { message: string; name: string; roles: readonly Role[] };

async function list(context: WebContext, wrong: WrongInvitation | null): Promise<Response> {
  const { web, person } = signedIn(context);
  const members = await membersOf(web, await web.people.list(), person.id);
  const body = html`<div class="head opens"><h1>Team</h1>${inviteForm(wrong)}</div>
<section class="stack" aria-labelledby="everybody">
<h2 id="everybody">Members <span class="tag">${count(members.length)}</span></h2>
${await membersPart(web, members)}
</section>
<section class="stack" aria-labelledby="roles">
<h2 id="roles">Roles</h2>
${rolesTable(members)}
</section>
${await policyPart(web, members)}`;
  return answer(context, { title: t`Team`, here: 'team', body }, wrong === null ? 200 : 422);
}

/** A button that opens the form; what was refused stays open. */
function inviteForm(wrong: WrongInvitation | null): Html {
  return html`<details class="opened"${wrong !== null && html` open`}><summary class="button primary">${icon('plus')}Invite member</summary>
<section class="card" aria-labelledby="invite">
<h2 id="invite">Invite member</h2>
${problemNotice(wrong?.message ?? null)}
<form method="post" action="/people">
<label>Name <input name="name" required maxlength="${NAME_MAX}" autocomplete="off" value="${wrong?.name ?? ''}"></label>
${roleChoices(t`Roles`, ROLES, wrong?.roles ?? [])}
<p class="soft small">You get a link that works once, for 24 hours. Send it in a way that only they can read.</p>
<button class="primary">Create invitation</button>
</form>
</section></details>`;
}

/** Whether everybody signs in with a second factor, and who has none. */
export async function policyPart(web: Web, members: readonly Member[]): Promise<Html> {
  const isRequired = await web.secondFactors.isRequired();
  const without = members.filter(
    ({ person: { hasComeIn, lockedAt }, factors }) => hasComeIn && lockedAt === null && factors.length === 0,
  );
  return html`<section class="stack" aria-labelledby="policy">
<h2 id="policy">Second factor</h2>
<p class="soft">${either(isRequired, 'Everyone signs in with a second factor. Anyone without one sets it up at their next sign-in.', 'A second factor is optional: those who have set up an authenticator app enter a code when they sign in.')}</p>
${without.length > 0 && html`<p>Without a second factor: ${listed(without.map(({ person }) => person.name))}.</p>`}
<form method="post" action="/people/second-factor">
${hiddenField('required', isRequired ? 'no' : 'yes')}
<button>${either(isRequired, 'Stop requiring a second factor', 'Require a second factor for everyone')}</button>
</form>
</section>`;
}

async function changePolicy(context: WebContext) {
  const { secondFactors, audit, store } = context.var.web;
  const { required } = await readForm(context, { required: isYes });
  await store.transaction(async () => {
    await secondFactors.require(required);
    const details = { required: required ? 'of everyone' : 'of nobody' };
    await audit.append({ person: signedIn(context).person.id, act: 'second_factor_policy', details });
  });
  return context.redirect('/people', 303);
}

async function invite(context: WebContext) {
  const { people, audit, store } = context.var.web;
  const { name, role } = await readForm(context, { name: text, role: roles });
  const none = role.length === 0 ? t`Choose at least one role.` : null;
  const wrongName = nameFault(name);
  const invited = await store.transaction(async () => {
    const taken =
      (await people.byName(name)) === null ? null : t`A member with this name already exists. Add a second name.`;
    const fault = wrongName === null ? (taken ?? none) : NAME_FAULTS[wrongName];
    if (fault !== null) return { fault };
    const person = await people.add(name, role);
    const details = { whom: person.id, name: person.name, roles: role };
    await audit.append({ person: signedIn(context).person.id, act: 'invited', details });
    return { fault, person };
  });
  if (invited.fault !== null) return list(context, { message: invited.fault, name, roles: role });
  await giveLink(context, invited.person);
  return context.redirect(`/people/${invited.person.id}`, 303);
}
