import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { publishedSchemas } from '../../src/cli/json/schemas.ts';
import { GUIDES } from '../support/guides.ts';
import { manPage } from '../support/man-page.ts';
import { PROJECT, temporaryFolder } from '../support/payrun.ts';

const execute = promisify(execFile);

const guidesIn = (...folders: string[]) =>
  GUIDES.filter((guide) => folders.includes(guide.split('/')[0] ?? '')).toSorted();

/** What somebody writes who pays from a program of their own. */
const PROGRAM = `
import { writeFileSync } from 'node:fs';
import { Payrun, type Ran, type Refused } from 'payrun';

writeFileSync('two.csv', \`name,amount,currency,rail,account_number,national_clearing_code
Ada Byron,10.50,AUD,AUD_NPP,12345678,062-000
Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000
\`);
const payrun = new Payrun({ dataDir: 'library', rate: '0', pollEvery: '20ms' });
const checked = await payrun.check('two.csv');
if (checked.outcome === 'refused') throw new Error(checked.message);
const planned = await payrun.plan('two.csv');
if (planned.outcome !== 'planned') throw new Error(planned.outcome);
const runId: string = planned.plan.run_id;
const ran: Ran | Refused = await payrun.run(runId);
if (ran.outcome === 'refused') throw new Error(ran.message);
const shown = await payrun.show(runId);
const verified = await payrun.verify(runId);
console.log(JSON.stringify({
  payouts: checked.check.payouts,
  ending: ran.ending,
  completed: ran.run.counts.completed,
  shown: shown.outcome === 'shown' ? shown.run.state : shown.kind,
  again: (await payrun.run(runId)).outcome,
  intact: verified.outcome === 'verified' && verified.verification.ok,
}));
`;

/**
 * What the package depends on, as the checkout has it: to unpack it anew takes npm most of its time. npm looks whether it is
 * what the package asks for, gets what is missing and removes what nothing asks for.
 */
function copyDependencies(project: string): void {
  const lock: Lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'));
  const ours = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  );
  for (const [path] of ours)
    if (existsSync(join(PROJECT, path)))
      cpSync(join(PROJECT, path), join(project, path), { recursive: true, filter: (from) => !isNested(path, from) });
}

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean }> };

/** Packages below another are of the list themselves. */
function isNested(path: string, from: string): boolean {
  return from.slice(join(PROJECT, path).length).includes('node_modules');
}

/** The packages of which modules are compiled into the scripts of a folder, where each is named above its text. */
function compiledInto(folder: string): string[] {
  const scripts = globSync('*.js', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'));
  const regions = scripts.join('\n').matchAll(/^\/\/ (.*\/)?node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/gm);
  return [...new Set(Array.from(regions, ({ groups }) => String(groups?.name)))];
}

/** The package with its version and license, and some of its text below. */
function licenseHead(name: string): RegExp {
  return new RegExp(`^${RegExp.escape(name)} \\d[^ ]* \\(.+\\)\n\n[^-]`, 'm');
}

test('npm pack gives a package that runs in an empty folder, as compiled JavaScript', async () => {
  const folder = temporaryFolder();
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  await execute('npm', ['pack', '--pack-destination', folder], { cwd: PROJECT, env });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"somebody","private":true}');
  copyDependencies(project);
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline'];
  await execute('npm', ['install', ...quietly, join(folder, String(tarball))], { cwd: project, env });
  const installed = join(project, 'node_modules/payrun');
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(readdirSync(join(installed, 'dist/cli'))).toContain('main.js');
  expect(readFileSync(join(installed, String(manifest.man)), 'utf8')).toBe(manPage());
  expect(globSync('{src,test}/**/*.*', { cwd: installed }).toSorted()).toEqual(guidesIn('src', 'test'));
  for (const guide of guidesIn('jobs', 'samples')) expect(existsSync(join(installed, guide)), guide).toBe(true);
  const ofThePage = [
    'page.css',
    'page.js',
    'picker.js',
    'icon-test.svg',
    'icon.svg',
    'vendor/LICENSE',
    'vendor/htmx.min.js',
    'vendor/hx-sse.min.js',
  ];
  for (const file of ofThePage) expect(existsSync(join(installed, 'dist/cli/static', file)), file).toBe(true);
  const licenses = readFileSync(join(installed, 'dist/cli/THIRD-PARTY-LICENSES'), 'utf8');
  expect(compiledInto(join(installed, 'dist/cli'))).toEqual(expect.arrayContaining(['zod', 'csv-parse']));
  for (const name of compiledInto(join(installed, 'dist/cli'))) expect(licenses).toMatch(licenseHead(name));
  const translations = readdirSync(join(PROJECT, 'src/messages/translations')).toSorted();
  expect(translations.length).toBeGreaterThan(0);
  expect(readdirSync(join(installed, 'dist/cli/translations')).toSorted()).toEqual(translations);
  expect(manifest.engines).toEqual({ node: '>=24.15' });
  const schemas = await publishedSchemas();
  const files = readdirSync(join(installed, 'dist/schemas'));
  expect(files.toSorted()).toEqual(Array.from(schemas.keys(), (name) => `${name}.schema.json`).toSorted());
  const { resolve } = createRequire(join(project, 'package.json'));
  for (const [name, schema] of schemas)
    expect(JSON.parse(readFileSync(resolve(`payrun/schemas/${name}.schema.json`), 'utf8'))).toEqual(schema);

  copyFileSync(join(PROJECT, 'samples/payroll.csv'), join(project, 'payroll.csv'));
  const command = ['--no-install', 'payrun', 'run', 'payroll.csv', '--yes', '--json', '--rate', '0'];
  // The shipped service has a rate limit of its own: a run without one meets it and slows down.
  const { stdout } = await execute('npx', command, { cwd: project, env });
  const { run_id: runId, ...result } = JSON.parse(stdout);
  expect(result).toMatchObject({ state: 'finished', rehearsal: true, exit: 0 });
  expect(readdirSync(join(project, 'reports')).toSorted()).toEqual([runId, `heads-${runId}.txt`]);
  const formats = ['csv', 'html', 'json', 'xlsx'].map((format) => `report.${format}`);
  expect(readdirSync(join(project, 'reports', runId)).toSorted()).toEqual(formats);

  writeFileSync(join(project, 'pay.mts'), PROGRAM);
  const types = ['--typeRoots', join(PROJECT, 'node_modules/@types'), '--types', 'node'];
  const strict = ['--noEmit', '--singleThreaded', '--strict', '--module', 'nodenext', '--target', 'es2024', ...types];
  const compiled = await execute(join(PROJECT, 'node_modules/.bin/tsc'), [...strict, 'pay.mts'], {
    cwd: project,
    env,
  }).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe('');
  const paid = JSON.parse((await execute(process.execPath, ['pay.mts'], { cwd: project, env })).stdout);
  expect(paid).toEqual({ payouts: 2, ending: 'ok', completed: 2, shown: 'finished', again: 'refused', intact: true });
});
