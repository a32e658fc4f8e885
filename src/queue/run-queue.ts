import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { Refusal } from '../domain/refusal.ts';
import { databaseRefusal, StatementFailed } from '../platform/postgres/errors.ts';

/** A schema of its own, so that it meets no pg-boss of another program. */
const SCHEMA = 'payrun_queue';
const QUEUE = 'run';

/** How the queue treats a job. A run that lasts for longer than a day goes on all the same: its lease decides, and no job. */
const POLICY = {
  /** Of each run at most one job waits. */
  policy: 'short',
  /** A job is never given out again: a worker that looks finds the run in the journal. */
  retryLimit: 0,
  heartbeatSeconds: 30,
  expireInSeconds: 24 * 3_600 - 1,
  retentionSeconds: 24 * 3_600,
  deleteAfterSeconds: 3_600,
} as const;

const POLL_SECONDS = 1;
const ANSWER_MAX_MS = 30_000;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Wakes workers: it carries ids of runs, and nothing rests on it. What it loses, or carries twice, the journal knows: which
 * runs are left to workers, and who holds each.
 */
export type RunQueue = {
  /** Puts runs in, each unless it waits there already. Rejects where the database does not take them. */
  send(runIds: readonly string[]): Promise<void>;
  /** Calls `work` with the ids of runs, so many at once, until `stop`. `work` has to handle its own errors. */
  start(concurrency: number, work: (runId: string) => Promise<void>): Promise<void>;
  /** Takes nothing more, and resolves when no `work` is under way. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

/** `database`: the URL. `shown`: the same without the password. `onTrouble`: of the queue, which tries again unasked. */
export type QueueOptions = { database: string; shown: string; onTrouble(cause: string): void };

/** The version of its tables that this pg-boss knows: `pgboss.schema` of its package. */
export const SCHEMA_VERSION = 46;

/** Makes the tables of the queue, or upgrades them, as the owner of their schema. Throws a `Refusal` where it may not. */
export async function prepareQueue(options: QueueOptions): Promise<void> {
  const pool = poolOf(options);
  try {
    await makeTables(pool, options);
  } catch (error) {
    throw refusalOf(error, options);
  } finally {
    await pool.end();
  }
}

async function makeTables(pool: pg.Pool, options: QueueOptions): Promise<void> {
  const { rows } = await pool.query('SELECT to_regnamespace($1) AS schema', [SCHEMA]);
  const boss = bossOn(pool, options, { migrate: true, createSchema: rows[0]?.schema === null, supervise: false });
  try {
    await boss.start();
    if ((await boss.getQueue(QUEUE)) === null) await boss.createQueue(QUEUE, POLICY);
    else {
      const { policy: _, ...changeable } = POLICY;
      await boss.updateQueue(QUEUE, changeable);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Opens the queue; makes its tables where there are none and this user may. Throws a `Refusal` where it cannot be used. */
export async function openQueue(options: QueueOptions & { isWorker: boolean }): Promise<RunQueue> {
  const pool = poolOf(options);
  const boss = bossOn(pool, options, { migrate: false, createSchema: false, supervise: options.isWorker });
  try {
    await requireTables(boss, options);
    await boss.start();
  } catch (error) {
    await pool.end();
    throw refusalOf(error, options);
  }
  return {
    async send(runIds) {
      if (runIds.length === 0) return;
      await boss.insert(
        QUEUE,
        runIds.map((run) => ({ data: { run }, singletonKey: run })),
      );
    },
    async start(concurrency, work) {
      const settings = { localConcurrency: concurrency, pollingIntervalSeconds: POLL_SECONDS };
      await boss.work<{ run: string }>(QUEUE, settings, async ([job]) => {
        if (job !== undefined) await work(job.data.run);
      });
    },
    stop: () => boss.offWork(QUEUE),
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

/** Makes them where they are missing or old, and this user may. */
async function requireTables(boss: PgBoss, options: QueueOptions): Promise<void> {
  const version = (await boss.isInstalled()) ? await boss.schemaVersion() : null;
  if (version === null || version < SCHEMA_VERSION) return prepareQueue(options);
  const { shown: database } = options;
  if (version > SCHEMA_VERSION)
    throw new Refusal({ code: 'queue_unusable', database, why: 'newer', cause: `its schema is ${version}` });
}

function poolOf({ database }: QueueOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: database,
    max: 3,
    connectionTimeoutMillis: 10_000,
    query_timeout: ANSWER_MAX_MS,
    statement_timeout: ANSWER_MAX_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'payrun queue',
  });
  // Of a connection that is cut while it is idle nobody misses anything; of another one the statement that needs it says so.
  pool.on('error', () => {});
  return pool;
}

function bossOn(
  pool: pg.Pool,
  { onTrouble }: QueueOptions,
  settings: { migrate: boolean; createSchema: boolean; supervise: boolean },
): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values).catch(ofDatabase) },
    schema: SCHEMA,
    ...settings,
    // Payrun has a scheduler of its own, and indexes are for their owner to build.
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  boss.on('error', (error) => onTrouble(error.message));
  return boss;
}

/** What failed at the database, and not in pg-boss, which expects such errors as they are. */
const FROM_DATABASE = new WeakSet<Error>();

function ofDatabase(error: Error): never {
  FROM_DATABASE.add(error);
  throw error;
}

function refusalOf(error: unknown, { shown: database }: QueueOptions): Refusal {
  if (error instanceof Refusal) return error;
  const cause = error instanceof Error ? error.message : String(error);
  const isDenied = error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
  if (isDenied) return new Refusal({ code: 'queue_unusable', database, why: 'no_rights', cause });
  const isOfDatabase = error instanceof Error && FROM_DATABASE.has(error);
  const refusal = isOfDatabase ? databaseRefusal(new StatementFailed(error), database) : null;
  return refusal ?? new Refusal({ code: 'queue_unusable', database, why: 'failed', cause });
}
