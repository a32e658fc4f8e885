import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { publishedSchemas } from '../../src/cli/json/schemas.ts';
import { bundle } from './bundle.ts';
import { PROJECT } from './payrun-process.ts';
import { nameOf, PROGRAMS } from './program.ts';
import { shareProcesses } from './shared-processes.ts';

/**
 * Before the first test: the command in few files, as it is published but with its packages compiled in: a process starts in
 * two thirds of the time that the checkout's hundreds of modules take, and the tests start some thousand. What Node compiles
 * is kept beside them, for every process of the tests. `npm start`, the start-up tests and the soaks run from `src` itself.
 */
export default async function compilePayrun(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Another project has it made for all of them.
  if (process.env.SHARED_PROCESSES !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'payrun-compiled-'));
  // Not before: workers that end write to the cache.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // From there it reads its version.
  copyFileSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  // From there packages are loaded that few commands need.
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const more = {
    service: join(PROJECT, 'test/support/service-here.ts'),
    commands: join(PROJECT, 'test/support/command-process.ts'),
    ...Object.fromEntries(PROGRAMS.map((source) => [nameOf(source), join(PROJECT, source)])),
  };
  const compile = (): Promise<void> => bundle(join(folder, 'dist/cli'), { more, hasPackages: false });
  await compile();
  project.onTestsRerun(compile);
  process.env.PUBLISHED_SCHEMAS = join(folder, 'schemas.json');
  writeFileSync(process.env.PUBLISHED_SCHEMAS, JSON.stringify([...(await publishedSchemas())]));
  process.env.COMPILED_PAYRUN = join(folder, 'dist/cli/main.js');
  process.env.COMPILED_PROGRAMS = join(folder, 'dist/cli');
  process.env.COMPILED_SERVICE = join(folder, 'dist/cli/service.js');
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'cache');
  process.env.SHARED_PROCESSES = join(folder, 'commands.sock');
  const shared = await shareProcesses(join(folder, 'dist/cli/commands.js'), process.env.SHARED_PROCESSES);
  return () => shared.end();
}
