import { type Inside, randomId } from '../app/people/store/page-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** How long work counts as under way without a sign of life of the host that does it. */
const CLAIM_MS = 15_000;
const SIGN_EVERY_MS = 5_000;
/** Claims left by crashed hosts are deleted after this time. */
const FORGOTTEN_MS = 3_600_000;

/** Work that this host does, and no other one meanwhile. */
export type Claim = { release(): Promise<void> };

/**
 * Work of which one is under way at a time, on whichever host: the check of an upload, the making of a plan, an act on a run.
 * Where the host dies it is over some seconds later, for every other host.
 */
export class SharedWork {
  readonly #inside: Inside & { clock: Clock; log: Log };
  readonly #closing = new AbortController();

  constructor(inside: Inside & { clock: Clock; log: Log }) {
    this.#inside = inside;
  }

  /** Null where it is under way already. `what` names what is done, for those who ask. */
  async take(key: string, what: string): Promise<Claim | null> {
    const { store, randomness } = this.#inside;
    const claim = randomId(randomness);
    const isTaken = await store.transaction(async () => {
      const now = await store.now();
      if ((await this.#find(key, now)) !== null) return false;
      // A page alone ends with all that it does.
      const until = store.isShared ? now + CLAIM_MS : Number.MAX_SAFE_INTEGER;
      await store.run('DELETE FROM work WHERE key = ? OR until < ?', key, now - FORGOTTEN_MS);
      await store.insert('work', { key, claim, what, until });
      return true;
    });
    if (!isTaken) return null;
    const over = new AbortController();
    if (store.isShared) void this.#showLife(key, claim, AbortSignal.any([over.signal, this.#closing.signal]));
    return {
      release: async () => {
        over.abort();
        await this.#logged(key, store.run('DELETE FROM work WHERE key = ? AND claim = ?', key, claim));
      },
    };
  }

  /** What is under way; null where nothing is. */
  async underWay(key: string): Promise<string | null> {
    return this.#find(key, await this.#inside.store.now());
  }

  /** All current work whose key starts with `begin`. */
  async allUnderWay(begin: string): Promise<{ key: string; what: string }[]> {
    const { store } = this.#inside;
    return store.all('SELECT key, what FROM work WHERE key LIKE ? AND until > ?', `${begin}%`, await store.now());
  }

  /** What this host does goes on, and counts as over soon. */
  close(): void {
    this.#closing.abort();
  }

  async #find(key: string, now: number): Promise<string | null> {
    const sql = 'SELECT what FROM work WHERE key = ? AND until > ?';
    return (await this.#inside.store.get<{ what: string }>(sql, key, now))?.what ?? null;
  }

  async #showLife(key: string, claim: string, over: AbortSignal): Promise<void> {
    const { store, clock } = this.#inside;
    while (!over.aborted) {
      await clock.sleep(SIGN_EVERY_MS, over);
      if (over.aborted) return;
      const moved = async () => {
        const until = (await store.now()) + CLAIM_MS;
        await store.run('UPDATE work SET until = ? WHERE key = ? AND claim = ?', until, key, claim);
      };
      await this.#logged(key, moved());
    }
  }

  /** Where the database is away it is over for the others in any case. */
  async #logged(key: string, noted: Promise<unknown>): Promise<void> {
    await noted.catch((error: unknown) => this.#inside.log.warn({ error, key }, 'work under way could not be noted'));
  }
}
