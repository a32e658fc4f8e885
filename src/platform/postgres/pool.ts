import pg from 'pg';
import type { Row, Value } from '../sqlite.ts';
import { isLost, StatementFailed } from './errors.ts';
import { numbered } from './numbered.ts';
import { applySettings, Client, clientConfig, UnreadableNumber } from './settings.ts';

export type PoolOptions = {
  url: string;
  /** The URL as it may be shown. */
  shown: string;
  /** Where tables are found. */
  schema: string;
  /** Bounds what a statement, a lock and a silent connection may take; see `settingsOf`. */
  leaseMs: number;
  connectionsMax: number;
  /** Looks at each new connection. What it throws makes the connection fail. */
  onConnect?: (client: pg.ClientBase) => Promise<void>;
};

/** The connections of one process to one database. What the database or the network refuses is thrown as `StatementFailed`. */
export class PostgresPool {
  readonly #pool: pg.Pool;
  readonly shown: string;

  constructor({ url, shown, schema, leaseMs, connectionsMax, onConnect }: PoolOptions) {
    this.shown = shown;
    this.#pool = new pg.Pool({
      ...clientConfig(url, leaseMs),
      Client,
      max: connectionsMax,
      allowExitOnIdle: true,
      onConnect: async (client) => {
        await applySettings(client, schema, leaseMs);
        await onConnect?.(client);
      },
    });
    // A connection that is cut while it is idle leaves the pool, and is missed by nobody; of another one the statement that
    // needs it says so.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** The first use: what `work` finds is not wrapped, and the connection is not used again where it fails. */
  async opening(work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
    const client = await this.#connect();
    try {
      await work(client);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** With a connection of the pool, which is given up where it may hold something unfinished. */
  async with<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect();
    let isBroken = false;
    const broken = () => {
      isBroken = true;
    };
    client.on('error', broken);
    try {
      return await work(client);
    } catch (error) {
      isBroken ||= isLost(error);
      throw error;
    } finally {
      client.removeListener('error', broken);
      client.release(isBroken);
    }
  }

  /** The same, once more where the connection was cut: for what only reads. */
  async reading<Result>(read: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    try {
      return await this.with(read);
    } catch (error) {
      if (!isLost(error)) throw error;
      return this.with(read);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw new StatementFailed(error);
    }
  }
}

/** Makes one statement, with `?` in place of each value: its rows, and how many were changed. */
export async function say(
  client: pg.ClientBase,
  sql: string,
  values: readonly Value[] = [],
): Promise<{ rows: Row[]; changed: number }> {
  const { rows, rowCount } = await failing(client.query<Row>(numbered(sql), [...values]));
  return { rows, changed: rowCount ?? 0 };
}

/** Throws `StatementFailed`, and `UnreadableNumber` for what the database holds. */
export async function failing<Result>(statement: Promise<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    throw error instanceof UnreadableNumber ? error : new StatementFailed(error);
  }
}
