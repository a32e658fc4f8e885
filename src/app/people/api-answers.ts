import type { Inside } from './store/page-store.ts';

/** An answer that is given again to the same request. `body` is JSON. */
export type KeptAnswer = { status: number; body: string };

/** What is known of an idempotency key: the request that it came with first, and its answer, once there is one. */
export type KnownRequest = { request: string; answer: KeptAnswer | null };

const KEPT_MS = 24 * 60 * 60_000;

type AnswerRow = { request: string; status: number | null; body: string | null };

/** The answers to requests with an idempotency key, for 24 hours; they outlive the page. Keys belong to a token. */
export class ApiAnswers {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /**
   * Notes that the request is begun, on disk when it resolves; or gives what is known of the key. One without an answer was cut
   * off before it had one.
   */
  begin(tokenId: string, key: string, request: string): Promise<KnownRequest | null> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      await store.run('DELETE FROM api_answer WHERE begun_at < ?', clock.wallMs() - KEPT_MS);
      const sql = 'SELECT request, status, body FROM api_answer WHERE token_id = ? AND key = ?';
      const known = await store.get<AnswerRow>(sql, tokenId, key);
      if (known !== undefined) return knownOf(known);
      await store.insert('api_answer', { token_id: tokenId, key, request, begun_at: clock.wallMs() });
      return null;
    });
  }

  async keep(tokenId: string, key: string, { status, body }: KeptAnswer): Promise<void> {
    const sql = 'UPDATE api_answer SET status = ?, body = ? WHERE token_id = ? AND key = ?';
    await this.#inside.store.run(sql, status, body, tokenId, key);
  }

  /** The request did nothing, and may be made again with the same key. */
  async forget(tokenId: string, key: string): Promise<void> {
    await this.#inside.store.run('DELETE FROM api_answer WHERE token_id = ? AND key = ?', tokenId, key);
  }
}

function knownOf({ request, status, body }: AnswerRow): KnownRequest {
  return { request, answer: status === null || body === null ? null : { status, body } };
}
