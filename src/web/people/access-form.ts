import { cleanGrants, type Grant, isEverywhere, isRole, ROLES, rolesIn, widens } from '../../app/people/grants.ts';
import type { Person } from '../../app/people/people.ts';
import { t } from '../../messages/translate.ts';
import { readForm, texts } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, option, table } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext } from '../web.ts';
import { grantRecord, ROLE_WORDS } from './access-words.ts';

/** Rows of one person: more are a mistake. */
const ROWS_MAX = 100;
/** Rows that are free to be filled in. */
const FREE_ROWS = 2;

/** In the place of an entity or a job: all of them. */
const ALL = '';

const HIDDEN = 'hidden';

const form = { role: texts, entity: texts, job: texts, details: texts };

/** What was chosen, row by row; a row without a role is none. */
export async function readAccess(context: WebContext): Promise<Grant[]> {
  const { role, entity, job, details } = await readForm(context, form);
  const grants = role.slice(0, ROWS_MAX).flatMap((name, at): Grant[] => {
    if (!isRole(name)) return [];
    const [inEntity = ALL, ofJob = ALL] = [entity[at], job[at]];
    const place = { entity: inEntity === ALL ? null : inEntity, job: ofJob === ALL ? null : ofJob };
    return [{ role: name, ...place, details: details[at] !== HIDDEN }];
  });
  return cleanGrants(grants);
}

/** Puts grants in the place of a person's. False where nobody would be an administrator any more. */
export async function changeAccess(context: WebContext, shown: Person, to: readonly Grant[]): Promise<boolean> {
  const { web, person: by } = signedIn(context);
  const { people, audit, access, store } = web;
  return store.transaction(async () => {
    // Somebody else may have changed something meanwhile.
    const person = (await people.get(shown.id)) ?? shown;
    const roles = rolesIn(to);
    const isGivenUp = person.roles.includes('administrator') && !roles.includes('administrator');
    if (isGivenUp && (await people.isLastAdministrator(person.id))) return false;
    await people.setGrants(person.id, to);
    if (isGivenUp) await people.voidLinksBy(person.id);
    const isWider = to.some((grant) => grant.role !== 'viewer' && widens(person.grants, grant));
    if (isWider) await access.granted(person.id, by.id);
    const isNarrowed = [...person.grants, ...to].some((grant) => !isEverywhere(grant));
    const details = isNarrowed
      ? { roles, from: person.grants.map(grantRecord), to: to.map(grantRecord) }
      : { from: person.roles, to: roles };
    const whom = { whom: person.id, name: person.name };
    await audit.append({
      person: by.id,
      act: isNarrowed ? 'access_changed' : 'roles_changed',
      details: { ...whom, ...details },
    });
    return true;
  });
}

/** What a person may do and where, a row for each role at a place. */
export async function accessPart(web: Web, { id, grants }: Person): Promise<Html> {
  const names = new Set([...web.deps.jobs().map(({ name }) => name), ...grants.flatMap(({ job }) => job ?? [])]);
  const jobs = [...names].sort().map((name): Name => [name, name]);
  const entities = (await web.entities.list()).map((entity): Name => [entity.id, entity.name]);
  const free = Array.from({ length: FREE_ROWS }, () => null);
  const rows = [...grants, ...free].map((grant, at) => ({ grant, at }));
  const select = (name: string, label: string, options: Html[], { at }: Row) =>
    html`<select name="${name}" aria-label="${label}, row ${at + 1}">${options}</select>`;
  const named = (names: readonly Name[], chosen: string | null) => [
    option(ALL, t`all`, chosen === null),
    ...names.map(([value, name]) => option(value, name, value === chosen)),
  ];
  const columns: Column<Row>[] = [
    [
      t`Role`,
      (row) => {
        const roles = ROLES.map((role) => option(role, ROLE_WORDS[role].label, role === row.grant?.role));
        return select('role', t`Role`, [option('', t`none`, row.grant === null), ...roles], row);
      },
    ],
    [t`Entity`, (row) => select('entity', t`Entity`, named(entities, row.grant?.entity ?? null), row)],
    [t`Job`, (row) => select('job', t`Job`, named(jobs, row.grant?.job ?? null), row)],
    [
      t`Names and amounts`,
      (row) => {
        const isShown = row.grant?.details ?? true;
        const options = [option('shown', t`shown`, isShown), option(HIDDEN, t`hidden`, !isShown)];
        return select('details', t`Names and amounts`, options, row);
      },
    ],
  ];
  return html`<section class="part" aria-labelledby="access"><h2 id="access">Scope and visibility</h2>
<p class="soft">A role for one job gives no access to other jobs, or to payments without a job. With names and amounts hidden, members see only counts, states and totals of many payouts, and can neither upload nor approve. Administrators have access to everything.</p>
<form method="post" action="/people/${id}/access">
${table(t`Roles, entities and jobs`, columns, rows, { frame: 'scroll' })}
<button>Save access</button>
</form></section>`;
}

/** The value of a choice, and what it says. */
type Name = readonly [value: string, name: string];

type Row = { grant: Grant | null; at: number };
