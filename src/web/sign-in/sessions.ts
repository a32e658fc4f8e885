import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Inside } from '../../app/people/page-store.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import { Recent } from '../once.ts';

const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 12 * 60 * 60_000;

const TOKEN_BYTES = 32;
/** More are not people. The oldest end. */
const SESSIONS_MAX = 10_000;
const SESSIONS_OF_ONE_MAX = 20;
const DEVICES_OF_ONE_MAX = 20;

/** How long a browser is known without a sign-in; browsers keep no cookie for longer. */
export const KNOWN_MS = 400 * 24 * 60 * 60_000;

/** How often a password may be wrong before there are pauses: for one name, and for everybody behind one address. */
const FREE = { name: 3, address: 20 } as const;
const PAUSE_MAX_MS = 15 * 60_000;
/** After this long without an attempt it is forgotten. */
const FORGOTTEN_MS = 60 * 60_000;
/** More are somebody who makes names up; the oldest are forgotten. */
const TRIED_MAX = 10_000;

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

type Moment = { wallMs: number; monotonicMs: number };
type KeptSession = { session: Session; begun: Moment; seen: Moment };

/**
 * Who has signed in, in memory only: after a restart everybody signs in again. Only the SHA-256 of a token is kept. A
 * session ends after half an hour without a request, and after twelve hours in any case.
 */
export class Sessions {
  readonly #deps: { clock: Clock; randomness: Randomness };
  readonly #kept = new Map<string, KeptSession>();

  constructor(deps: { clock: Clock; randomness: Randomness }) {
    this.#deps = deps;
  }

  /** Begins a session and gives its token, which is new each time: none that a browser brings is ever taken. */
  begin(personId: string, passphrase: string): string {
    const token = newToken(this.#deps.randomness);
    const now = this.#now();
    const session: Session = { personId, passphrase, challenge: null, newLink: null };
    this.#makeRoom(personId);
    this.#kept.set(keyOf(token), { session, begun: now, seen: now });
    return token;
  }

  /** The session of a token, or null. `isActivity` where a person did something; what the page asks on its own is none. */
  find(token: string, isActivity: boolean): Session | null {
    const kept = this.#live(keyOf(token));
    if (kept !== null && isActivity) kept.seen = this.#now();
    return kept?.session ?? null;
  }

  /** Whether a session still is one, for what lasts longer than a request. It is no activity. */
  isOpen(session: Session): boolean {
    for (const [key, kept] of this.#kept) if (kept.session === session) return this.#live(key) !== null;
    return false;
  }

  end(token: string): void {
    this.#kept.delete(keyOf(token));
  }

  /** Ends all of a person's sessions. */
  endOf(personId: string): void {
    for (const [key, { session }] of this.#kept) if (session.personId === personId) this.#kept.delete(key);
  }

  #live(key: string): KeptSession | null {
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    const now = this.#now();
    if (elapsedMs(kept.seen, now) <= IDLE_MS && elapsedMs(kept.begun, now) <= LONGEST_MS) return kept;
    this.#kept.delete(key);
    return null;
  }

  #makeRoom(personId: string): void {
    const own = [...this.#kept].filter(([, { session }]) => session.personId === personId);
    for (const [key] of own.slice(0, Math.max(0, own.length + 1 - SESSIONS_OF_ONE_MAX))) this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= SESSIONS_MAX && oldest !== undefined) this.#kept.delete(oldest);
  }

  #now(): Moment {
    const { clock } = this.#deps;
    return { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
  }
}

/** By the clock that says more: one can be set back, the other stands still while the machine sleeps. */
function elapsedMs(from: Moment, to: Moment): number {
  return Math.max(to.wallMs - from.wallMs, to.monotonicMs - from.monotonicMs);
}

/**
 * The browsers in which each person has signed in. A known one has a budget of wrong passwords of its own, so that nobody
 * who types a name elsewhere keeps its owner out; it grants no permissions. Only the SHA-256 of a token is kept.
 */
export class Devices {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** The key by which attempts in this person's browser are counted; null where the token is of none of theirs. */
  find(token: string, personId: string): string | null {
    const { store, clock } = this.#inside;
    const sql = 'SELECT 1 FROM known_device WHERE token_hash = ? AND person_id = ? AND seen_at > ?';
    const found = store.get(sql, keyOf(token), personId, clock.wallMs() - KNOWN_MS);
    return found === undefined ? null : keyOf(token);
  }

  /** Remembers that the person has signed in here, and gives the token by which the browser is known next time. */
  remember(personId: string, token: string | null): string {
    const { store, clock, randomness } = this.#inside;
    const isKnown = token !== null && this.find(token, personId) !== null;
    const kept = isKnown ? token : newToken(randomness);
    store.transaction(() => {
      const added = 'INSERT INTO known_device VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at';
      store.run(added, keyOf(kept), personId, clock.wallMs());
      const tooMany = `DELETE FROM known_device WHERE person_id = ? AND token_hash NOT IN
        (SELECT token_hash FROM known_device WHERE person_id = ? ORDER BY seen_at DESC, token_hash LIMIT ?)`;
      store.run(tooMany, personId, personId, DEVICES_OF_ONE_MAX);
    });
    return kept;
  }
}

type Tried = { failures: number; atMs: number };

/**
 * Wrong passwords per name or person and per address, with pauses that double: a second after the free ones, a quarter of
 * an hour at most. An attempt counts as wrong when it begins, so that many at once are no way around.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #tried = new Recent<Tried>(TRIED_MAX);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Begins an attempt: 0 where it may be made, else how long to wait (ms); then it does not count. `key` names the person
   * whose password it is and how they are known, such as `name anna` and `again 0123456789abcdef`; `address` is null where
   * others behind the same address are not to count.
   */
  begin(key: string, address: string | null): number {
    const budgets: [key: string, free: number][] = [[key, FREE.name]];
    if (address !== null) budgets.push([`address ${address}`, FREE.address]);
    const waitMs = Math.max(...budgets.map(([each, free]) => this.#waitMs(each, free)));
    if (waitMs > 0) return waitMs;
    for (const [each] of budgets) this.#count(each);
    return 0;
  }

  /** It was right: nothing is held against the person any more, and this one not against the address. */
  succeeded(key: string, address: string | null): void {
    this.#tried.delete(key);
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
    this.#tried.set(key, { failures: failures + 1, atMs });
  }
}

function newToken(randomness: Randomness): string {
  return Buffer.from(randomness.bytes(TOKEN_BYTES)).toString('base64url');
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
