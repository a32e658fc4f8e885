import type pg from 'pg';
import { assert, Refusal } from '../../domain/refusal.ts';
import { MIGRATIONS } from './migrations.ts';

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The oldest PostgreSQL that its makers still mend, and the one on which the locks of the journal were first measured. */
const SERVER_VERSION_MIN = 150_000;
const SERVER_NEEDED = '15';

/** `PayR` in ASCII: who brings the schema up to date holds this advisory lock. */
const MIGRATION_LOCK = 0x50617952;

/** Without these a power cut can take commits that were acknowledged, or damage what is stored. */
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

const OFF = 'off';

/** Throws a `Refusal` where the server may not be used: too old, a standby, or not durable. */
export async function checkServer(client: pg.ClientBase, database: string): Promise<void> {
  const names = ['server_version', 'server_encoding', 'transaction_read_only', ...DURABLE];
  const { rows } = await client.query<Record<string, string | number>>(
    `SELECT current_setting('server_version_num')::int AS version, ${names
      .map((name) => `current_setting('${name}') AS ${name}`)
      .join(', ')}`,
  );
  const [found = {}] = rows;
  const unusable = (fault: Extract<Refusal['reason'], { code: 'database_unusable' }>['fault']) =>
    new Refusal({ code: 'database_unusable', database, fault });
  if (Number(found.version) < SERVER_VERSION_MIN)
    throw unusable({ why: 'too_old', version: String(found.server_version), needed: SERVER_NEEDED });
  if (found.transaction_read_only !== OFF) throw unusable({ why: 'read_only', cause: 'transaction_read_only is on' });
  if (found.server_encoding !== 'UTF8') throw unusable({ why: 'encoding', encoding: String(found.server_encoding) });
  for (const name of DURABLE) if (found[name] === OFF) throw unusable({ why: 'not_durable', setting: name });
}

/**
 * The version of the journal's schema, 0 where there is none. Throws a `Refusal` where another program made it, or a newer
 * payrun.
 */
export async function schemaVersion(client: pg.ClientBase, database: string): Promise<number> {
  const { rows } = await client.query<{ versions: string | null; objects: number }>(
    `SELECT to_regclass('payrun.schema_version')::text AS versions,
      (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('payrun')::oid) AS objects`,
  );
  const [found] = rows;
  if (found?.versions == null) {
    if (Number(found?.objects) > 0) throw new Refusal({ code: 'journal_of_another_program', path: database });
    return 0;
  }
  const noted = await client.query<{ version: number }>('SELECT version FROM payrun.schema_version');
  const version = noted.rows[0]?.version;
  assert(typeof version === 'number', 'the schema has no version');
  if (version > SCHEMA_VERSION)
    throw new Refusal({ code: 'journal_newer', path: database, version, known: SCHEMA_VERSION });
  return version;
}

/** Brings the schema up to date in one transaction. Several processes may do this at once: the others find it done. */
export async function migrate(client: pg.ClientBase, database: string): Promise<void> {
  if ((await schemaVersion(client, database)) === SCHEMA_VERSION) return;
  await client.query('BEGIN');
  // A large journal takes longer than a statement of a run may.
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const version = await schemaVersion(client, database);
  if (version === 0) await makeSchema(client);
  for (const sql of MIGRATIONS.slice(version)) await client.query(sql);
  await client.query('UPDATE payrun.schema_version SET version = $1', [SCHEMA_VERSION]);
  await client.query('COMMIT');
}

/** The schema itself may be there already, made for an owner who may make none. */
async function makeSchema(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string | null }>("SELECT to_regnamespace('payrun')::text AS schema");
  if (rows[0]?.schema == null) await client.query('CREATE SCHEMA payrun');
  await client.query('CREATE TABLE payrun.schema_version (version integer NOT NULL)');
  await client.query('INSERT INTO payrun.schema_version VALUES (0)');
}
