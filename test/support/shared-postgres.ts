import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/**
 * Before the first test: a door at which tests ask for the server that they share. It is started when the first one asks, and
 * ended after the last test, so that other runs do not pay for it.
 */
export default async function sharePostgres(): Promise<(() => Promise<void>) | undefined> {
  // Another project has it shared for all of them.
  if (process.env.SHARED_POSTGRES !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'payrun-shared-'));
  let starting: Promise<PostgresServer> | null = null;
  const listener = createServer((socket) => {
    socket.on('error', () => {});
    starting ??= startPostgres();
    starting.then(
      ({ host, port, user, password }) => socket.end(JSON.stringify({ host, port, user, password })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  process.env.SHARED_POSTGRES = join(folder, 'postgres.sock');
  listener.listen(process.env.SHARED_POSTGRES);
  await once(listener, 'listening');
  return async () => {
    listener.close();
    await (await starting?.catch(() => null))?.end();
    rmSync(folder, { recursive: true, force: true });
    delete process.env.SHARED_POSTGRES;
  };
}
