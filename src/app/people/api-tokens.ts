import { Buffer } from 'node:buffer';
import { hash, hkdfSync } from 'node:crypto';
import type { Role } from './grants.ts';
import { type Inside, randomId, randomLetters } from './store/page-store.ts';

/** What a token may do at most. Nothing of it approves, invites, resets, or makes tokens. */
export const SCOPES = ['uploads:write', 'plans:write', 'runs:start', 'payments:read', 'recipients:read'] as const;

export type Scope = (typeof SCOPES)[number];

const READING = ['preparer', 'approver', 'viewer'] as const;

/** The roles of which the person of a token needs one, each time that it is used. */
export const SCOPE_ROLES: Readonly<Record<Scope, readonly Role[]>> = {
  'uploads:write': ['preparer'],
  'plans:write': ['preparer'],
  'runs:start': ['preparer'],
  'payments:read': READING,
  'recipients:read': READING,
};

/** A token of the API, without the token itself, which is kept nowhere. Times are Unix ms. */
export type ApiToken = {
  id: string;
  personId: string;
  name: string;
  scopes: readonly Scope[];
  /** What signs the plans that are made with it. It is nobody's key, so that no approval can be signed with it. */
  keyFile: string | null;
  publicKey: string | null;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
  revokedAt: number | null;
};

/** By which scanners for secrets recognise one. */
const PREFIX = 'payrun_';
/** Of 5 random bits each. */
const LETTERS = 40;
export const TOKEN = /^payrun_[0-9a-z]{40}$/;

export const TOKEN_LIFETIME_MAX_MS = 365 * 24 * 60 * 60_000;
export const TOKEN_NAME_MAX = 64;
/** More of one person are not in use. */
export const TOKENS_OF_ONE_MAX = 50;
/** How exactly it is kept when a token was last used: not each request is a write. */
const USED_EVERY_MS = 60_000;

const API_TOKEN = `SELECT id, person_id AS "personId", name, scopes, key_file AS "keyFile", public_key AS "publicKey",
    created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt", revoked_at AS "revokedAt" FROM api_token`;

type TokenRow = Omit<ApiToken, 'scopes'> & { scopes: string };

type NewToken = Pick<ApiToken, 'personId' | 'name' | 'scopes' | 'keyFile' | 'publicKey' | 'expiresAt'>;

/** The tokens with which programs act for people: only the SHA-256 of each is kept. */
export class ApiTokens {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  newToken(): string {
    return `${PREFIX}${randomLetters(this.#inside.randomness, LETTERS)}`;
  }

  async add(token: string, { scopes, ...made }: NewToken): Promise<ApiToken> {
    const { store, clock, randomness } = this.#inside;
    const id = randomId(randomness);
    await store.insert('api_token', {
      ...{ id, person_id: made.personId, name: made.name, scopes: scopes.join(' '), token_hash: hashOf(token) },
      ...{ key_file: made.keyFile, public_key: made.publicKey },
      ...{ created_at: clock.wallMs(), expires_at: made.expiresAt },
    });
    return (await this.get(id)) as ApiToken;
  }

  async get(id: string): Promise<ApiToken | null> {
    return (await this.#find('WHERE id = ?', id))[0] ?? null;
  }

  /** Also one that has expired or was revoked; null where it never was one. */
  async byText(token: string): Promise<ApiToken | null> {
    if (!TOKEN.test(token)) return null;
    return (await this.#find('WHERE token_hash = ?', hashOf(token)))[0] ?? null;
  }

  /** Those of a person, or of everybody, newest first; the newest thousand. */
  list(personId: string | null): Promise<ApiToken[]> {
    const order = 'ORDER BY created_at DESC, id LIMIT 1000';
    return personId === null ? this.#find(order) : this.#find(`WHERE person_id = ? ${order}`, personId);
  }

  /** The token that signs with that key (base64url), also one that has expired or was revoked; null where none does. */
  async byPublicKey(publicKey: string): Promise<ApiToken | null> {
    return (await this.#find('WHERE public_key = ?', publicKey))[0] ?? null;
  }

  async noteUsed({ id, usedAt }: ApiToken): Promise<void> {
    const { store, clock } = this.#inside;
    const now = clock.wallMs();
    if (usedAt === null || now - usedAt >= USED_EVERY_MS)
      await store.run('UPDATE api_token SET used_at = ? WHERE id = ?', now, id);
  }

  /** False where it was revoked before. */
  async revoke(id: string): Promise<boolean> {
    const { store, clock } = this.#inside;
    const sql = 'UPDATE api_token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
    return (await store.run(sql, clock.wallMs(), id)) === 1;
  }

  /** Those of a person who comes in anew: somebody else may have made them in their place. Gives those that worked until now. */
  async revokeAll(personId: string): Promise<ApiToken[]> {
    const working = (await this.list(personId)).filter(({ revokedAt }) => revokedAt === null);
    for (const { id } of working) await this.revoke(id);
    return working;
  }

  async #find(where: string, ...values: string[]): Promise<ApiToken[]> {
    const rows = await this.#inside.store.all<TokenRow>(`${API_TOKEN} ${where}`, ...values);
    return rows.map((row) => ({ ...row, scopes: row.scopes.split(' ').filter(isScope) }));
  }
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Whether a person with these roles may give a token that scope, and the token use it. */
export function mayHave(roles: readonly Role[], scope: Scope): boolean {
  return SCOPE_ROLES[scope].some((role) => roles.includes(role));
}

/** What opens the key file of a token: only who has the token has it. */
export function passphraseOf(token: string): string {
  return Buffer.from(hkdfSync('sha256', token, '', 'payrun api token key', 32)).toString('base64url');
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
