import type { Store } from './store/database.ts';

/** Where events are sent, as the sender needs it. */
export type Endpoint = { endpoint: number; id: string; url: string; secret: string | null };

/**
 * The endpoints that are on, kept in memory, so that a change of status costs nothing more where there is none. Changed
 * inside transactions: what changes the table reloads it.
 */
export class Outbox {
  readonly #store: Store;
  #endpoints: readonly Endpoint[] = [];
  #onWritten: () => void = () => {};

  constructor(store: Store) {
    this.#store = store;
    this.reload();
  }

  get endpoints(): readonly Endpoint[] {
    return this.#endpoints;
  }

  /** Reads the list again, as the transaction that is under way sees it. */
  reload(): void {
    this.#endpoints = this.#store.all(ACTIVE).map(
      (row): Endpoint => ({
        endpoint: Number(row.endpoint),
        id: String(row.id),
        url: String(row.url),
        secret: row.secret === null ? null : String(row.secret),
      }),
    );
  }

  /** `onWritten` is called inside the transaction that has made something due: nothing may be read before it ends. */
  listen(onWritten: () => void): void {
    this.#onWritten = onWritten;
  }

  written(): void {
    this.#onWritten();
  }
}

const ACTIVE = "SELECT endpoint, id, url, secret FROM webhook_endpoint WHERE state = 'on' ORDER BY endpoint";
