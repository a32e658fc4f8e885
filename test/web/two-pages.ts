import { freePort } from '../support/free-port.ts';
import { startWeb } from '../support/web-process.ts';
import { ORIGIN } from './roaming.ts';

/** Pages on hosts of their own: each has its data directory, and all have the database. */
export async function startPages(
  folders: readonly string[],
  database: string,
  args: readonly string[],
): Promise<(Awaited<ReturnType<typeof startWeb>> & { port: number })[]> {
  const all = ['--database', database, '--behind-proxy', ORIGIN, ...args];
  return Promise.all(
    folders.map(async (dataDir) => {
      const port = await freePort();
      return { ...(await startWeb({ dataDir, port: String(port), args: all, cwd: dataDir })), port };
    }),
  );
}
