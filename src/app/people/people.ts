import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { everywhere, type Grant, type Role, readGrants, rolesIn, writeGrants } from './grants.ts';
import { KEYS } from './store/page-files.ts';
import { type Inside, randomId } from './store/page-store.ts';

/** Live payments, or rehearsals. */
export type OneMode = 'live' | 'test';

export type Person = {
  id: string;
  name: string;
  grants: readonly Grant[];
  /** Those of the grants: what they may do somewhere. What they may do to one payment, their sight says. */
  roles: readonly Role[];
  /** Unix ms; null where the person may come in. */
  lockedAt: number | null;
  createdAt: number;
  /** The mode their lists show; absent for both. */
  mode?: OneMode;
  /** False until they have come in by their invitation. */
  hasComeIn: boolean;
  /** Base64url of their Ed25519 key, and the name of the encrypted file it is in; null until they have come in. */
  publicKey: string | null;
  keyFile: string | null;
};

/** What a person proves who they are with. */
export type Secrets = { password: string; keySalt: string; keyFile: string; publicKey: string };

/** Who a one-time link is for: a person who is known, or the first one; and who made it, where that is known. */
export type Invitation = { person: Person | null; madeBy: string | null };

export type NameFault = 'missing' | 'too_long' | 'unprintable' | 'email';

const INVITATION_MS = 24 * 60 * 60_000;
const INVITATION_BYTES = 32;

export const NAME_MAX = 64;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

const PERSON = `SELECT id, name, locked_at AS "lockedAt", created_at AS "createdAt", public_key AS "publicKey",
    key_file AS "keyFile" FROM person`;

type PersonRow = Omit<Person, 'grants' | 'roles' | 'hasComeIn' | 'mode'>;

/** The people of the page, and how they sign in. */
export class People {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** By name; those that are locked out too. */
  async list(): Promise<Person[]> {
    return this.#find('ORDER BY name_key');
  }

  /** Who has the role, has come in and is not locked out. */
  async withRole(role: Role): Promise<Person[]> {
    return (await this.list()).filter(
      ({ roles, lockedAt, hasComeIn }) => roles.includes(role) && lockedAt === null && hasComeIn,
    );
  }

  async get(id: string): Promise<Person | null> {
    return (await this.#find('WHERE id = ?', id))[0] ?? null;
  }

  /** The name of the person with that id, or `somebody`. */
  async nameOf(id: string): Promise<string> {
    return (await this.get(id))?.name ?? 'somebody';
  }

  async byName(name: string): Promise<Person | null> {
    return (await this.#find('WHERE name_key = ?', nameKey(name)))[0] ?? null;
  }

  async byPublicKey(publicKey: string): Promise<Person | null> {
    return (await this.#find('WHERE public_key = ?', publicKey))[0] ?? null;
  }

  /** The kept password, and the salt of the key's passphrase; null until they have come in. */
  async kept(id: string): Promise<Pick<Secrets, 'password' | 'keySalt'> | null> {
    const sql = 'SELECT password, key_salt AS "keySalt" FROM person WHERE id = ? AND password IS NOT NULL';
    return (await this.#inside.store.get<Pick<Secrets, 'password' | 'keySalt'>>(sql, id)) ?? null;
  }

  /** Adds somebody who has not come in yet. The name has to be free and right: see `nameFault`. */
  async add(name: string, roles: readonly Role[]): Promise<Person> {
    const { store, clock, randomness } = this.#inside;
    return store.transaction(async () => {
      const id = randomId(randomness);
      await store.insert('person', { id, name: name.trim(), name_key: nameKey(name), created_at: clock.wallMs() });
      await this.setRoles(id, roles);
      return (await this.get(id)) as Person;
    });
  }

  /** The roles in the place of those before, for all entities and jobs, with names and amounts. */
  setRoles(id: string, roles: readonly Role[]): Promise<void> {
    return this.setGrants(id, roles.map(everywhere));
  }

  setGrants(id: string, grants: readonly Grant[]): Promise<void> {
    return writeGrants(this.#inside.store, id, grants);
  }

  async setLocked(id: string, isLocked: boolean): Promise<void> {
    const { store, clock } = this.#inside;
    await store.run('UPDATE person SET locked_at = ? WHERE id = ?', isLocked ? clock.wallMs() : null, id);
  }

  async setSecrets(id: string, { password, keySalt, keyFile, publicKey }: Secrets): Promise<void> {
    const sql = 'UPDATE person SET password = ?, key_salt = ?, key_file = ?, public_key = ? WHERE id = ?';
    await this.#inside.store.run(sql, password, keySalt, keyFile, publicKey, id);
  }

  /** The name of a key file that is not there yet. */
  newKeyFile(): string {
    return `${randomId(this.#inside.randomness)}.age`;
  }

  /** Hands the path of a person's key file to `work`, which may use it until it is done. */
  withKey<Result>({ keyFile }: Pick<Person, 'keyFile'>, work: (path: string) => Promise<Result>): Promise<Result> {
    return this.#inside.store.files.useSecret(KEYS, keyFile ?? '', work);
  }

  /** The token of a new one-time link for a person, or for the first one; `madeBy` makes it. The person's earlier ones are void. */
  async invite(personId: string | null, madeBy: string | null = null): Promise<string> {
    const { store, clock, randomness } = this.#inside;
    const token = Buffer.from(randomness.bytes(INVITATION_BYTES)).toString('base64url');
    const now = clock.wallMs();
    await store.transaction(async () => {
      // Each host prints a link for the first person when it starts: the first one that is used counts.
      const isVoided = personId !== null || !store.isShared;
      if (isVoided) await store.run('DELETE FROM invitation WHERE person_id IS NOT DISTINCT FROM ?', personId);
      await store.run('DELETE FROM invitation WHERE expires_at < ?', now);
      const invitation = { token_hash: tokenHash(token), person_id: personId, made_by: madeBy };
      await store.insert('invitation', { ...invitation, expires_at: now + INVITATION_MS });
    });
    return token;
  }

  /** The ids of those who have a link that is still good. */
  async withLink(): Promise<Set<string>> {
    const { store, clock } = this.#inside;
    const sql = 'SELECT person_id AS id FROM invitation WHERE person_id IS NOT NULL AND expires_at >= ?';
    return new Set((await store.all<{ id: string }>(sql, clock.wallMs())).map(({ id }) => id));
  }

  /** Who the link is for; null where it was used, is too old, or never was one. */
  async invitation(token: string): Promise<Invitation | null> {
    const { store, clock } = this.#inside;
    const sql = 'SELECT person_id AS id, made_by AS "madeBy" FROM invitation WHERE token_hash = ? AND expires_at >= ?';
    const found = await store.get<{ id: string | null; madeBy: string | null }>(sql, tokenHash(token), clock.wallMs());
    if (found === undefined) return null;
    if (found.id === null) return (await this.hasFirst()) ? null : { person: null, madeBy: null };
    const person = await this.get(found.id);
    return person === null || person.lockedAt !== null ? null : { person, madeBy: found.madeBy };
  }

  /** Voids the link. False where it was used meanwhile. */
  async useInvitation(token: string): Promise<boolean> {
    return (await this.#inside.store.run('DELETE FROM invitation WHERE token_hash = ?', tokenHash(token))) === 1;
  }

  /** Voids every link that this person made. */
  async voidLinksBy(id: string): Promise<void> {
    await this.#inside.store.run('DELETE FROM invitation WHERE made_by = ?', id);
  }

  /** Whether the first person has come in. */
  async hasFirst(): Promise<boolean> {
    return (await this.list()).some(({ hasComeIn }) => hasComeIn);
  }

  /** Whether nobody else could manage people. */
  async isLastAdministrator(id: string): Promise<boolean> {
    return (await this.withRole('administrator')).every((person) => person.id === id);
  }

  /** All of them, or the one that a value names. */
  async #find(where: string, ...values: string[]): Promise<Person[]> {
    const { store } = this.#inside;
    const rows = await store.all<PersonRow>(`${PERSON} ${where}`, ...values);
    if (rows.length === 0) return [];
    const all = await readGrants(store, values.length === 0 ? null : (rows[0]?.id ?? null));
    return rows.map((row) => {
      const grants = all.get(row.id) ?? [];
      return { ...row, grants, roles: rolesIn(grants), hasComeIn: row.publicKey !== null };
    });
  }
}

/** What is wrong with a name; null where nothing is. Approvals of a plan name people by it. */
export function nameFault(name: string): NameFault | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'missing';
  if (trimmed.length > NAME_MAX) return 'too_long';
  if (UNPRINTABLE.test(trimmed)) return 'unprintable';
  // The runner takes what stands before the @ of an account for its person: no two people may be taken for one.
  return trimmed.includes('@') ? 'email' : null;
}

/** By which two names count as one. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}
