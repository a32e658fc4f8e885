import type { Inside } from '../../app/people/store/page-store.ts';
import { keyOf, newToken } from './sessions.ts';

/** How long a browser stays known without a sign-in. Browsers keep no cookie for longer. */
export const KNOWN_MS = 400 * 24 * 60 * 60_000;

/** One person hardly has more. The oldest are forgotten. */
const DEVICES_OF_ONE_MAX = 20;

/**
 * The browsers each person has signed in with. A known browser has its own budget of wrong passwords, so that guesses
 * made elsewhere cannot lock the owner out. It grants no permissions. Only the SHA-256 of a token is kept.
 */
export class Devices {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** The key for counting attempts in this person's browser; null if the token is not theirs. */
  async find(token: string, personId: string): Promise<string | null> {
    const { store, clock } = this.#inside;
    const sql = 'SELECT 1 FROM known_device WHERE token_hash = ? AND person_id = ? AND seen_at > ?';
    const found = await store.get(sql, keyOf(token), personId, clock.wallMs() - KNOWN_MS);
    return found === undefined ? null : keyOf(token);
  }

  /** Remembers this browser, and returns the token that identifies it next time. */
  async remember(personId: string, token: string | null): Promise<string> {
    const { store, clock, randomness } = this.#inside;
    const isKnown = token !== null && (await this.find(token, personId)) !== null;
    const kept = isKnown ? token : newToken(randomness);
    await store.transaction(async () => {
      const added = `INSERT INTO known_device (token_hash, person_id, seen_at) VALUES (?, ?, ?)
        ON CONFLICT (token_hash) DO UPDATE SET seen_at = excluded.seen_at`;
      await store.run(added, keyOf(kept), personId, clock.wallMs());
      const tooMany = `DELETE FROM known_device WHERE person_id = ? AND token_hash NOT IN
        (SELECT token_hash FROM known_device WHERE person_id = ? ORDER BY seen_at DESC, token_hash LIMIT ?)`;
      await store.run(tooMany, personId, personId, DEVICES_OF_ONE_MAX);
    });
    return kept;
  }
}
