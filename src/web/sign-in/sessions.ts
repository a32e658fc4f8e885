import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { ROLES } from '../../app/people/grants.ts';
import type { OneMode } from '../../app/people/people.ts';
import type { Inside } from '../../app/people/store/page-store.ts';
import type { Randomness } from '../../platform/clock.ts';
import { Seal } from './seal.ts';

const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 12 * 60 * 60_000;
/** How long a person may take for the second factor. */
const HALF_MS = 10 * 60_000;
/** How exactly it is kept when somebody was last active: not each request is a write. */
const SEEN_EVERY_MS = 5_000;

const TOKEN_BYTES = 32;
/** More are not people. The oldest end. */
const SESSIONS_MAX = 10_000;
const SESSIONS_OF_ONE_MAX = 20;

/** One browser in which a person has signed in. */
export type Session = {
  /** By which it is kept: the SHA-256 of its token. */
  readonly key: string;
  readonly personId: string;
  /** Opens the person's key file. */
  readonly passphrase: string;
  readonly seal: Seal;
  /** Whether the password or the second factor is still to be proven: it is good for that, and for nothing else. */
  readonly isHalf: boolean;
  /** What the provider said, where the person signed in there; a half session of one has no passphrase yet. */
  readonly provider: FromProvider | null;
  /** The entity that lists are narrowed to; null for all. */
  readonly entityId: string | null;
  /** The mode lists show; null for both. */
  readonly mode: OneMode | null;
};

const fromProvider = z.object({
  subject: z.string(),
  /** Names them to the provider when they sign out there. */
  idToken: z.string(),
  /** By the groups that they have there. */
  roles: z.array(z.enum(ROLES)),
});

/** Who signed in at the provider, by its answer. */
export type FromProvider = z.output<typeof fromProvider>;

/** `for` is what it was made for, such as `register` or `approve R20261125-7K3M9QZ2`; `nonce` is that of an approval. */
export type PendingChallenge = z.output<typeof pendingChallenge>;

const pendingChallenge = z.object({
  for: z.string(),
  challenge: z.string(),
  nonce: z.string().nullable(),
  /** By the clock of what the page keeps. */
  untilMs: z.number(),
});

/** A one-time link that was made in this browser, to be shown once. */
const newLink = z.object({ personId: z.string(), link: z.string() });

type NewLink = z.output<typeof newLink>;

type SessionRow = {
  person_id: string;
  passphrase: string;
  begun_at: number;
  seen_at: number;
  is_half: number;
  provider: string | null;
  entity_id: string | null;
  mode: OneMode | null;
};

/**
 * Who has signed in: until a page on this machine alone ends, and for all hosts that share a database. Only the SHA-256 of a
 * token is kept, and what is secret of a session is encrypted with the token, so a copy of the database opens no key. A
 * session ends after half an hour without a request, and after twelve hours in any case.
 */
export class Sessions {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** Begins a session and gives its token, which is new each time: none that a browser brings is ever taken. */
  async begin(
    personId: string,
    passphrase: string,
    { isHalf = false, provider = null }: { isHalf?: boolean; provider?: FromProvider | null } = {},
  ): Promise<string> {
    const { store, randomness } = this.#inside;
    const token = newToken(randomness);
    await store.transaction(async () => {
      const now = await store.now();
      const is_half = isHalf ? 1 : 0;
      await this.#makeRoom(personId, is_half, now);
      const seal = new Seal(token, randomness);
      const sealed = { passphrase: seal.close(passphrase), provider: provider && seal.close(JSON.stringify(provider)) };
      const kept = { token_hash: keyOf(token), person_id: personId, ...sealed, is_half };
      await store.insert('session', { ...kept, begun_at: now, seen_at: now });
    });
    return token;
  }

  /** The session of a token, or null. `isActivity` where a person did something; what the page asks on its own is none. */
  async find(token: string, isActivity: boolean): Promise<Session | null> {
    const { store, randomness } = this.#inside;
    const key = keyOf(token);
    const now = await store.now();
    const row = await this.#live(key, now);
    if (row === null) return null;
    if (isActivity && now - row.seen_at >= SEEN_EVERY_MS)
      await store.run('UPDATE session SET seen_at = ? WHERE token_hash = ?', now, key);
    const seal = new Seal(token, randomness);
    const provider = row.provider === null ? null : fromProvider.parse(JSON.parse(seal.open(row.provider)));
    const passphrase = seal.open(row.passphrase);
    const { person_id: personId, entity_id: entityId, mode } = row;
    return { key, personId, passphrase, seal, isHalf: row.is_half === 1, provider, entityId, mode };
  }

  /** Whether a session still is one, for what lasts longer than a request. It is no activity. */
  async isOpen({ key }: Session): Promise<boolean> {
    return (await this.#live(key, await this.#inside.store.now())) !== null;
  }

  async end(token: string): Promise<void> {
    await this.#inside.store.run('DELETE FROM session WHERE token_hash = ?', keyOf(token));
  }

  /** Ends all of a person's sessions. */
  async endOf(personId: string): Promise<void> {
    await this.#inside.store.run('DELETE FROM session WHERE person_id = ?', personId);
  }

  /** Notes what a passkey is asked to sign in this browser; what was asked before is forgotten. */
  async ask({ key }: Session, { lastsMs, ...asked }: Omit<PendingChallenge, 'untilMs'> & { lastsMs: number }) {
    const { store } = this.#inside;
    const kept = JSON.stringify({ ...asked, untilMs: (await store.now()) + lastsMs } satisfies PendingChallenge);
    await store.run('UPDATE session SET challenge = ? WHERE token_hash = ?', kept, key);
  }

  /** What was asked for this, in time. It is forgotten: each challenge takes one answer, on one host. */
  async takeChallenge(session: Session, what: string): Promise<PendingChallenge | null> {
    const text = await this.#take(session, 'challenge');
    const asked = text === null ? null : pendingChallenge.parse(JSON.parse(text));
    return asked !== null && asked.for === what && asked.untilMs >= (await this.#inside.store.now()) ? asked : null;
  }

  /** Sets the entity and mode of this session's lists. */
  async narrow({ key }: Session, { entityId, mode }: Pick<Session, 'entityId' | 'mode'>): Promise<void> {
    const sql = 'UPDATE session SET entity_id = ?, mode = ? WHERE token_hash = ?';
    await this.#inside.store.run(sql, entityId, mode, key);
  }

  async setNewLink({ key, seal }: Session, link: NewLink): Promise<void> {
    const kept = seal.close(JSON.stringify(link));
    await this.#inside.store.run('UPDATE session SET new_link = ? WHERE token_hash = ?', kept, key);
  }

  /** The link that is to be shown once; the next one who asks gets none. */
  async takeNewLink(session: Session): Promise<NewLink | null> {
    const text = await this.#take(session, 'new_link');
    return text === null ? null : newLink.parse(JSON.parse(session.seal.open(text)));
  }

  async #take({ key }: Session, column: 'challenge' | 'new_link'): Promise<string | null> {
    const { store } = this.#inside;
    const sql = `SELECT ${column} AS text FROM session WHERE token_hash = ?`;
    // Pages are shown more often than there is something to take.
    if (((await store.get<{ text: string | null }>(sql, key))?.text ?? null) === null) return null;
    return store.transaction(async () => {
      const found = await store.get<{ text: string | null }>(sql, key);
      await store.run(`UPDATE session SET ${column} = NULL WHERE token_hash = ?`, key);
      return found?.text ?? null;
    });
  }

  async #live(key: string, now: number): Promise<SessionRow | null> {
    const sql = `SELECT person_id, passphrase, begun_at, seen_at, is_half, provider, entity_id, mode FROM session
      WHERE token_hash = ? AND seen_at >= ? AND begun_at >= ? AND (is_half = 0 OR begun_at >= ?)`;
    const times = [now - IDLE_MS, now - LONGEST_MS, now - HALF_MS] as const;
    return (await this.#inside.store.get<SessionRow>(sql, key, ...times)) ?? null;
  }

  /** Who knows only a password ends no session of its owner. */
  async #makeRoom(personId: string, isHalf: number, now: number): Promise<void> {
    const { store } = this.#inside;
    await store.run('DELETE FROM session WHERE seen_at < ? OR begun_at < ?', now - IDLE_MS, now - LONGEST_MS);
    const older =
      'SELECT token_hash FROM session WHERE person_id = ? AND is_half = ? ORDER BY begun_at DESC, token_hash';
    const own = await store.all<{ token_hash: string }>(older, personId, isHalf);
    const all = await store.all<{ token_hash: string }>(
      'SELECT token_hash FROM session ORDER BY begun_at DESC, token_hash LIMIT ? OFFSET ?',
      SESSIONS_MAX,
      SESSIONS_MAX - 1,
    );
    for (const { token_hash } of [...own.slice(SESSIONS_OF_ONE_MAX - 1), ...all])
      await store.run('DELETE FROM session WHERE token_hash = ?', token_hash);
  }
}

export function newToken(randomness: Randomness): string {
  return Buffer.from(randomness.bytes(TOKEN_BYTES)).toString('base64url');
}

export function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
