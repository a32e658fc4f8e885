import { everywhere, type Role } from '../../app/people/grants.ts';
import { nameFault, type Person } from '../../app/people/people.ts';
import { assert } from '../../domain/refusal.ts';
import { t } from '../../messages/translate.ts';
import type { Web } from '../web.ts';
import type { Provider, ProviderPerson } from './provider.ts';
import type { FromProvider } from './sessions.ts';

/** Whether this person signs in at the provider, and so not by their password alone. */
export async function isOfProvider({ provider, providerAccounts }: Web, { id }: Person): Promise<boolean> {
  return provider !== null && (await providerAccounts.isConnected(provider.settings.issuer, id));
}

/** On routes that are there where people sign in at a provider. */
export function providerOf({ provider }: Web): Provider {
  assert(provider !== null, 'a route without its requireProvider');
  return provider;
}

type Known = { ok: true; person: Person } | { ok: false; message: string; remedy: string };

const askAdministrator = () => t`Ask an administrator of this page, or of your groups.`;

/** The person of a subject, with the roles of their groups; somebody new, or somebody of that name whose password connects them. */
export async function knownPerson(web: Web, who: ProviderPerson): Promise<Known> {
  const { people, providerAccounts, audit, store } = web;
  const { issuer } = providerOf(web).settings;
  const refuse = (message: string, remedy = askAdministrator()): Known => ({ ok: false, message, remedy });
  return store.transaction(async () => {
    const id = await providerAccounts.personOf(issuer, who.subject);
    const person = id === null ? await people.byName(who.name) : await people.get(id);
    if (person !== null && person.lockedAt !== null) return refuse(t`Your account here is locked.`);
    if (id !== null && person !== null) await setRoles(web, person, who.roles);
    if (who.roles.length === 0) return refuse(t`Your groups give you no role here.`);
    if (id !== null && person !== null) return { ok: true, person };
    if (person === null) {
      if (nameFault(who.name) !== null) return refuse(t`Your name cannot be used here.`);
      const added = await people.add(who.name, who.roles);
      await providerAccounts.connect(issuer, who.subject, added.id);
      const details = { whom: added.id, name: added.name, roles: added.roles };
      await audit.append({ person: added.id, act: 'added_by_provider', details });
      return { ok: true, person: added };
    }
    if (await providerAccounts.isConnected(issuer, person.id))
      return refuse(t`Someone else with your name already signs in here.`);
    if (person.hasComeIn) return { ok: true, person };
    return refuse(
      t`${person.name} is invited here already.`,
      t`Open the link of the invitation first, then sign in again.`,
    );
  });
}

/** The groups at the provider decide, but that the last administrator stays one. */
async function setRoles({ people, sessions, audit }: Web, person: Person, roles: readonly Role[]): Promise<void> {
  const isLast = person.roles.includes('administrator') && (await people.isLastAdministrator(person.id));
  const to = isLast ? [...new Set<Role>([...roles, 'administrator'])] : [...roles];
  if (to.length === person.roles.length && to.every((role) => person.roles.includes(role))) return;
  // What an administrator narrowed stays so.
  const kept = person.grants.filter(({ role }) => to.includes(role));
  const added = to.filter((role) => !person.roles.includes(role));
  await people.setGrants(person.id, [...kept, ...added.map(everywhere)]);
  if (!to.includes('administrator')) await people.voidLinksBy(person.id);
  if (to.length === 0) await sessions.endOf(person.id);
  const details = { whom: person.id, name: person.name, from: person.roles, to, by_provider: true };
  await audit.append({ person: person.id, act: 'roles_changed', details });
}

/** Somebody who was here before the provider: who knows the password too is that person. From now on the groups decide. */
export async function connect(web: Web, person: Person, { subject, roles }: FromProvider): Promise<void> {
  const { issuer } = providerOf(web).settings;
  await web.store.transaction(async () => {
    if ((await web.providerAccounts.personOf(issuer, subject)) !== null) return;
    await web.providerAccounts.connect(issuer, subject, person.id);
    await web.access.knownByProvider(person.id);
    await web.audit.append({ person: person.id, act: 'provider_connected', details: { name: person.name } });
    await setRoles(web, person, roles);
  });
}
