import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Clock, Randomness } from '../../domain/clock.ts';
import type { WebStore } from '../store/open.ts';

const TOKEN_BYTES = 32;
const OF_ONE_PERSON_MAX = 20;

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
        OF_ONE_PERSON_MAX,
      );
    });
    return kept;
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
