import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock, Randomness } from '../../domain/clock.ts';
import type { Row } from '../../platform/sqlite.ts';
import { randomId, type WebStore } from '../store/open.ts';

export type Person = {
  id: string;
  name: string;
  roles: readonly Role[];
  /** Unix ms; null where the person may come in. */
  lockedAt: number | null;
  createdAt: number;
  /** False until they have come in by their invitation. */
  hasComeIn: boolean;
  /** Base64url of their Ed25519 key, and the encrypted file it is in; null until they have come in. */
  publicKey: string | null;
  keyFile: string | null;
};

/** What a person proves themself with. */
export type Secrets = { password: string; keySalt: string; keyFile: string; publicKey: string };

/** Whom a one-time link lets in: a person who is known, or the first one; and who made it, where that is known. */
export type Invitation = { person: Person | null; madeBy: string | null };

const INVITATION_MS = 24 * 60 * 60_000;
const INVITATION_BYTES = 32;

export const NAME_MAX = 64;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

/** Who may use the page, and by what they are known. */
export class People {
  readonly #store: WebStore;
  readonly #clock: Clock;
  readonly #randomness: Randomness;

  constructor(store: WebStore, clock: Clock, randomness: Randomness) {
    this.#store = store;
    this.#clock = clock;
    this.#randomness = randomness;
  }

  /** By name; those that are locked out too. */
  list(): Person[] {
    return this.#store.all('SELECT * FROM person ORDER BY name_key').map((row) => this.#personOf(row));
  }

  /** Who has the role, has come in and is not locked out. */
  withRole(role: Role): Person[] {
    return this.list().filter(
      ({ roles, lockedAt, hasComeIn }) => roles.includes(role) && lockedAt === null && hasComeIn,
    );
  }

  get(id: string): Person | null {
    return this.#one('SELECT * FROM person WHERE id = ?', id);
  }

  byName(name: string): Person | null {
    return this.#one('SELECT * FROM person WHERE name_key = ?', nameKey(name));
  }

  byPublicKey(publicKey: string): Person | null {
    return this.#one('SELECT * FROM person WHERE public_key = ?', publicKey);
  }

  /** What is kept of the password, and the salt of the key's passphrase; null until they have come in. */
  kept(id: string): { password: string; keySalt: string } | null {
    const row = this.#store.get('SELECT password, key_salt FROM person WHERE id = ?', id);
    if (row === undefined || row.password === null) return null;
    return { password: String(row.password), keySalt: String(row.key_salt) };
  }

  /** Adds somebody who has not come in yet. The name has to be free and right: see `nameFault`. */
  add(name: string, roles: readonly Role[]): Person {
    return this.#store.transaction(() => {
      const id = randomId(this.#randomness);
      const now = this.#clock.wallMs();
      this.#store.run(
        'INSERT INTO person (id, name, name_key, created_at) VALUES (?, ?, ?, ?)',
        id,
        name.trim(),
        nameKey(name),
        now,
      );
      this.setRoles(id, roles);
      return this.get(id) as Person;
    });
  }

  setRoles(id: string, roles: readonly Role[]): void {
    this.#store.transaction(() => {
      this.#store.run('DELETE FROM person_role WHERE person_id = ?', id);
      for (const role of new Set(roles)) this.#store.run('INSERT INTO person_role VALUES (?, ?)', id, role);
    });
  }

  setLocked(id: string, isLocked: boolean): void {
    this.#store.run('UPDATE person SET locked_at = ? WHERE id = ?', isLocked ? this.#clock.wallMs() : null, id);
  }

  setSecrets(id: string, { password, keySalt, keyFile, publicKey }: Secrets): void {
    this.#store.run(
      'UPDATE person SET password = ?, key_salt = ?, key_file = ?, public_key = ? WHERE id = ?',
      password,
      keySalt,
      keyFile,
      publicKey,
      id,
    );
  }

  /** The name of a key file that is not there yet. */
  newKeyFile(): string {
    return `${randomId(this.#randomness)}.age`;
  }

  keyPath(file: string): string {
    return join(this.#store.folder, 'keys', file);
  }

  /** The token of a new one-time link for a person, or for the first one; who makes it. The person's earlier ones are void. */
  invite(personId: string | null, madeBy: string | null = null): string {
    const token = Buffer.from(this.#randomness.bytes(INVITATION_BYTES)).toString('base64url');
    this.#store.transaction(() => {
      this.#store.run('DELETE FROM invitation WHERE person_id IS ? OR expires_at < ?', personId, this.#clock.wallMs());
      const until = this.#clock.wallMs() + INVITATION_MS;
      this.#store.run('INSERT INTO invitation VALUES (?, ?, ?, ?)', tokenHash(token), personId, until, madeBy);
    });
    return token;
  }

  /** Whom the link lets in; null where it was used, is too old, or never was one. */
  invitation(token: string): Invitation | null {
    const row = this.#store.get(
      'SELECT person_id, expires_at, made_by FROM invitation WHERE token_hash = ?',
      tokenHash(token),
    );
    if (row === undefined || Number(row.expires_at) < this.#clock.wallMs()) return null;
    if (row.person_id === null)
      return this.list().some(({ hasComeIn }) => hasComeIn) ? null : { person: null, madeBy: null };
    const person = this.get(String(row.person_id));
    const madeBy = row.made_by === null ? null : String(row.made_by);
    return person === null || person.lockedAt !== null ? null : { person, madeBy };
  }

  /** Voids the link. False where it was used meanwhile. */
  useInvitation(token: string): boolean {
    return this.#store.run('DELETE FROM invitation WHERE token_hash = ?', tokenHash(token)) === 1;
  }

  /** Voids every link that this person made. */
  voidLinksBy(id: string): void {
    this.#store.run('DELETE FROM invitation WHERE made_by = ?', id);
  }

  /** Whether somebody else could still manage people. */
  isLastAdministrator(id: string): boolean {
    return this.withRole('administrator').every((person) => person.id === id);
  }

  #one(sql: string, value: string): Person | null {
    const row = this.#store.get(sql, value);
    return row === undefined ? null : this.#personOf(row);
  }

  #personOf(row: Row): Person {
    const id = String(row.id);
    const roles = this.#store
      .all('SELECT role FROM person_role WHERE person_id = ?', id)
      .map(({ role }) => String(role))
      .filter(isRole);
    return {
      id,
      name: String(row.name),
      roles,
      lockedAt: row.locked_at === null ? null : Number(row.locked_at),
      createdAt: Number(row.created_at),
      hasComeIn: row.password !== null,
      publicKey: row.public_key === null ? null : String(row.public_key),
      keyFile: row.key_file === null ? null : this.keyPath(String(row.key_file)),
    };
  }
}

/** What is wrong with a name, in words; null where nothing is. It is also what an approval of a plan is given under. */
export function nameFault(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'Write a name.';
  if (trimmed.length > NAME_MAX) return `Write at most ${NAME_MAX} letters.`;
  if (UNPRINTABLE.test(trimmed)) return 'Write a name of letters that can be seen.';
  // Before the @ of an account the runner looks for who made a plan: two people must never be taken for one.
  return trimmed.includes('@') ? 'Write a name, and no e-mail address.' : null;
}

function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** What a person may do on the page; one may have several. An administrator does not thereby prepare or approve. */
export type Role = (typeof ROLES)[number];

export const ROLES = ['preparer', 'approver', 'viewer', 'administrator'] as const;

export const ROLE_WORDS: Readonly<Record<Role, { label: string; means: string }>> = {
  preparer: { label: 'Preparer', means: 'uploads files, makes plans, starts approved runs' },
  approver: { label: 'Approver', means: 'approves plans that others made' },
  viewer: { label: 'Viewer', means: 'sees runs and reports, changes nothing' },
  administrator: { label: 'Administrator', means: 'invites people, changes roles, locks people out' },
};

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}
