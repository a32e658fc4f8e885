import type { Inside } from '../../app/people/store/page-store.ts';

/** After so many times a mail is given up. */
const TRIES_MAX = 5;
/** Between two tries: a page that was killed while it sent is taken to have sent nothing. */
const TRY_AGAIN_MS = 300_000;

/**
 * Which mails each person was sent, each once. Where pages share a database, one of them sends each. A page that is killed between
 * handing a mail over and noting it sends that mail twice.
 */
export class Outbox {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** Notes what a person already knows, so that no mail is sent about it. */
  async skip(personId: string, keys: readonly string[]): Promise<void> {
    const { store, clock } = this.#inside;
    const sql = `INSERT INTO notice (person_id, key, tries, tried_at, sent_at) VALUES (?, ?, 0, 0, ?)
      ON CONFLICT (person_id, key) DO NOTHING`;
    await store.transaction(async () => {
      for (const key of keys) await store.run(sql, personId, key, clock.wallMs());
    });
  }

  /** Whether this page is to send the mail now. Nobody else sends it for `TRY_AGAIN_MS`. */
  async claim(personId: string, key: string): Promise<boolean> {
    const { store, clock } = this.#inside;
    const now = clock.wallMs();
    const insert = `INSERT INTO notice (person_id, key, tries, tried_at) VALUES (?, ?, 0, 0)
      ON CONFLICT (person_id, key) DO NOTHING`;
    await store.run(insert, personId, key);
    const claim = `UPDATE notice SET tries = tries + 1, tried_at = ?
      WHERE person_id = ? AND key = ? AND sent_at IS NULL AND tries < ? AND tried_at <= ?`;
    return (await store.run(claim, now, personId, key, TRIES_MAX, now - TRY_AGAIN_MS)) === 1;
  }

  async noteSent(personId: string, key: string): Promise<void> {
    const { store, clock } = this.#inside;
    await store.run('UPDATE notice SET sent_at = ? WHERE person_id = ? AND key = ?', clock.wallMs(), personId, key);
  }

  /** How many mails to this person were given up, and when the last of them was tried (Unix ms). */
  async givenUp(personId: string): Promise<{ mails: number; at: number | null }> {
    const sql = `SELECT count(*) AS mails, max(tried_at) AS at FROM notice
      WHERE person_id = ? AND sent_at IS NULL AND tries >= ?`;
    const row = await this.#inside.store.get<{ mails: number; at: number | null }>(sql, personId, TRIES_MAX);
    return { mails: Number(row?.mails ?? 0), at: row?.at == null ? null : Number(row.at) };
  }
}
