#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** `WORKER` of `app/launcher/task.ts`, which is not loaded for a command. */
const WORKER = '--worker';

/** Whatever is asked of this program. Only what that needs is loaded. */
async function main(words: string[]): Promise<void> {
  if (!isMainThread) return (await import('../compose/page/background.ts')).serveBackground();
  if (process.send !== undefined && words[0] === WORKER)
    return (await import('../compose/page/worker.ts')).serveWorker();
  const { hasDescriptors, hasWorkingDirectory } = await import('./process-checks.ts');
  if (hasWorkingDirectory(words) && hasDescriptors(words)) await (await import('./payrun.ts')).payrun(words);
}

// Before any other module: what is loaded after it comes compiled from the cache.
enableCompileCache();
await main(process.argv.slice(2));
