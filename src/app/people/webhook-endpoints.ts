import { Buffer } from 'node:buffer';
import { type Inside, randomId } from './store/page-store.ts';

/** Where a person has events posted, and what signs them (`whsec_…`). Times are Unix ms. */
export type WebhookEndpoint = { id: string; personId: string; url: string; secret: string; createdAt: number };

/** An event for an endpoint, with the bytes that each try posts. */
export type DueWebhook = { key: string; body: string; tries: number };

/** What became of the events of an endpoint. `failure`: of the last try that failed, where it is newer than the last success. */
export type WebhookStanding = { sentAt: number | null; failure: string | null; givenUp: number };

const SECRET_BYTES = 32;
export const ENDPOINTS_OF_ONE_MAX = 10;
/** Sent to one endpoint before the others have their turn. */
const AT_ONCE_MAX = 20;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Before the second try, and so on: two days and a half. After the last one the event is given up. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  48 * HOUR_MS,
];
export const TRIES_MAX = PAUSES_MS.length + 1;

/** How long it is known that an event was posted. */
const KNOWN_MS = 90 * 24 * HOUR_MS;

const ENDPOINT = `SELECT id, person_id AS "personId", url, secret, created_at AS "createdAt" FROM webhook_endpoint
  WHERE removed_at IS NULL`;

/** Where people have events posted, and which were. Each event is posted at least once, by one of the pages that share a store. */
export class WebhookEndpoints {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** By person, oldest first. */
  list(): Promise<WebhookEndpoint[]> {
    return this.#inside.store.all<WebhookEndpoint>(`${ENDPOINT} ORDER BY person_id, created_at, id`);
  }

  async get(id: string): Promise<WebhookEndpoint | null> {
    return (await this.#inside.store.get<WebhookEndpoint>(`${ENDPOINT} AND id = ?`, id)) ?? null;
  }

  /** `known` are the keys of what has happened before: it is not posted. */
  add(personId: string, url: string, known: readonly string[]): Promise<WebhookEndpoint> {
    const { store, clock, randomness } = this.#inside;
    return store.transaction(async () => {
      const id = randomId(randomness);
      const secret = `whsec_${Buffer.from(randomness.bytes(SECRET_BYTES)).toString('base64')}`;
      const createdAt = clock.wallMs();
      await store.insert('webhook_endpoint', { id, person_id: personId, url, secret, created_at: createdAt });
      for (const key of known) await this.#insert(id, key, '', createdAt);
      return { id, personId, url, secret, createdAt };
    });
  }

  /** False where it was removed before. */
  async remove(id: string): Promise<boolean> {
    const { store, clock } = this.#inside;
    const sql = 'UPDATE webhook_endpoint SET removed_at = ? WHERE id = ? AND removed_at IS NULL';
    return (await store.run(sql, clock.wallMs(), id)) === 1;
  }

  /** The keys of the events that are noted for an endpoint. */
  async known(id: string): Promise<Set<string>> {
    const { store, clock } = this.#inside;
    const old = 'DELETE FROM webhook_delivery WHERE endpoint_id = ? AND noted_at < ?';
    await store.run(old, id, clock.wallMs() - KNOWN_MS);
    const rows = await store.all<{ key: string }>('SELECT key FROM webhook_delivery WHERE endpoint_id = ?', id);
    return new Set(rows.map(({ key }) => key));
  }

  /** Notes an event that is to be posted. */
  note(id: string, key: string, body: string): Promise<void> {
    return this.#insert(id, key, body, null);
  }

  /** What is to be posted now, oldest first. */
  due(id: string): Promise<DueWebhook[]> {
    const sql = `SELECT key, body, tries FROM webhook_delivery
      WHERE endpoint_id = ? AND done_at IS NULL AND tries < ? AND next_at <= ? ORDER BY noted_at, key LIMIT ?`;
    return this.#inside.store.all<DueWebhook>(sql, id, TRIES_MAX, this.#inside.clock.wallMs(), AT_ONCE_MAX);
  }

  /** Whether this page is to make the try: nobody else makes it, and where it fails, there is another one after a pause. */
  async claim(id: string, { key, tries }: DueWebhook): Promise<boolean> {
    const next = this.#inside.clock.wallMs() + (PAUSES_MS[tries] ?? 0);
    const sql = `UPDATE webhook_delivery SET tries = tries + 1, next_at = ?
      WHERE endpoint_id = ? AND key = ? AND done_at IS NULL AND tries = ?`;
    return (await this.#inside.store.run(sql, next, id, key, tries)) === 1;
  }

  /** `failure` is null where it was taken. */
  async noteTried(id: string, key: string, failure: string | null): Promise<void> {
    const { store, clock } = this.#inside;
    const done = failure === null ? clock.wallMs() : null;
    const sql = 'UPDATE webhook_delivery SET done_at = ?, failure = ? WHERE endpoint_id = ? AND key = ?';
    await store.run(sql, done, failure, id, key);
  }

  async standing(id: string): Promise<WebhookStanding> {
    const { store } = this.#inside;
    const sent = 'SELECT max(done_at) AS at FROM webhook_delivery WHERE endpoint_id = ? AND tries > 0';
    const failed = `SELECT failure FROM webhook_delivery WHERE endpoint_id = ? AND failure IS NOT NULL
      ORDER BY next_at DESC LIMIT 1`;
    const left =
      'SELECT count(*) AS events FROM webhook_delivery WHERE endpoint_id = ? AND done_at IS NULL AND tries >= ?';
    const sentAt = (await store.get<{ at: number | null }>(sent, id))?.at ?? null;
    return {
      sentAt: sentAt === null ? null : Number(sentAt),
      failure: (await store.get<{ failure: string }>(failed, id))?.failure ?? null,
      givenUp: Number((await store.get<{ events: number }>(left, id, TRIES_MAX))?.events ?? 0),
    };
  }

  async #insert(id: string, key: string, body: string, doneAt: number | null): Promise<void> {
    const { store, clock } = this.#inside;
    const sql = `INSERT INTO webhook_delivery (endpoint_id, key, body, tries, noted_at, next_at, done_at)
      VALUES (?, ?, ?, 0, ?, 0, ?) ON CONFLICT (endpoint_id, key) DO NOTHING`;
    await store.run(sql, id, key, body, clock.wallMs(), doneAt);
  }
}
