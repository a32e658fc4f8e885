import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, type PayrunOptions, readyObject, type Started, spawnPayrun } from './payrun-process.ts';
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
  started: Started;
  /** The options that point a run at it. */
  options: string[];
};

/** A real `payrun service` with a data directory of its own, settling at once unless told otherwise. */
export async function startService(options: { dataDir: string; args?: string[] }): Promise<ReadyService> {
  const args = [
    '--port',
    '0',
    '--admin-port',
    '0',
    '--rate-limit',
    '0',
    '--settle-after',
    '0ms',
    ...(options.args ?? []),
  ];
  const started = start(['service', '--json', '--data-dir', options.dataDir, ...args]);
  const ready = (await readyObject(started)) as Omit<ReadyService, 'started' | 'options'>;
  const { base_url, api_key, signing_key_file } = ready;
  return {
    ...ready,
    started,
    options: ['--base-url', base_url, '--api-key', api_key, '--signing-key', signing_key_file],
  };
}
