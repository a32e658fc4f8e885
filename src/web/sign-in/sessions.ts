import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Clock, Randomness } from '../../domain/clock.ts';

export const IDLE_MS = 30 * 60_000;
export const LONGEST_MS = 12 * 60 * 60_000;

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

/** `for` is what it was made for, such as `register` or `approve R20261125-7K3M9QZ2`. */
export type PendingChallenge = { for: string; challenge: string; data: unknown; untilMs: number };

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
