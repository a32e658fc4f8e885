import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Started, spawnPayrun } from './payrun-process.ts';
import { type ReadyService, readyServiceOf } from './ready-service.ts';

const ARGS = ['--port', '0', '--admin-port', '0', '--rate-limit', '0', '--settle-after', '0ms'];

/**
 * A real `payrun service` for all tests of a file, called at its top: it starts when the first of them asks for it. For
 * tests that do not look at what others have paid there.
 */
export function serviceOfFile(...args: string[]): () => Promise<ReadyService> {
  let folder: string | null = null;
  let started: Started | null = null;
  let ready: Promise<ReadyService> | null = null;
  afterAll(async () => {
    started?.child.kill('SIGKILL');
    await started?.ended;
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (ready !== null) return ready;
    folder = mkdtempSync(join(tmpdir(), 'payrun-test-'));
    started = spawnPayrun(['service', '--json', '--data-dir', folder, ...ARGS, ...args]);
    ready = readyServiceOf(started);
    return ready;
  };
}
