import type pg from 'pg';
import { Refusal } from '../../domain/refusal.ts';
import {
  databaseRefusal,
  isLost,
  LOCK_NOT_AVAILABLE,
  StatementFailed,
  sqlState,
  TRY_AGAIN,
} from '../../platform/postgres/errors.ts';
import { failing, PostgresPool, say } from '../../platform/postgres/pool.ts';
import { UnreadableNumber } from '../../platform/postgres/settings.ts';
import type { Row, Value } from '../../platform/sqlite.ts';
import { CommitUncertain, Deposed, JournalDamaged, JournalUnreadable } from '../errors.ts';
import { type Answer, awaitingEach, type Statement, type Steps } from '../tables/steps.ts';
import type { Lock } from '../tables/tables.ts';
import { SCHEMA } from './schema.ts';
import { insertions, lockingStatements } from './statements.ts';

/** Connections of one process: commits, and what is read beside them. */
const CONNECTIONS_MAX = 4;

/** How often a transaction is done over again that another one got in the way of. */
const ATTEMPTS_MAX = 10;

export type ConnectionOptions = {
  url: string;
  /** The URL as it may be shown. */
  shown: string;
  leaseMs: number;
};

/**
 * The journal's database. A statement that reads is made over again, once, where its connection was cut. One that writes never
 * is, unless the database says that it wrote nothing because another transaction was in its way.
 */
export class Connection {
  readonly #pool: PostgresPool;
  /** Its URL, as it may be shown. */
  readonly shown: string;
  /** Which database was opened: no other one is ever used. Empty until it is known. */
  #identity = '';
  #replaced: Deposed | null = null;

  constructor({ url, shown, leaseMs }: ConnectionOptions) {
    this.shown = shown;
    this.#pool = new PostgresPool({
      url,
      shown,
      schema: SCHEMA,
      leaseMs,
      connectionsMax: CONNECTIONS_MAX,
      onConnect: (client) => this.#requireSame(client),
    });
  }

  /** The first use: what `work` finds is not wrapped, and the connection is not used again where it fails. */
  async opening(work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
    await this.#pool.opening(work);
  }

  /** From now on only connections to this database are used. */
  async noteIdentity(client: pg.ClientBase): Promise<void> {
    this.#identity = await identityOf(client);
  }

  get identity(): string {
    return this.#identity;
  }

  /** Whether no other database was found in its place. */
  get isWhole(): boolean {
    return this.#replaced === null;
  }

  async read<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#reading((client) => this.#steps(client, work()));
  }

  async snapshot<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#reading(async (client) => {
      await this.#say(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await this.#steps(client, work());
      } finally {
        await this.#say(client, 'COMMIT');
      }
    });
  }

  /** As `Tables.write` has it. */
  async write<Result>(lock: Lock, work: () => Steps<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transaction(lock, work);
      } catch (error) {
        if (TRY_AGAIN.has(sqlState(error)) && attempt < ATTEMPTS_MAX) continue;
        throw this.#writingError(error);
      }
    }
  }

  async #transaction<Result>(lock: Lock, work: () => Steps<Result>): Promise<Result> {
    return this.#with(async (client) => {
      for (const { sql, values } of lockingStatements(lock)) await this.#say(client, sql, values);
      let result: Result;
      try {
        result = await this.#steps(client, work());
      } catch (error) {
        if (!isLost(error)) await this.#say(client, 'ROLLBACK');
        throw error;
      }
      try {
        await this.#say(client, 'COMMIT');
      } catch (error) {
        // A server that ends while it commits says so, and may have committed.
        throw TRY_AGAIN.has(sqlState(error)) ? error : new CommitUncertain(causeOf(error), this.shown);
      }
      return result;
    });
  }

  /**
   * One statement that is a transaction of its own, which the database makes or does not. Throws `CommitUncertain` where it
   * failed, since no answer may be a commit.
   */
  async commit(name: string, sql: string, values: readonly unknown[]): Promise<Row | undefined> {
    try {
      return await this.#with(async (client) => {
        const { rows } = await failing(client.query<Row>({ name, text: sql, values: [...values] }));
        return rows[0];
      });
    } catch (error) {
      if (error instanceof Deposed) throw error;
      throw new CommitUncertain(causeOf(error), this.shown);
    }
  }

  /**
   * One statement that is a transaction of its own and belongs to no run, and its row. Throws a `Refusal` where the database
   * cannot be used, and `JournalUnreadable` where it failed; what it did all the same is not made good.
   */
  async beside(statement: (client: pg.PoolClient) => Promise<pg.QueryResult<Row>>): Promise<Row> {
    try {
      const { rows } = await this.#with((client) => failing(statement(client)));
      return rows[0] ?? {};
    } catch (error) {
      if (!(error instanceof StatementFailed)) throw error;
      throw databaseRefusal(error, this.shown) ?? new JournalUnreadable(error.cause, this.shown);
    }
  }

  /** `replaced` from now on. */
  foundReplaced(): Deposed {
    const message = `${this.shown} is another database than the one that this process opened`;
    this.#replaced ??= new Deposed({ why: 'replaced', database: this.shown }, message);
    return this.#replaced;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #reading<Result>(read: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    try {
      return await this.#whole((pool) => pool.reading(read));
    } catch (error) {
      if (!(error instanceof StatementFailed)) throw error;
      throw new JournalUnreadable(error.cause, this.shown);
    }
  }

  async #with<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    return this.#whole((pool) => pool.with(work));
  }

  /** Uses no other database than the one that was opened. */
  async #whole<Result>(use: (pool: PostgresPool) => Promise<Result>): Promise<Result> {
    if (this.#replaced !== null) throw this.#replaced;
    try {
      return await use(this.#pool);
    } catch (error) {
      // A connection to another database is not made.
      throw this.#replaced ?? error;
    }
  }

  async #requireSame(client: pg.ClientBase): Promise<void> {
    if (this.#identity === '') return;
    if ((await identityOf(client)) !== this.#identity) throw this.foundReplaced();
  }

  async #steps<Result>(client: pg.PoolClient, steps: Steps<Result>): Promise<Result> {
    return awaitingEach(steps, (statement) => this.#answer(client, statement));
  }

  async #answer(client: pg.PoolClient, statement: Statement): Promise<Answer> {
    if (statement.kind !== 'insert') return this.#say(client, statement.sql, statement.values);
    let changed = 0;
    for (const { sql, values } of insertions(statement)) changed += (await this.#say(client, sql, values)).changed;
    return { rows: [], changed };
  }

  async #say(client: pg.PoolClient, sql: string, values: readonly Value[] = []): Promise<Answer> {
    try {
      return await say(client, sql, values);
    } catch (error) {
      throw error instanceof UnreadableNumber ? new JournalDamaged({ code: 'file_damaged' }) : error;
    }
  }

  /** Before the commit was asked for, an error means that nothing was written. */
  #writingError(error: unknown): unknown {
    if (!(error instanceof StatementFailed)) return error;
    if (sqlState(error) === LOCK_NOT_AVAILABLE || TRY_AGAIN.has(sqlState(error)))
      return new Refusal({ code: 'journal_locked' });
    return databaseRefusal(error, this.shown) ?? new CommitUncertain(error.cause, this.shown);
  }
}

async function identityOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ identity: string }>('SELECT identity() AS identity');
  return rows[0]?.identity ?? '';
}

function causeOf(error: unknown): unknown {
  return error instanceof StatementFailed ? error.cause : error;
}
