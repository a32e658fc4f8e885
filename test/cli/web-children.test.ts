import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { webChildren } from '../../src/cli/commands/web/web-children.ts';
import { readSettings } from '../../src/cli/settings.ts';
import { temporaryFolder } from '../support/payrun.ts';

/** A program in place of payrun: it says how it was called. */
const ECHO = `
if (process.argv[2] === 'killed') process.kill(process.pid, 'SIGKILL');
process.stdin.setEncoding('utf8');
let typed = '';
if (process.argv[2] !== 'lasting') process.stdin.on('data', (text) => { typed += text; }).on('end', say); else say();
function say() {
  const ours = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('PAYRUN_')));
  process.stderr.write('x'.repeat(10_000) + 'end');
  process.stdout.write(JSON.stringify({ words: process.argv.slice(2), typed, ours, pid: process.pid }) + '\\n');
  process.exitCode = Number(process.argv[3] ?? 0);
}
`;

function children(environment: NodeJS.ProcessEnv = {}, options: Record<string, unknown> = {}) {
  const folder = temporaryFolder();
  const program = join(folder, 'echo.cjs');
  writeFileSync(program, ECHO);
  const dataDir = join(folder, 'data');
  const settings = readSettings({ dataDir, ...options }, environment);
  return { dataDir, ...webChildren(settings, { ...process.env, ...environment }, [program]) };
}

test('a command is given its words, its passphrase and the way to the service, and nothing that is said of one run', async () => {
  const environment = {
    PAYRUN_ALLOW_REPEAT: 'R1',
    PAYRUN_YES: 'true',
    PAYRUN_PORT: '1',
    PAYRUN_PASSPHRASE_FILE: 'x',
    PAYRUN_PAGE_PERSON: 'Somebody Else',
    PAYRUN_RATE: '5',
  };
  const { payrun, dataDir } = children(environment, { baseUrl: 'https://pay.test/' });
  const { exit, signal, result, said } = await payrun(['approve', '4', 'R1'], { stdin: 'four words\n' });
  expect({ exit, signal }).toEqual({ exit: 4, signal: null });
  expect(result).toMatchObject({
    words: ['approve', '4', 'R1', '--json', '--data-dir', dataDir],
    typed: 'four words\n',
  });
  const { ours } = result as { ours: Record<string, string> };
  expect(ours).toMatchObject({ PAYRUN_RATE: '5', PAYRUN_BASE_URL: 'https://pay.test/' });
  for (const name of ['ALLOW_REPEAT', 'YES', 'PORT', 'PASSPHRASE_FILE', 'PAGE_PERSON'])
    expect(ours).not.toHaveProperty(`PAYRUN_${name}`);
  const ofBea = (await payrun(['plan'], { person: 'Bea' })).result as { ours: Record<string, string> };
  expect(ofBea.ours).toMatchObject({ PAYRUN_PAGE_PERSON: 'Bea' });
  expect([said.length, said.endsWith('xend')]).toEqual([8_192, true]);
});

test('of the commands that are waited for, three run at once', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'busy.cjs');
  const log = join(folder, 'log');
  const note = (sign: string) => `require('node:fs').appendFileSync(${JSON.stringify(log)}, '${sign}');`;
  // None of the first ends before three are at work, however long each takes to start.
  const begun = `require('node:fs').readFileSync(${JSON.stringify(log)}, 'utf8').split('+').length - 1`;
  const end = `setTimeout(() => { ${note('-')} }, 300)`;
  writeFileSync(program, `${note('+')} (function wait() { ${begun} < 3 ? setTimeout(wait, 5) : ${end}; })();`);
  const { payrun } = webChildren(readSettings({ dataDir: join(folder, 'data') }, {}), process.env, [program]);
  await Promise.all(Array.from({ length: 9 }, () => payrun([])));
  let [now, most] = [0, 0];
  for (const sign of readFileSync(log, 'utf8')) {
    now += sign === '+' ? 1 : -1;
    most = Math.max(most, now);
  }
  expect([now, most]).toEqual([0, 3]);
});

test('a command that lasts is in a group of its own, and what it said is taken away when it has ended', async () => {
  const { start, dataDir } = children();
  const first = start(['lasting', '5']);
  const second = start(['lasting', '0']);
  const ended = await Promise.all([first.ended, second.ended]);
  expect(ended.map(({ exit }) => exit)).toEqual([5, 0]);
  expect(ended.map(({ result }) => (result as { pid: number }).pid)).toEqual([first.pid, second.pid]);
  expect(readdirSync(join(dataDir, 'web/children', String(process.pid)))).toEqual([]);
});

test('what processes that are gone have left is removed, and what others at work have not', () => {
  const folder = temporaryFolder();
  const parent = join(folder, 'web/children');
  for (const pid of ['999999999', String(process.ppid)]) mkdirSync(join(parent, pid, 'rows-x'), { recursive: true });
  const { drafts } = webChildren(readSettings({ dataDir: folder }, {}), {}, []);
  expect(drafts).toBe(join(parent, String(process.pid)));
  expect(readdirSync(parent).sort()).toEqual([String(process.ppid), String(process.pid)].sort());
});

test('a command that cannot be started, and one that is killed, are told as such', async () => {
  const { payrun } = children();
  const none = webChildren(readSettings({ dataDir: temporaryFolder() }, {}), process.env, ['/no such program']);
  expect(await none.payrun(['runs'])).toMatchObject({ exit: 1, result: null });
  expect(await payrun(['killed'])).toMatchObject({ exit: null, signal: 'SIGKILL', result: null });
});
