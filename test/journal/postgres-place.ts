import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';
import type { PostgresAddress } from '../support/postgres-server.ts';
import { programOf } from '../support/program.ts';
import { open } from './open-postgres.ts';
import { type EntryValues, ManualClock, type Place, REAL_CLOCK, type Tamper } from './place.ts';

export const ROLES_SQL = readFileSync(join(import.meta.dirname, '../../samples/deploy/postgres-roles.sql'), 'utf8');

export type Role = 'payrun_owner' | 'payrun_worker' | 'payrun_page';

/** A database of a test file: its URL for the superuser, and for each role of payrun. */
export type TestDatabase = { name: string; admin: string; as(role: Role): string };

export type PostgresPlace = Place & { database: TestDatabase };

const TABLES = [
  ...[
    'entry',
    'lease',
    'hint',
    'cancel_asked',
    'pause_asked',
    'queued_run',
    'journal_file',
    'journal_move',
    'announcement',
    'payee_hold',
  ],
  ...['projected_run', 'projected_states', 'projected_orders', 'run'],
].map((table) => `payrun.${table}`);

/** As the migration has it. */
const REAL_CLOCK_SQL = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

let counter = 0;

/** A database of its own, a copy of `template`, on the server that the tests share. Roles have the superuser's password. */
export async function newDatabase(server?: PostgresAddress, template = 'template0'): Promise<TestDatabase> {
  const address = server ?? (await sharedPostgres());
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${++counter}`;
  await statements(urlOf(address, 'postgres'), `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${template}`);
  const { password } = address;
  return { name, admin: urlOf(address, name), as: (user) => urlOf(address, name, { user, password }) };
}

/** The same with roles, tables made by their owner, and permissions, as the guide has it. */
export async function newJournalDatabase(server?: PostgresAddress): Promise<TestDatabase> {
  const address = server ?? (await sharedPostgres());
  const database = await newDatabase(address);
  await makeRoles(address);
  await statements(database.admin, ROLES_SQL);
  await (await open(database.as('payrun_owner'))).close();
  await statements(database.admin, ROLES_SQL);
  return database;
}

/** Roles are of the whole server, so that test files which make them at the same moment wait for each other. */
async function makeRoles(address: PostgresAddress): Promise<void> {
  const logins = ['owner', 'worker', 'page'].map((role) => `ALTER ROLE payrun_${role} PASSWORD '${address.password}'`);
  await statements(
    urlOf(address, 'postgres'),
    'BEGIN; SELECT pg_advisory_xact_lock(1)',
    ROLES_SQL.slice(ROLES_SQL.indexOf('DO $$'), ROLES_SQL.indexOf('CREATE SCHEMA')),
    ...logins,
    'COMMIT',
  );
}

/**
 * Databases of a test file, in each of which one place after another is made. `role`: the role that opens the journal; tampering is
 * the superuser's.
 */
export function postgresPlaces(count = 3, role: Role = 'payrun_worker'): () => PostgresPlace {
  const free: TestDatabase[] = [];
  beforeAll(async () => {
    for (let made = 0; made < count; made++) free.push(await newJournalDatabase());
  });
  afterAll(async () => {
    const address = await sharedPostgres();
    for (const { name } of free.splice(0))
      await statements(urlOf(address, 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return () => {
    const database = free.pop();
    if (database === undefined) throw new Error(`a test has more than ${count} places`);
    return placeIn(database, role, () => free.push(database));
  };
}

function placeIn(database: TestDatabase, role: Role, release: () => void): PostgresPlace {
  const admin = new pg.Pool({ connectionString: database.admin, max: 1, allowExitOnIdle: true });
  // Its idle connection is ended with the database; a statement says so itself.
  admin.on('error', () => {});
  const journals: Journal[] = [];
  let isClockSet = false;
  const setClock = async (sql: string): Promise<void> => {
    await admin.query(
      `CREATE OR REPLACE FUNCTION payrun.clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$ ${sql} $$`,
    );
  };
  return {
    database,
    strangeCharacter: '\u0001',
    async open(options = {}) {
      const clock = options.clock ?? new ManualClock();
      if (!isClockSet && clock !== REAL_CLOCK) await setClock(`SELECT ${clock.wallMs()}::bigint`);
      isClockSet = true;
      const journal = await open(database.as(role), { ...options, clock });
      journals.push(journal);
      return journal;
    },
    async pass(clock, ms) {
      clock.now += ms;
      await setClock(`SELECT ${clock.now}::bigint`);
    },
    async commits() {
      // Every transaction that these tests count leaves a row.
      const tables = ['entry', 'hint', 'cancel_asked', 'pause_asked'];
      const rows = tables.map((table) => `SELECT xmin::text FROM payrun.${table}`).join(' UNION ALL ');
      const counted = await admin.query(`SELECT count(DISTINCT xmin)::int AS commits FROM (${rows}) AS row`);
      return counted.rows[0].commits as number;
    },
    tamper: tamperWith(admin),
    child: { opener: programOf('test/journal/open-postgres.ts'), argument: database.as(role) },
    async remove() {
      for (const journal of journals) await journal.close().catch(() => {});
      await setClock(REAL_CLOCK_SQL);
      await admin.query(`TRUNCATE ${TABLES.join(', ')} RESTART IDENTITY`);
      await admin.end();
      release();
    },
  };
}

/** Triggers and references do not hold for it. */
function tamperWith(admin: pg.Pool): Tamper {
  const asReplica = async (sql: string, values: unknown[]): Promise<pg.QueryResult> => {
    await admin.query('SET session_replication_role = replica');
    return admin.query(sql, values);
  };
  const alter = async (sql: string, ...values: unknown[]): Promise<void> => {
    const { rowCount } = await asReplica(sql, values);
    if (rowCount !== 1) throw new Error(`the tampering changed ${rowCount} rows`);
  };
  const ofRun = 'run = (SELECT run FROM payrun.run WHERE id = $1)';
  return {
    async entry(runId, n) {
      const sql = `SELECT n::int, at::float8, epoch::int, kind, row_number::int, data, hash FROM payrun.entry WHERE ${ofRun} AND n = $2`;
      return (await admin.query(sql, [runId, n])).rows[0] as EntryValues;
    },
    async setEntry(runId, n, change) {
      const columns = Object.keys(change).map((column, at) => `${column} = $${at + 3}`);
      const sql = `UPDATE payrun.entry SET ${columns.join(', ')} WHERE ${ofRun} AND n = $2`;
      await alter(sql, runId, n, ...Object.values(change));
    },
    async deleteEntry(runId, n) {
      await alter(`DELETE FROM payrun.entry WHERE ${ofRun} AND n = $2`, runId, n);
    },
    async insertEntry(runId, { n, at, epoch, kind, row_number, data, hash }) {
      await alter(
        `INSERT INTO payrun.entry (run, n, at, epoch, kind, row_number, data, hash)
         SELECT run, $2::bigint, $3::bigint, $4::bigint, $5::text, $6::bigint, $7::text, $8::bytea FROM payrun.run WHERE id = $1`,
        ...[runId, n, at, epoch, kind, row_number, data, hash],
      );
    },
    async setRun(runId, column, value) {
      await alter(`UPDATE payrun.run SET ${column} = $2 WHERE id = $1`, runId, value);
    },
    async setLease(runId, column, value) {
      await alter(`UPDATE payrun.lease SET ${column} = $2 WHERE ${ofRun}`, runId, value);
    },
    async deleteRun(runId) {
      for (const table of ['entry', 'lease', 'run'])
        await asReplica(`DELETE FROM payrun.${table} WHERE ${ofRun}`, [runId]);
    },
  };
}
