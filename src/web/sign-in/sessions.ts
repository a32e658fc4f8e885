import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Clock, Randomness } from '../../domain/clock.ts';
import type { WebStore } from '../store/open.ts';

const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 12 * 60 * 60_000;

const TOKEN_BYTES = 32;
/** More are not people. The oldest end. */
const SESSIONS_MAX = 10_000;
const OF_ONE_PERSON_MAX = 20;

/** One browser in which a person has signed in. */
export type Session = {
  readonly personId: string;
  /** Opens the person's key file; never leaves the memory. */
  passphrase: string;
  /** What a passkey was asked to sign last in this browser; each is good for one answer. */
  challenge: PendingChallenge | null;
  /** A one-time link that was made in this browser, to be shown once. */
  newLink: { personId: string; link: string } | null;
};

/** `for` is what it was made for, such as `register` or `approve R20261125-7K3M9QZ2`; `nonce` is that of an approval. */
export type PendingChallenge = { for: string; challenge: string; nonce: string | null; untilMs: number };

type Kept = { session: Session; begun: Moment; seen: Moment };
type Moment = { wallMs: number; monotonicMs: number };

/**
 * Who has signed in, in memory only: after a restart everybody signs in again. Only the SHA-256 of a token is kept. A
 * session ends after half an hour without a request, and after twelve hours in any case.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock, randomness: Randomness) {
    this.#clock = clock;
    this.#randomness = randomness;
  }

  /** Begins a session and gives its token, which is new each time: none that a browser brings is ever taken. */
  begin(personId: string, passphrase: string): string {
    const token = Buffer.from(this.#randomness.bytes(TOKEN_BYTES)).toString('base64url');
    const now = this.#now();
    this.#makeRoom(personId);
    this.#kept.set(keyOf(token), {
      session: { personId, passphrase, challenge: null, newLink: null },
      begun: now,
      seen: now,
    });
    return token;
  }

  /** The session of a token, or null. `isActivity` where a person did something; what the page asks by itself is none. */
  find(token: string, isActivity: boolean): Session | null {
    const key = keyOf(token);
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    const now = this.#now();
    if (elapsedMs(kept.seen, now) > IDLE_MS || elapsedMs(kept.begun, now) > LONGEST_MS) {
      this.#kept.delete(key);
      return null;
    }
    if (isActivity) kept.seen = now;
    return kept.session;
  }

  /** Whether a session still is one, for what lasts longer than a request. It is no activity. */
  isOpen(session: Session): boolean {
    for (const [key, kept] of this.#kept) {
      if (kept.session !== session) continue;
      const now = this.#now();
      if (elapsedMs(kept.seen, now) <= IDLE_MS && elapsedMs(kept.begun, now) <= LONGEST_MS) return true;
      this.#kept.delete(key);
    }
    return false;
  }

  end(token: string): void {
    this.#kept.delete(keyOf(token));
  }

  /** Ends all of a person's sessions, but for one that is named. */
  endOf(personId: string, except: Session | null = null): void {
    for (const [key, { session }] of this.#kept)
      if (session.personId === personId && session !== except) this.#kept.delete(key);
  }

  #makeRoom(personId: string): void {
    const own = [...this.#kept].filter(([, { session }]) => session.personId === personId);
    for (const [key] of own.slice(0, Math.max(0, own.length + 1 - OF_ONE_PERSON_MAX))) this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= SESSIONS_MAX && oldest !== undefined) this.#kept.delete(oldest);
  }

  #now(): Moment {
    return { wallMs: this.#clock.wallMs(), monotonicMs: this.#clock.monotonicMs() };
  }
}

/** By the clock that says more: one can be set back, the other stands still while the machine sleeps. */
function elapsedMs(from: Moment, to: Moment): number {
  return Math.max(to.wallMs - from.wallMs, to.monotonicMs - from.monotonicMs);
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** So often a password may be wrong before there are pauses: for one name, and for everybody behind one address. */
const FREE = { name: 3, address: 20 } as const;
const PAUSE_MAX_MS = 15 * 60_000;
/** After so long without an attempt it is forgotten. */
const FORGOTTEN_MS = 60 * 60_000;
/** More are somebody who makes names up; the oldest are forgotten. */
const KEPT_MAX = 10_000;

type Tried = { failures: number; atMs: number };

/**
 * Wrong passwords per name or person and per address, with pauses that double: a second after the free ones, a quarter of an hour
 * at most. An attempt counts as wrong when it begins, so that many at once are no way around.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #tried = new Map<string, Tried>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Begins an attempt: 0 where it may be made, else how long to wait (ms); then it does not count. `whom` is whose password
   * it is and how that is known, such as `name anna` and `again 0123456789abcdef`; `address` is null where others behind the
   * same address are not to count.
   */
  begin(whom: string, address: string | null): number {
    const kinds = [
      { key: whom, free: FREE.name },
      ...(address === null ? [] : [{ key: `address ${address}`, free: FREE.address }]),
    ];
    const waitMs = Math.max(...kinds.map(({ key, free }) => this.#waitMs(key, free)));
    if (waitMs > 0) return waitMs;
    for (const { key } of kinds) this.#count(key);
    return 0;
  }

  /** It was right: nothing is held against `whom` any more, and this one not against the address. */
  succeeded(whom: string, address: string | null): void {
    this.#tried.delete(whom);
    const tried = this.#tried.get(`address ${address}`);
    if (tried !== undefined) tried.failures = Math.max(0, tried.failures - 1);
  }

  #waitMs(key: string, free: number): number {
    const tried = this.#tried.get(key);
    if (tried === undefined || tried.failures < free) return 0;
    const pauseMs = Math.min(PAUSE_MAX_MS, 1_000 * 2 ** Math.min(tried.failures - free, 20));
    return Math.max(0, tried.atMs + pauseMs - this.#clock.monotonicMs());
  }

  #count(key: string): void {
    const atMs = this.#clock.monotonicMs();
    const before = this.#tried.get(key);
    const failures = before === undefined || atMs - before.atMs > FORGOTTEN_MS ? 0 : before.failures;
    this.#tried.delete(key);
    this.#tried.set(key, { failures: failures + 1, atMs });
    const [oldest] = this.#tried.keys();
    if (this.#tried.size > KEPT_MAX && oldest !== undefined) this.#tried.delete(oldest);
  }
}

const DEVICES_OF_ONE_PERSON_MAX = 20;

/** So long a browser is known without a sign-in; browsers keep no cookie for longer. */
export const KNOWN_MS = 400 * 24 * 60 * 60_000;

/**
 * The browsers in which each person has signed in. A known one has a budget of wrong passwords of its own, so that nobody
 * who types a name elsewhere keeps its owner out; it grants no permissions. Only the SHA-256 of a token is kept.
 */
export class Devices {
  readonly #store: WebStore;
  readonly #clock: Clock;
  readonly #randomness: Randomness;

  constructor(store: WebStore, clock: Clock, randomness: Randomness) {
    this.#store = store;
    this.#clock = clock;
    this.#randomness = randomness;
  }

  /** Of which device of this person the token is, to be counted by; null where it is of none. */
  find(token: string, personId: string): string | null {
    const sql = 'SELECT 1 FROM known_device WHERE token_hash = ? AND person_id = ? AND seen_at > ?';
    const found = this.#store.get(sql, keyOf(token), personId, this.#clock.wallMs() - KNOWN_MS);
    return found === undefined ? null : keyOf(token);
  }

  /** Remembers that the person has signed in here, and gives the token by which the browser is known next time. */
  remember(personId: string, token: string | null): string {
    const isKnown = token !== null && this.find(token, personId) !== null;
    const kept = isKnown ? token : Buffer.from(this.#randomness.bytes(TOKEN_BYTES)).toString('base64url');
    this.#store.transaction(() => {
      this.#store.run(
        'INSERT INTO known_device VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at',
        keyOf(kept),
        personId,
        this.#clock.wallMs(),
      );
      this.#store.run(
        `DELETE FROM known_device WHERE person_id = ? AND token_hash NOT IN
           (SELECT token_hash FROM known_device WHERE person_id = ? ORDER BY seen_at DESC, token_hash LIMIT ?)`,
        personId,
        personId,
        DEVICES_OF_ONE_PERSON_MAX,
      );
    });
    return kept;
  }
}
