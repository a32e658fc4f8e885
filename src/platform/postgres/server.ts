import type pg from 'pg';
import { Refusal } from '../../domain/refusal.ts';

/** The oldest PostgreSQL that its makers still mend, and the one on which the locks of the journal were first measured. */
const SERVER_VERSION_MIN = 150_000;
const SERVER_NEEDED = '15';

/** Without these a power cut can take commits that were acknowledged, or damage what is stored. */
export const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

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
