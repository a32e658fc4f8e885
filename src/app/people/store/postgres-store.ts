import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { Bug, Refusal } from '../../../domain/refusal.ts';
import { shownUrl } from '../../../journal/place.ts';
import {
  databaseRefusal,
  isLost,
  LOCK_NOT_AVAILABLE,
  StatementFailed,
  sqlState,
  TRY_AGAIN,
} from '../../../platform/postgres/errors.ts';
import { PostgresPool, say } from '../../../platform/postgres/pool.ts';
import { migrate, schemaVersion } from '../../../platform/postgres/schema.ts';
import { checkServer } from '../../../platform/postgres/server.ts';
import type { Row, Value } from '../../../platform/sqlite.ts';
import { makePageFolder, pageFolder } from './page-files.ts';
import { PAGE_SCHEMA } from './page-schema.ts';
import { PageStore } from './page-store.ts';
import { SharedFiles } from './shared-files.ts';

type Place = { dataDir: string; database: string };

/** Connections of one page. */
const CONNECTIONS_MAX = 8;

/** As that of a run's lease: what bounds statements, and what a frozen host keeps locked. */
const LEASE_MS = 30_000;

/** How often a transaction is done over again that another one got in the way of. */
const ATTEMPTS_MAX = 10;

/** Opens what the page keeps in the schema `payrun_page` of a database, and makes it where there is none. */
export async function openPostgresStore(place: Place): Promise<PageStore> {
  const pool = poolOf(place);
  await opening(pool, async (client) => {
    await checkServer(client, pool.shown);
    await migrate(client, PAGE_SCHEMA, pool.shown);
  });
  return new PostgresStore(pool, makePageFolder(place.dataDir));
}

/** The same to be read; null where there is none. */
export async function openToRead(place: Place): Promise<PageStore | null> {
  const pool = poolOf(place);
  let isThere = false;
  await opening(pool, async (client) => {
    isThere = (await schemaVersion(client, PAGE_SCHEMA, pool.shown)) > 0;
  });
  if (isThere) return new PostgresStore(pool, pageFolder(place.dataDir));
  await pool.close();
  return null;
}

function poolOf({ database: url }: Place): PostgresPool {
  const bounds = { schema: PAGE_SCHEMA.name, leaseMs: LEASE_MS, connectionsMax: CONNECTIONS_MAX };
  return new PostgresPool({ url, shown: shownUrl(url), ...bounds });
}

async function opening(pool: PostgresPool, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  try {
    await pool.opening(work);
  } catch (error) {
    await pool.close();
    if (error instanceof Refusal || error instanceof Bug || error instanceof TypeError) throw error;
    const failed = error instanceof StatementFailed ? error : new StatementFailed(error);
    if (sqlState(failed) === LOCK_NOT_AVAILABLE) throw new Refusal({ code: 'page_busy' });
    throw databaseRefusal(failed, pool.shown) ?? error;
  }
}

/** What runs inside a transaction. */
type Inside = { client: pg.PoolClient; isOpen: boolean };

/**
 * A database that pages on several hosts share. A statement that reads is made over again, once, where its connection was cut;
 * one that writes never is. Throws a `Refusal`: `page_database_away` and `page_busy` where nothing was done, and
 * `page_change_uncertain` where nobody can know.
 */
class PostgresStore extends PageStore {
  readonly folder: string;
  readonly files: SharedFiles;
  readonly isShared = true;
  readonly #pool: PostgresPool;
  readonly #inside = new AsyncLocalStorage<Inside>();

  constructor(pool: PostgresPool, folder: string) {
    super();
    this.#pool = pool;
    this.folder = folder;
    this.files = new SharedFiles(this, folder);
  }

  async all<Found = Row>(sql: string, ...values: Value[]): Promise<Found[]> {
    const client = this.#client;
    if (client !== null) return (await say(client, sql, values)).rows as Found[];
    try {
      return (await this.#pool.reading((free) => say(free, sql, values))).rows as Found[];
    } catch (error) {
      throw explained(error, 'nothing_done');
    }
  }

  async run(sql: string, ...values: Value[]): Promise<number> {
    const client = this.#client;
    if (client !== null) return (await say(client, sql, values)).changed;
    // No connection: nothing was done. A connection that is cut while the statement is made: nobody knows.
    let isMade = false;
    try {
      return await this.#pool.with(async (free) => {
        isMade = true;
        return (await say(free, sql, values)).changed;
      });
    } catch (error) {
      throw explained(error, isMade ? 'uncertain' : 'nothing_done');
    }
  }

  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#client !== null) return work();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transaction(work);
      } catch (error) {
        if (TRY_AGAIN.has(sqlState(error)) && attempt < ATTEMPTS_MAX) continue;
        throw explained(error, 'nothing_done');
      }
    }
  }

  async now(): Promise<number> {
    const now = (await this.get<{ now: number }>('SELECT clock_ms() AS now'))?.now;
    if (typeof now !== 'number') throw new Bug('the database has no clock');
    return now;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** Each writes in its turn, over all hosts, so that what it has read is so until it ends: as in SQLite. */
  async #transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#pool.with(async (client) => {
      await say(client, 'BEGIN');
      const inside = { client, isOpen: true };
      let result: Result;
      try {
        await say(client, 'LOCK TABLE turn IN EXCLUSIVE MODE');
        result = await this.#inside.run(inside, work);
      } catch (error) {
        if (!isLost(error)) await say(client, 'ROLLBACK');
        throw error;
      } finally {
        inside.isOpen = false;
      }
      try {
        await say(client, 'COMMIT');
      } catch (error) {
        // A server that ends while it commits says so, and may have committed.
        throw TRY_AGAIN.has(sqlState(error)) ? error : explained(error, 'uncertain');
      }
      return result;
    });
  }

  get #client(): pg.PoolClient | null {
    const inside = this.#inside.getStore();
    return inside?.isOpen === true ? inside.client : null;
  }
}

/** Other errors are bugs, such as a row that is there already. */
function explained(error: unknown, then: 'nothing_done' | 'uncertain'): unknown {
  if (!(error instanceof StatementFailed)) return error;
  const state = sqlState(error);
  if (state === LOCK_NOT_AVAILABLE || TRY_AGAIN.has(state)) return new Refusal({ code: 'page_busy' });
  if (databaseRefusal(error, '') === null) return error;
  const cause = error.cause instanceof Error ? error.cause.message : String(error.cause);
  const isUncertain = then === 'uncertain' && isLost(error);
  return new Refusal({ code: isUncertain ? 'page_change_uncertain' : 'page_database_away', cause });
}
