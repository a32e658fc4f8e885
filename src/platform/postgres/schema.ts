import type pg from 'pg';
import { assert } from '../../domain/refusal.ts';
import type { PostgresSchema } from './postgres-schema.ts';

/** Its version, 0 where there is none. Throws a `Refusal` where another program made it, or a newer payrun. */
export async function schemaVersion(client: pg.ClientBase, schema: PostgresSchema, database: string): Promise<number> {
  const { name, migrations } = schema;
  const { rows } = await client.query<{ versions: string | null; objects: number }>(
    `SELECT to_regclass('${name}.schema_version')::text AS versions,
      (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('${name}')::oid) AS objects`,
  );
  const [found] = rows;
  if (found?.versions == null) {
    if (Number(found?.objects) > 0) throw schema.ofAnotherProgram(database);
    return 0;
  }
  const noted = await client.query<{ version: number }>(`SELECT version FROM ${name}.schema_version`);
  const version = noted.rows[0]?.version;
  assert(typeof version === 'number', 'the schema has no version');
  if (version > migrations.length) throw schema.isNewer(database, version);
  return version;
}

/** Brings the schema up to date in one transaction. Several processes may do this at once: the others find it done. */
export async function migrate(client: pg.ClientBase, schema: PostgresSchema, database: string): Promise<void> {
  const { name, migrations, lock } = schema;
  if ((await schemaVersion(client, schema, database)) === migrations.length) return;
  await client.query('BEGIN');
  // What is large takes longer than a statement otherwise may.
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL search_path = ${name}`);
  await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
  const version = await schemaVersion(client, schema, database);
  if (version === 0) await makeSchema(client, name);
  for (const sql of migrations.slice(version)) await client.query(sql);
  await client.query(`UPDATE ${name}.schema_version SET version = $1`, [migrations.length]);
  await client.query('COMMIT');
}

/** The schema itself may be there already, made for an owner who may make none. */
async function makeSchema(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ schema: string | null }>(`SELECT to_regnamespace('${name}')::text AS schema`);
  if (rows[0]?.schema == null) await client.query(`CREATE SCHEMA ${name}`);
  await client.query(`CREATE TABLE ${name}.schema_version (version integer NOT NULL)`);
  await client.query(`INSERT INTO ${name}.schema_version VALUES (0)`);
}

/**
 * The same as `migrate` where this role may do it: the owner of one schema brings those beside it up to date, while others who
 * open that one leave them as they are.
 */
export async function migrateWhereOwned(
  client: pg.ClientBase,
  schema: PostgresSchema,
  database: string,
): Promise<void> {
  const { rows } = await client.query<{ may: number }>(
    `SELECT coalesce(
      (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = $1),
      has_database_privilege(current_database(), 'CREATE')
    ) AS may`,
    [schema.name],
  );
  if (rows[0]?.may === 1) await migrate(client, schema, database);
}
