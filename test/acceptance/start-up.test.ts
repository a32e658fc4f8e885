import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROJECT, payrun, payrunAlone, temporaryFolder } from '../support/payrun.ts';
import { rowsOf, workbookOf } from '../support/workbook.ts';

const execute = promisify(execFile);

/** Runs the command, and says what modules it has loaded. */
async function loadedBy(args: string[]): Promise<{ stdout: string; loaded: string[]; packages: Set<string> }> {
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
  const { stdout } = await execute(process.execPath, ['--import', pathToFileURL(hook).href, main, ...args]);
  const loaded = readFileSync(list, 'utf8').split('\n');
  const named = loaded.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  return { stdout, loaded, packages: new Set(named.filter((name) => name !== undefined)) };
}

test('--help loads yargs and the declarations of the commands, and nothing else', async () => {
  const { stdout, loaded, packages } = await loadedBy(['--help']);
  expect(stdout).toContain('payrun run payroll.csv');
  expect(stdout).toContain('Exit codes');
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
  const alsoOfYargs = [
    'ansi-regex',
    'ansi-styles',
    'wrap-ansi',
    'emoji-regex',
    'fast-string-truncated-width',
    'get-east-asian-width',
  ];
  for (const name of packages) expect([...ofYargs, ...alsoOfYargs]).toContain(name);
  const ours = loaded.filter((url) => url.startsWith(pathToFileURL(join(PROJECT, 'src')).href));
  expect(ours.length).toBeGreaterThan(5);
  for (const url of ours)
    expect(url).toMatch(
      /src\/(domain\/(refusals\/kinds|run\/ending)|compose\/version|cli\/(main|payrun|process-checks|exit|options|command|json\/print|commands\/[a-z]+\/command))\.ts$/,
    );
});

test('the words of the command line are English throughout, also where the machine speaks another language', async () => {
  const env = { ...process.env, LC_ALL: 'de_DE.UTF-8' };
  const { stdout } = await execute(process.execPath, [join(PROJECT, 'src/cli/main.ts'), '--help'], { env });
  expect(stdout).toMatch(/^Commands:$/m);
  expect(stdout).toContain('Show version number');
});

test.each(['--help', '-h', 'help'])('the lines of run %s are wrapped', async (word) => {
  const { stdout } = await payrun(['run', word]);
  expect(stdout).toContain('--run-rate-ceiling');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

test('the zip library is loaded for workbooks only, and the date library for those with a date style', async () => {
  const path = join(temporaryFolder(), 'pay.xlsx');
  const row = ['Ana', 1.5, 'AUD', 'AUD_NPP', '12345678', '062-000'];
  const header = ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code'];
  const sheets = [{ name: 'Pay', rows: rowsOf([header, row]) }];
  const loadedFor = async (file: string) => {
    const { packages } = await loadedBy(['check', file]);
    return ['hucre', 'yauzl'].filter((name) => packages.has(name));
  };
  expect(await loadedFor(join(PROJECT, 'samples/payroll.csv'))).toEqual([]);
  writeFileSync(path, workbookOf({ sheets, formats: ['#,##0.00', '0000', '@', 'General', '"$"0'] }));
  expect(await loadedFor(path)).toEqual(['yauzl']);
  writeFileSync(path, workbookOf({ sheets, formats: ['#,##0.00', 'yyyy-mm-dd'] }));
  expect(await loadedFor(path)).toEqual(['hucre', 'yauzl']);
});

test('what speaks with a database is loaded where one is named only', async () => {
  const folder = temporaryFolder();
  const there = await loadedBy(['check', join(PROJECT, 'samples/payroll.csv'), '--data-dir', folder]);
  expect(there.packages).not.toContain('pg');
  const nowhere = 'postgres://payrun@127.0.0.1:1/payrun';
  const named = await loadedBy([
    'check',
    join(PROJECT, 'samples/payroll.csv'),
    '--data-dir',
    folder,
    '--database',
    nowhere,
  ]);
  expect(named.packages).toContain('pg');
});

test('check loads nothing of what pays, reports, serves or shows a page', async () => {
  const { loaded, packages } = await loadedBy([
    'check',
    join(PROJECT, 'samples/payroll.csv'),
    '--data-dir',
    temporaryFolder(),
  ]);
  const source = pathToFileURL(join(PROJECT, 'src')).href;
  const folders = new Set(
    loaded.filter((url) => url.startsWith(source)).map((url) => url.slice(source.length + 1).split('/')[0]),
  );
  const allowed = ['app', 'cli', 'compose', 'domain', 'input', 'job', 'journal', 'keys', 'messages', 'platform'];
  for (const folder of folders) expect(allowed).toContain(folder);
  for (const name of ['undici', 'pino', 'p-queue', 'hono']) expect(packages).not.toContain(name);
});

test('a rehearsal loads of undici what a client needs', async () => {
  const folder = temporaryFolder();
  const there = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const input = join(PROJECT, 'samples/payroll.csv');
  const { loaded } = await loadedBy(['run', input, '--yes', '--rate', '0', ...there]);
  const ofUndici = loaded.filter((url) => url.includes('/node_modules/undici/'));
  expect(ofUndici.some((url) => url.endsWith('/lib/dispatcher/pool.js'))).toBe(true);
  for (const url of ofUndici)
    expect(url).not.toMatch(/\/undici\/(?:index\.js|lib\/(?:cache|mock|web\/(?:fetch|websocket)\/index))/);
});

const COMMANDS = [
  'check',
  'run',
  'resume',
  'resolve',
  'pause',
  'cancel',
  'hold',
  'hold list',
  'hold release',
  'returns',
  'runs',
  'show',
  'report',
  'verify',
  'template',
  'service',
  'service admin',
  'service verify',
  'service webhook',
  'service webhook add',
  'service webhook list',
  'service webhook remove',
  'service webhook enable',
  'service webhook deliveries',
  'service webhook replay',
  'keys',
  'keys new',
  'keys show',
];

test.each(COMMANDS)('payrun %s --help says what it does and has an example', async (command) => {
  const { exit, stdout, stderr } = await payrun([...command.split(' '), '--help']);
  expect(exit).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/Examples:\n\s+payrun /);
});

test('help and version are words too, and what cannot be read names the help of its command', async () => {
  const [help, ofRun, word, other, version] = await Promise.all(
    [['help'], ['run', '--help'], ['help', 'run'], ['help', 'nothing'], ['version']].map((words) => payrun(words)),
  );
  expect([help?.exit, help?.stdout]).toEqual([0, expect.stringContaining('payrun run payroll.csv')]);
  expect([word?.exit, word?.stdout]).toEqual([0, ofRun?.stdout]);
  expect([other?.exit, other?.stderr]).toEqual([2, expect.stringContaining('See: payrun --help')]);
  expect([version?.exit, version?.stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  const unknown = await payrunAlone(['run', 'x.csv', '--rat', '5']);
  expect([unknown.exit, unknown.stderr]).toEqual([2, expect.stringMatching(/rat\n\nSee: payrun run --help\n$/)]);
  const wrong = await payrun(['plan', join(PROJECT, 'samples/payroll.csv'), '--poll-every', 'often']);
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringMatching(/See: payrun plan --help\n$/)]);
});

test('--yes is taken by every command, also where nothing is asked', async () => {
  const folder = temporaryFolder();
  const data = ['--data-dir', join(folder, 'data')];
  const file = join(PROJECT, 'samples/payroll.csv');
  expect((await payrun(['check', file, '--yes', ...data])).exit).toBe(0);
  const planned = await payrun(['plan', file, '--yes', '--json', ...data]);
  expect(planned.exit).toBe(0);
  const { run_id: runId } = JSON.parse(planned.stdout);
  const words = [
    ['runs'],
    ['show', runId],
    ['verify', runId],
    ['jobs'],
    ['template', '--out', join(folder, 'empty.xlsx')],
    ['cancel', runId],
  ];
  for (const given of words)
    expect([given[0], (await payrun([...given, '--yes', ...data])).exit]).toEqual([given[0], 0]);
});

/** Of the machine, where it has one that is too old for us. */
const OLD_NODE = ['/usr/bin/node', '/usr/local/bin/node'].find(isOld);

function isOld(node: string): boolean {
  if (!existsSync(node)) return false;
  const [major = 0, minor = 0] = execFileSync(node, ['--version'], { encoding: 'utf8' })
    .slice(1)
    .split('.')
    .map(Number);
  return major < 24 || (major === 24 && minor < 15);
}

test('the oldest Node that is taken is the one that the package names', () => {
  const { engines } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node) ?? [];
  expect(readFileSync(join(PROJECT, 'src/cli/bin.cjs'), 'utf8')).toContain(`NODE_MIN = [${major}, ${minor}]`);
});

test.skipIf(OLD_NODE === undefined)(
  'an old Node is named before anything is loaded that it does not know',
  async () => {
    const bin = join(process.env.COMPILED_PROGRAMS ?? '', 'bin.cjs');
    const ended = await execute(String(OLD_NODE), [bin, 'run', 'x.csv', '--json']).catch((error) => error);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^payrun needs Node 24\.15 or newer, and this is Node \S+\.\nInstall a newer one .+ nvm install \d+/,
      ),
    ]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ run_id: null, state: 'refused', exit: 2 });
  },
);

test('an option can be given in the environment, and a wrong one is named as it was given', async () => {
  const folder = temporaryFolder();
  const key = join(folder, 'data/keys/signing.pem');
  const made = await payrunAlone(['keys', 'new', '--json'], {
    cwd: folder,
    env: { PAYRUN_DATA_DIR: join(folder, 'data') },
  });
  expect(JSON.parse(made.stdout).file).toBe(key);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  const wrong = await payrun(['run', 'x.csv'], { cwd: folder, env: { PAYRUN_POLL_EVERY: 'often' } });
  expect(wrong.exit).toBe(2);
  expect(wrong.stderr).toMatch(/^PAYRUN_POLL_EVERY: /);
  const option = await payrun(['run', 'x.csv', '--poll-every', '1s'], {
    cwd: folder,
    env: { PAYRUN_POLL_EVERY: 'often' },
  });
  expect(option.stderr).not.toMatch(/POLL_EVERY/);
});
