import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Ended, type PayrunOptions, PROJECT, type Started, spawnPayrun } from './payrun-process.ts';
import { type ReadyService, readyServiceOf, type ServiceProcess, withOptions } from './ready-service.ts';
import { atEnd } from './side-by-side.ts';

export { type Ended, PROJECT, type Started } from './payrun-process.ts';
export type { ReadyService, ServiceProcess } from './ready-service.ts';

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
  return readyServiceOf(start(['service', '--json', ...serviceWords(options)]));
}

function serviceWords({ dataDir, args = [] }: ServiceOptions): string[] {
  const ports = ['--port', '0', '--admin-port', '0'];
  return ['--data-dir', dataDir, ...ports, '--rate-limit', '0', '--settle-after', '0ms', ...args];
}
