import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openQueue, SCHEMA_VERSION } from '../../src/queue/run-queue.ts';

test('the version of the tables is that of the pg-boss which is installed', () => {
  const manifest = readFileSync(new URL('../../node_modules/pg-boss/package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest).pgboss.schema).toBe(SCHEMA_VERSION);
});

test('a database that does not answer is unreachable, as it is for the journal', async () => {
  // Nothing listens at the port for discarding.
  const database = 'postgres://payrun@127.0.0.1:9/payrun';
  const opened = openQueue({ database, shown: database, onTrouble: () => {}, isWorker: true });
  await expect(opened).rejects.toMatchObject({ reason: { code: 'database_unusable', fault: { why: 'unreachable' } } });
});
