import type { PageStore } from '../../app/people/store/page-store.ts';

/** How often a password may be wrong before there are pauses: for one name, and for everybody behind one address. */
const FREE = { name: 3, address: 20 } as const;
const PAUSE_MAX_MS = 15 * 60_000;
/** After this long without an attempt it is forgotten. */
const FORGOTTEN_MS = 60 * 60_000;
/** More are somebody who makes names up; the oldest are forgotten. */
const TRIED_MAX = 10_000;

type Tried = { failures: number; at: number };

/**
 * Wrong passwords per name or person and per address, with pauses that double: a second after the free ones, a quarter of
 * an hour at most. An attempt counts as wrong when it begins, so that many at once, on however many hosts, are no way around.
 */
export class Attempts {
  readonly #store: PageStore;

  constructor({ store }: { store: PageStore }) {
    this.#store = store;
  }

  /**
   * Begins an attempt: 0 where it may be made, else how long to wait (ms); then it does not count. `key` names the person
   * whose password it is and how they are known, such as `name anna` and `again 0123456789abcdef`; `address` is null where
   * others behind the same address are not to count.
   */
  async begin(key: string, address: string | null): Promise<number> {
    const budgets: [key: string, free: number][] = [[key, FREE.name]];
    if (address !== null) budgets.push([`address ${address}`, FREE.address]);
    return this.#store.transaction(async () => {
      const now = await this.#store.now();
      let waitMs = 0;
      for (const [each, free] of budgets) waitMs = Math.max(waitMs, waitOf(await this.#tried(each), free, now));
      if (waitMs === 0) for (const [each] of budgets) await this.#count(each, now);
      return waitMs;
    });
  }

  /**
   * It was right: nothing is held against the person any more (null: what was wrong stays, as more is asked for), and this one
   * not against the address.
   */
  async succeeded(key: string | null, address: string | null): Promise<void> {
    await this.#store.transaction(async () => {
      if (key !== null) await this.#store.run('DELETE FROM attempt WHERE key = ?', key);
      const sql = 'UPDATE attempt SET failures = failures - 1 WHERE key = ? AND failures > 0';
      if (address !== null) await this.#store.run(sql, `address ${address}`);
    });
  }

  async #tried(key: string): Promise<Tried | undefined> {
    return this.#store.get<Tried>('SELECT failures, at FROM attempt WHERE key = ?', key);
  }

  async #count(key: string, now: number): Promise<void> {
    const before = await this.#tried(key);
    const failures = before === undefined || now - before.at > FORGOTTEN_MS ? 0 : before.failures;
    const counted = 'ON CONFLICT (key) DO UPDATE SET failures = excluded.failures, at = excluded.at';
    await this.#store.run(
      `INSERT INTO attempt (key, failures, at) VALUES (?, ?, ?) ${counted}`,
      key,
      failures + 1,
      now,
    );
    if (before !== undefined) return;
    await this.#store.run('DELETE FROM attempt WHERE at < ?', now - FORGOTTEN_MS);
    const tooMany = 'SELECT key FROM attempt ORDER BY at DESC, key LIMIT ? OFFSET ?';
    for (const { key: old } of await this.#store.all<{ key: string }>(tooMany, TRIED_MAX, TRIED_MAX))
      await this.#store.run('DELETE FROM attempt WHERE key = ?', old);
  }
}

function waitOf(tried: Tried | undefined, free: number, now: number): number {
  if (tried === undefined || tried.failures < free) return 0;
  const pauseMs = Math.min(PAUSE_MAX_MS, 1_000 * 2 ** Math.min(tried.failures - free, 20));
  return Math.max(0, tried.at + pauseMs - now);
}
