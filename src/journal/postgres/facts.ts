import { DURABLE } from '../../platform/postgres/server.ts';
import type { StorageFacts } from '../facts.ts';
import { get, type Steps } from '../tables/steps.ts';

const SETTINGS = [...DURABLE, 'synchronous_standby_names', 'wal_level', 'archive_mode', 'data_checksums'] as const;

/** What of the server's settings decides what is lost when it is. */
export function* factsOfServer(): Steps<StorageFacts> {
  const settings = SETTINGS.map((name) => `current_setting('${name}') AS ${name}`).join(', ');
  const row = yield* get(
    `SELECT current_setting('server_version') AS version, ${settings},
       (SELECT count(*) FROM pg_stat_replication) AS standbys`,
  );
  const { version, standbys, ...found } = row ?? {};
  const texts = Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
  const isSynchronous = texts.synchronous_standby_names?.trim() !== '' && texts.synchronous_commit !== 'local';
  return { kind: 'postgres', version: String(version), settings: texts, standbys: Number(standbys), isSynchronous };
}
