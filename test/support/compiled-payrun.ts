import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'rolldown';
import type { TestProject } from 'vitest/node';
import { publishedSchemas } from '../../src/cli/json/schemas.ts';
import { PROJECT } from './payrun-process.ts';
import { nameOf, PROGRAMS } from './program.ts';
import { shareProcesses } from './shared-processes.ts';

/**
 * Before the first test: the command from `src` in few files, of which a process starts in two thirds of the time that the
 * checkout's hundreds of modules take; the tests start some thousand. What Node compiles is kept beside them, for every
 * process of the tests. `npm start`, the start-up tests and the soaks run from `src` itself, and the package as published.
 */
export default async function compilePayrun(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Another project has it made for all of them.
  if (process.env.SHARED_PROCESSES !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'payrun-compiled-'));
  // Not before: workers that end write to the cache.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // From there it reads its version.
  copyFileSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  // From there the page is served.
  cpSync(join(PROJECT, 'src/web/static'), join(folder, 'dist/cli/static'), { recursive: true });
  const compile = async (): Promise<void> => {
    await build({
      input: {
        main: join(PROJECT, 'src/cli/main.ts'),
        service: join(PROJECT, 'test/support/service-here.ts'),
        commands: join(PROJECT, 'test/support/command-process.ts'),
        // Beside what starts it, by its name.
        'convert-process': join(PROJECT, 'src/platform/xlsx/conversion/convert-process.ts'),
        ...Object.fromEntries(PROGRAMS.map((source) => [nameOf(source), join(PROJECT, source)])),
      },
      platform: 'node',
      logLevel: 'silent',
      output: { dir: join(folder, 'dist/cli'), format: 'esm', hashCharacters: 'hex' },
    });
  };
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
