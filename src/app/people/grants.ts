import { z } from 'zod';
import type { PageStore } from './store/page-store.ts';

/** What a person may do on the page; one may have several. An administrator does not thereby prepare or approve. */
export type Role = (typeof ROLES)[number];

export const ROLES = ['preparer', 'approver', 'viewer', 'administrator'] as const;

/**
 * What a person may do, and where. `entity` and `job` are null for all of them; payments without a job are in no grant for
 * one job. `details`: whether they see names and amounts there, and not only counts.
 */
export type Grant = { role: Role; entity: string | null; job: string | null; details: boolean };

/** The text in the place of an entity or a job that means all. */
const ALL = '';

type GrantRow = { personId: string; role: string; entity: string; job: string; details: number | string };

const ofRole = z.enum(ROLES);

export function isRole(text: string): text is Role {
  return ofRole.safeParse(text).success;
}

/** A role for all entities and jobs, with names and amounts. */
export function everywhere(role: Role): Grant {
  return { role, entity: null, job: null, details: true };
}

export function isEverywhere({ entity, job, details }: Grant): boolean {
  return entity === null && job === null && details;
}

/** The roles that a person has anywhere, each once. */
export function rolesIn(grants: readonly Grant[]): Role[] {
  return [...new Set(grants.map((grant) => grant.role))].sort();
}

/** The grants without those that are in another one, in a fixed order. Administrators are so for all entities and jobs. */
export function cleanGrants(grants: readonly Grant[]): Grant[] {
  const whole = grants.map((grant) =>
    grant.role === 'administrator' ? { ...grant, entity: null, job: null } : { ...grant },
  );
  const kept = whole.filter(
    (grant, at) =>
      !whole.some((other, place) => place !== at && covers(other, grant) && (place < at || !covers(grant, other))),
  );
  return kept.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Whether a grant gives something that none of those before gives. */
export function widens(before: readonly Grant[], grant: Grant): boolean {
  return !before.some((one) => covers(one, grant));
}

function covers(wide: Grant, grant: Grant): boolean {
  const { role, entity, job, details } = wide;
  const isThere = (entity === null || entity === grant.entity) && (job === null || job === grant.job);
  return role === grant.role && isThere && (details || !grant.details);
}

function keyOf({ role, entity, job, details }: Grant): string {
  return JSON.stringify([role, entity ?? ALL, job ?? ALL, !details]);
}

/** The grants of everybody, or of one person, by their ids. */
export async function readGrants(store: PageStore, personId: string | null): Promise<Map<string, Grant[]>> {
  const of = personId === null ? '' : ' WHERE person_id = ?';
  const sql = `SELECT person_id AS "personId", role, entity_id AS entity, job, details FROM person_grant${of}
    ORDER BY role, entity_id, job`;
  const rows = await store.all<GrantRow>(sql, ...(personId === null ? [] : [personId]));
  const grants = new Map<string, Grant[]>();
  for (const { personId: id, role: name, entity, job, details } of rows) {
    const known = ofRole.safeParse(name);
    if (!known.success) continue;
    const place = { entity: entity === ALL ? null : entity, job: job === ALL ? null : job };
    grants.set(id, [...(grants.get(id) ?? []), { role: known.data, ...place, details: Number(details) === 1 }]);
  }
  return grants;
}

/** Puts these in the place of what a person was granted. */
export function writeGrants(store: PageStore, personId: string, grants: readonly Grant[]): Promise<void> {
  return store.transaction(async () => {
    await store.run('DELETE FROM person_grant WHERE person_id = ?', personId);
    for (const { role: name, entity, job, details } of cleanGrants(grants)) {
      const place = { entity_id: entity ?? ALL, job: job ?? ALL };
      await store.insert('person_grant', { person_id: personId, role: name, ...place, details: details ? 1 : 0 });
    }
  });
}
