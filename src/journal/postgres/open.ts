import type pg from 'pg';
import { Bug, Refusal } from '../../domain/refusal.ts';
import { databaseRefusal, LOCK_NOT_AVAILABLE, StatementFailed, sqlState } from '../../platform/postgres/errors.ts';
import { migrate, migrateWhereOwned, schemaVersion } from '../../platform/postgres/schema.ts';
import { checkServer } from '../../platform/postgres/server.ts';
import type { JournalReader } from '../journal.ts';
import { type JournalOptions, leaseMsOf } from '../options.ts';
import { shownUrl } from '../place.ts';
import { holdsAfter } from '../tables/holds.ts';
import { requireHere } from '../tables/moves.ts';
import { Projections } from '../tables/projections.ts';
import { Runs } from '../tables/runs.ts';
import { Connection } from './connection.ts';
import { PostgresJournal } from './journal.ts';
import { HOLDS_SINCE, JOURNAL_SCHEMA, MOVES_SINCE } from './schema.ts';

export type PostgresOptions = JournalOptions & {
  /** `postgres://…`, with the parameters of libpq that `pg` knows. */
  url: string;
};

/**
 * Opens the journal in the schema `payrun` of a database, and makes it where there is none. Throws a `Refusal` of kind
 * `unreachable` or `usage` where the database may not be used, and `JournalDamaged` where it holds no journal of ours.
 */
export async function openJournal(options: PostgresOptions): Promise<PostgresJournal> {
  const leaseMs = leaseMsOf(options);
  const { url } = options;
  const db = await openDatabase(url, leaseMs, async (client, connection) => {
    await migrate(client, JOURNAL_SCHEMA, connection.shown);
    for (const schema of (await options.schemasBeside?.()) ?? [])
      await migrateWhereOwned(client, schema, connection.shown);
    await connection.noteIdentity(client);
  });
  if (options.evenMoved !== true) await requireHereOrClose(db);
  return new PostgresJournal(db, { ...options, leaseMs });
}

/** Throws a `Refusal` where the runs of the journal are in another one. */
async function requireHereOrClose(db: Connection): Promise<void> {
  try {
    await db.read(requireHere);
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Opens the journal to be read only; null where there is none. Throws as `openJournal` does. */
export async function openToRead(url: string): Promise<JournalReader | null> {
  let version = 0;
  const db = await openDatabase(url, leaseMsOf({}), async (client, { shown }) => {
    version = await schemaVersion(client, JOURNAL_SCHEMA, shown);
  });
  if (version === 0) {
    await db.close();
    return null;
  }
  if (version >= MOVES_SINCE) await requireHereOrClose(db);
  const runs = new Runs({ hasPlans: true });
  const projections = new Projections(db, runs, true);
  return {
    listStartedRuns: (limit) => db.snapshot(() => runs.newest({ limit, isMeant: ({ isPlanned }) => !isPlanned })),
    payoutsOf: (runId) => projections.payoutsOf(runId),
    payeeHolds: { after: async (n) => (version >= HOLDS_SINCE ? db.read(() => holdsAfter(n)) : []) },
    close: () => db.close(),
  };
}

/** Whether the database holds a journal, also one whose runs were moved. Throws as `openJournal` does. */
export async function isJournal(url: string): Promise<boolean> {
  let version = 0;
  const db = await openDatabase(url, leaseMsOf({}), async (client, { shown }) => {
    version = await schemaVersion(client, JOURNAL_SCHEMA, shown);
  });
  await db.close();
  return version > 0;
}

/** Connects to a server that may be used, and does the work over the first connection. Throws a `Refusal` where it cannot. */
async function openDatabase(
  url: string,
  leaseMs: number,
  work: (client: pg.ClientBase, db: Connection) => Promise<void>,
): Promise<Connection> {
  const shown = shownUrl(url);
  const db = new Connection({ url, shown, leaseMs });
  try {
    await db.opening(async (client) => {
      await checkServer(client, shown);
      await work(client, db);
    });
    return db;
  } catch (error) {
    await db.close();
    if (error instanceof Refusal || error instanceof Bug || error instanceof TypeError) throw error;
    const failed = error instanceof StatementFailed ? error : new StatementFailed(error);
    // Another process is bringing the schema up to date.
    if (sqlState(failed) === LOCK_NOT_AVAILABLE) throw new Refusal({ code: 'journal_locked' });
    throw databaseRefusal(failed, shown) ?? error;
  }
}
