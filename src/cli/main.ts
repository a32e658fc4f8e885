#!/usr/bin/env node
import type { RefusalOutput } from './json/outputs.ts';

// Nothing is imported before the version of Node is known: what an older one does not have fails as it is loaded, with a
// stack in place of a sentence.
const NODE_MIN = [24, 15] as const;

/** `WORKER` of `app/launcher/task.ts`, which is not loaded for a command. */
const WORKER = '--worker';

const argv = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  const message = `payrun needs Node ${NODE_MIN.join('.')} or newer, and this is Node ${process.versions.node}.`;
  const remedy = 'Install a newer one (https://nodejs.org), then run the same command again.';
  const result: RefusalOutput = { run_id: null, state: 'refused', message, remedy, exit: 2 };
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
  process.stderr.write(`${message}\n${remedy}\n`);
  process.exitCode = 2;
} else {
  const { enableCompileCache } = await import('node:module');
  // Before any other import: what is loaded after it comes compiled from the cache.
  enableCompileCache();
  const { isMainThread } = await import('node:worker_threads');
  if (!isMainThread) await (await import('../compose/page/background.ts')).serveBackground();
  else if (process.send !== undefined && argv[0] === WORKER) (await import('../compose/page/worker.ts')).serveWorker();
  else await runHere();
}

async function runHere(): Promise<void> {
  const { hasDescriptors, hasWorkingDirectory } = await import('./process-checks.ts');
  if (hasWorkingDirectory(argv) && hasDescriptors(argv)) {
    const { payrun } = await import('./payrun.ts');
    await payrun(argv);
  }
}
