import { Hono } from 'hono';
import { isEverywhere, ROLES, type Role } from '../../app/people/grants.ts';
import { NAME_MAX, nameFault, type Person } from '../../app/people/people.ts';
import { listed } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { isYes, readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { hiddenField, problemNotice, table } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { NAME_FAULTS, ROLE_WORDS } from './access-words.ts';
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

const HOLD_WORDS = textTable({ all: 'approvals on hold', some: 'some approvals on hold' });

async function list(context: WebContext, wrong: WrongInvitation | null): Promise<Response> {
  const { people, access } = context.var.web;
  const everybody = await people.list();
  const holds = new Map<string, 'all' | 'some' | null>();
  for (const { id } of everybody) holds.set(id, await access.holdOf(id));
  const state = ({ id, lockedAt, hasComeIn }: Person): Html => {
    const hold = holds.get(id);
    return html`${lockedAt !== null ? t`deactivated` : hasComeIn ? t`active` : t`invited`}${hold && html`<br><strong class="bad">${HOLD_WORDS[hold]}</strong>`}`;
  };
  const tags = ({ roles, grants }: Person) =>
    html`<div class="tags">${roles.map((role) => html`<span class="tag">${ROLE_WORDS[role].label}</span>`)}${!grants.every(isEverywhere) && html`<span class="soft small">narrowed</span>`}</div>`;
  const team = table<Person>(
    t`People and their roles`,
    [
      [t`Name`, ({ id, name }) => html`<a href="/people/${id}">${name}</a>`, 'head'],
      [t`Roles`, tags],
      [t`State`, state],
    ],
    everybody,
    { frame: 'scroll' },
  );
  const body = html`<h1>Team</h1>
<section class="stack" aria-labelledby="everybody">
<h2 id="everybody">Members</h2>
${team}
</section>
<section class="card" aria-labelledby="invite">
<h2 id="invite">Invite member</h2>
<p class="soft">You get a link that works once, for 24 hours. Send it in a way that only they can read.</p>
${problemNotice(wrong?.message ?? null)}
<form method="post" action="/people">
<label>Name <input name="name" required maxlength="${NAME_MAX}" autocomplete="off" value="${wrong?.name ?? ''}"></label>
${roleChoices(t`Roles`, ROLES, wrong?.roles ?? [])}
<button class="primary">Create invitation</button>
</form>
</section>
${await policyPart(context.var.web, everybody)}`;
  return answer(context, { title: t`Team`, here: 'team', body }, wrong === null ? 200 : 422);
}

/** Whether everybody signs in with a second factor, and who has none. */
export async function policyPart(web: Web, everybody: readonly Person[]): Promise<Html> {
  const { secondFactors, passkeys, provider, providerAccounts } = web;
  const isRequired = await secondFactors.isRequired();
  const without: string[] = [];
  for (const { id, name, hasComeIn, lockedAt } of everybody) {
    if (!hasComeIn || lockedAt !== null || (await secondFactors.hasApp(id))) continue;
    if (provider !== null && (await providerAccounts.isConnected(provider.settings.issuer, id))) continue;
    if ((await passkeys.of(id)).length === 0) without.push(name);
  }
  return html`<section class="card" aria-labelledby="policy">
<h2 id="policy">Second factor</h2>
<p class="soft">${either(isRequired, 'Everyone signs in with a second factor. Anyone without one sets it up at their next sign-in.', 'A second factor is optional: those who have set up an authenticator app enter a code when they sign in.')}</p>
${without.length > 0 && html`<p>Without a second factor: ${listed(without)}.</p>`}
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
