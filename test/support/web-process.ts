import { type ReadyService, type Started, start } from './payrun.ts';
import { readyObject } from './payrun-process.ts';
import { QUICK_PASSWORDS } from './web-environment.ts';

export type ReadyWeb = {
  /** Where the page is. */
  url: string;
  firstUserUrl: string | null;
  started: Started;
};

/**
 * A real `payrun web` on a free port, at the service that it ships unless another is given. To hash a password is next to no
 * work, and not a third of a second as for users.
 */
export async function startWeb(options: {
  dataDir: string;
  service?: ReadyService;
  /** A free one, unless it is said. */
  port?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
}): Promise<ReadyWeb> {
  const { dataDir, service, port = '0', args = [], cwd } = options;
  const env = { ...QUICK_PASSWORDS, ...options.env };
  const words = ['web', '--json', '--port', port, '--data-dir', dataDir, ...(service?.options ?? []), ...args];
  const started = start(words, { env, ...(cwd === undefined ? {} : { cwd }) });
  const { url, first_user_url } = (await readyObject(started)) as { url: string; first_user_url: string | null };
  return { url, firstUserUrl: first_user_url, started };
}
