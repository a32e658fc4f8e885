import { type Grant, ROLES, type Role } from '../../app/people/grants.ts';
import type { Person } from '../../app/people/people.ts';
import { listed } from '../../messages/text.ts';
import { plural, t, textTable } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { count, moment, table } from '../shell/parts.ts';
import type { Web } from '../web.ts';
import { ROLE_WORDS } from './access-words.ts';

const HOLD_WORDS = textTable({ all: 'approvals on hold', some: 'some approvals on hold' });

/** What is known of a member. `lastSignIn`: Unix ms, null before the first one. */
export type Member = {
  person: Person;
  hold: 'all' | 'some' | null;
  /** Whether who looks may confirm a change of theirs. */
  isToConfirm: boolean;
  /** Whether a link of theirs is still good. */
  hasLink: boolean;
  lastSignIn: number | null;
  /** What they prove themselves with beside the password, in words. */
  factors: readonly string[];
};

/** `viewer`: the id of who looks. */
export async function membersOf(web: Web, people: readonly Person[], viewer: string): Promise<Member[]> {
  const links = await web.people.withLink();
  const signIns = await web.audit.lastSignIns();
  const members: Member[] = [];
  for (const person of people) {
    const { id } = person;
    members.push({
      ...{ person, hasLink: links.has(id), lastSignIn: signIns.get(id) ?? null },
      hold: await web.access.holdOf(id),
      isToConfirm: (await web.access.confirmable(id, viewer)).length > 0,
      factors: await factorsOf(web, id),
    });
  }
  return members;
}

async function factorsOf({ secondFactors, passkeys, provider, providerAccounts }: Web, id: string): Promise<string[]> {
  const keys = (await passkeys.of(id)).length;
  const isConnected = provider !== null && (await providerAccounts.isConnected(provider.settings.issuer, id));
  return [
    ...(keys > 0 ? [String(plural(keys, '# passkey', '# passkeys'))] : []),
    ...((await secondFactors.hasApp(id)) ? [t`Authenticator app`] : []),
    ...(isConnected ? [provider.name] : []),
  ];
}

export async function membersPart(web: Web, members: readonly Member[]): Promise<Html> {
  const entities = new Map((await web.entities.list()).map(({ id, name }) => [id, name]));
  return table<Member>(
    t`People and their roles`,
    [
      [t`Name`, ({ person: { id, name } }) => html`<a href="/people/${id}">${name}</a>`, 'head'],
      [
        t`Roles`,
        ({ person }) => html`<div class="tags">${person.grants.map((grant) => grantTag(grant, entities))}</div>`,
      ],
      [t`Second factor`, factorText],
      [t`Last sign-in`, signInText, 'small'],
      [t`State`, (member) => html`${statePill(member)}${holdText(member)}`],
    ],
    members,
  );
}

/** `Approver in Northwind GmbH, monthly-payroll, names and amounts hidden`; without what is so everywhere. */
function grantTag({ role, entity, job, details }: Grant, entities: ReadonlyMap<string, string>): Html {
  const inEntity = entity === null ? [] : [entities.get(entity) ?? entity];
  const where = [...inEntity, ...(job === null ? [] : [job]), ...(details ? [] : [t`names and amounts hidden`])];
  return html`<span class="tag">${ROLE_WORDS[role].label}${where.length > 0 && html` <span class="soft">${where.join(', ')}</span>`}</span>`;
}

export function factorText({ factors }: Member): Html {
  return factors.length > 0 ? html`${listed(factors)}` : html`<span class="soft">none</span>`;
}

export function signInText({ lastSignIn }: Member): Html {
  return lastSignIn === null ? html`<span class="soft">not yet</span>` : moment(lastSignIn);
}

export function statePill({ person: { lockedAt, hasComeIn }, hold, hasLink, isToConfirm }: Member): Html {
  if (lockedAt !== null) return html`<span class="status not_submitted">Deactivated</span>`;
  if (!hasComeIn)
    return hasLink
      ? html`<span class="status waiting">Invited</span>`
      : html`<span class="status unresolved">Link expired</span>`;
  if (hold !== null || isToConfirm) return html`<span class="status unresolved">Awaiting confirmation</span>`;
  return html`<span class="status completed">Active</span>`;
}

function holdText({ hold }: Member): Html | null {
  return hold && html` <strong class="bad small">${HOLD_WORDS[hold]}</strong>`;
}

/** Each role, what it may do, and how many have it. */
export function rolesTable(members: readonly Member[]): Html {
  const holders = (role: Role) =>
    members.filter(({ person: { roles, lockedAt } }) => lockedAt === null && roles.includes(role)).length;
  return table<Role>(
    t`Roles and what they may do`,
    [
      [t`Role`, (role) => ROLE_WORDS[role].label, 'head'],
      [t`What it may do`, (role) => html`<span class="soft">${ROLE_WORDS[role].means}</span>`],
      [t`Members`, (role) => count(holders(role)), 'number'],
    ],
    ROLES,
  );
}
