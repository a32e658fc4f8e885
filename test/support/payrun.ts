import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Ended, type PayrunOptions, PROJECT, readyObject, type Started, spawnPayrun } from './payrun-process.ts';
import { atEnd } from './side-by-side.ts';

export { type Ended, PROJECT, type Started } from './payrun-process.ts';

/** A new directory, removed at the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the real command in a real process. It is killed at the end of the test if it still runs. */
export function start(args: string[], options: PayrunOptions = {}): Started {
  const started = spawnPayrun(args, options);
  const { child } = started;
  atEnd(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  return started;
}

/** Runs the command to its end. */
export async function payrun(args: string[], options: PayrunOptions = {}): Promise<Ended> {
  return start(args, options).ended;
}

export type ReadyService = {
  base_url: string;
  admin_url: string;
  api_key: string;
  signing_key_file: string;
  customer_id: string;
  /** The options that point a run at it. */
  options: string[];
};

/** A `payrun service` in a process of its own, for being killed, interrupted or started again. */
export type ServiceProcess = ReadyService & { started: Started };

type ServiceOptions = { dataDir: string; args?: string[] };

/** What `compiled-payrun.ts` made for the tests; outside of them the source. */
const SERVICE_HERE = process.env.COMPILED_SERVICE ?? join(PROJECT, 'test/support/service-here.ts');

/**
 * The shipped service with a data directory of its own, settling at once unless told otherwise. It is the one of
 * `payrun service`, on real ports and real data, in the process of the tests, where it starts ten times as fast.
 */
export async function startService(options: ServiceOptions): Promise<ReadyService> {
  const { serviceHere } = createRequire(import.meta.url)(SERVICE_HERE) as typeof import('./service-here.ts');
  const { ready, stop } = await serviceHere(serviceWords(options));
  atEnd(stop);
  return withOptions(ready);
}

/** The same as a process. */
export async function startServiceProcess(options: ServiceOptions): Promise<ServiceProcess> {
  const started = start(['service', '--json', ...serviceWords(options)]);
  return { ...withOptions((await readyObject(started)) as Omit<ReadyService, 'options'>), started };
}

function serviceWords({ dataDir, args = [] }: ServiceOptions): string[] {
  const ports = ['--port', '0', '--admin-port', '0'];
  return ['--data-dir', dataDir, ...ports, '--rate-limit', '0', '--settle-after', '0ms', ...args];
}

function withOptions(ready: Omit<ReadyService, 'options'>): ReadyService {
  const { base_url, api_key, signing_key_file } = ready;
  return { ...ready, options: ['--base-url', base_url, '--api-key', api_key, '--signing-key', signing_key_file] };
}
