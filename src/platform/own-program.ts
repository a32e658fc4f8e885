import { getAssetKeys, isSea } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * A file of this program in a thread of its own. Where the program is one file (Node's SEA), the others are in a virtual file
 * system that a new thread does not have yet: https://nodejs.org/api/single-executable-applications.html.
 */
export function startThread(file: string, options: WorkerOptions): Worker {
  if (!isSea()) return new Worker(file, options);
  const asset = getAssetKeys().find((key) => file.replaceAll('\\', '/').endsWith(`/${key}`)) ?? '';
  const root = file.slice(0, file.length - asset.length - 1);
  const execArgv = ['--experimental-vfs', '--disable-warning=ExperimentalWarning'];
  return new Worker(mounted(root, file), { ...options, eval: true, execArgv });
}

/** What a thread does first where the program is one file. */
function mounted(root: string, file: string): string {
  return `
const { dirname } = require('node:path');
const { getAssetKeys, getRawAsset } = require('node:sea');
const files = require('node:vfs').create();
for (const key of getAssetKeys()) {
  files.mkdirSync(dirname('/' + key), { recursive: true });
  files.writeFileSync('/' + key, Buffer.from(getRawAsset(key)));
}
files.mount(${JSON.stringify(root)});
import(${JSON.stringify(pathToFileURL(file).href)});
`;
}

/**
 * How one of this program's files is started in a process of its own with these options of Node. A program that is one file
 * takes them from the environment only, and under Node's permissions it has to be allowed its files.
 */
export function withNodeOptions(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): { execArgv: string[]; env: NodeJS.ProcessEnv } {
  if (!isSea()) return { execArgv: [...options], env };
  const allowed = options.includes('--permission') ? ['--allow-fs-vfs'] : [];
  return {
    execArgv: [],
    env: { ...env, NODE_OPTIONS: [env.NODE_OPTIONS ?? '', ...options, ...allowed].join(' ').trim() },
  };
}
