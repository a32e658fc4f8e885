import type { Scheduling } from '../scheduling.ts';
import { change, get } from './steps.ts';
import type { Store } from './store.ts';

export class TablesScheduling implements Scheduling {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async now(): Promise<number> {
    return this.#store.tables.read(() => this.#store.dialect.leaseNow());
  }

  async announce(id: string): Promise<boolean> {
    if (await this.isAnnounced(id)) return false;
    const store = this.#store;
    const noted = await store.tables.write('starts', function* () {
      const sql = 'INSERT INTO announcement (id, announced_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING';
      return yield* change(sql, id, yield* store.dialect.leaseNow());
    });
    return noted === 1;
  }

  async isAnnounced(id: string): Promise<boolean> {
    const row = await this.#store.tables.read(() => get('SELECT 1 AS one FROM announcement WHERE id = ?', id));
    return row !== undefined;
  }
}
