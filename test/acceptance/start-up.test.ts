import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROJECT, temporaryFolder } from '../support/payrun.ts';

const execute = promisify(execFile);

test('--help loads yargs and the declarations of the commands, and nothing else', async () => {
  const folder = temporaryFolder();
  const list = join(folder, 'loaded.txt');
  const hook = join(folder, 'hook.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`,
  );
  const main = join(PROJECT, 'src/cli/main.ts');
  const { stdout } = await execute(process.execPath, ['--import', pathToFileURL(hook).href, main, '--help']);
  expect(stdout).toContain('payrun run payroll.csv');
  expect(stdout).toContain('Exit codes');
  const loaded = readFileSync(list, 'utf8').split('\n');
  const packages = new Set(loaded.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]).filter(Boolean));
  const ofYargs = [
    'yargs',
    'yargs-parser',
    'y18n',
    'cliui',
    'escalade',
    'get-caller-file',
    'string-width',
    'strip-ansi',
  ];
  const alsoOfYargs = ['ansi-regex', 'ansi-styles', 'wrap-ansi', 'emoji-regex', 'get-east-asian-width'];
  for (const name of packages) expect([...ofYargs, ...alsoOfYargs]).toContain(name);
  const ours = loaded.filter((url) => url.startsWith(pathToFileURL(join(PROJECT, 'src')).href));
  expect(ours.length).toBeGreaterThan(5);
  for (const url of ours) expect(url).toMatch(/src\/cli\/(main|payrun|exit|options|commands\/[a-z]+)\.ts$/);
});
