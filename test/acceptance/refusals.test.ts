import { chmodSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newKey } from '../support/new-key.ts';
import { PROJECT, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, arrivals } from '../support/service-admin.ts';

const payroll = join(PROJECT, 'samples/payroll-with-failures.csv');
const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code';
const ROW = 'Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000';

function changing(counted: Record<string, number>): number {
  const names = Object.keys(counted).filter((name) => /create|add|transfer/.test(name));
  return names.reduce((sum, name) => sum + (counted[name] ?? 0), 0);
}

test.each([
  ['an empty file', '', 3, /empty/i],
  ['a header only', `${HEADER}\n`, 3, /no (rows|payouts|payees)/i],
  ['a missing column', `${HEADER.replace('amount,', '')}\n${ROW.replace('12.50,', '')}\n`, 3, /amount/],
  ['a row with too many cells', `${HEADER}\n${ROW},7,8\n`, 3, /cells|columns/i],
  ['bytes that are no text', Buffer.from([0, 1, 2, 255, 254, 0, 0, 7, 9, 200]), 3, /text|encoding/i],
])('%s is refused with exit 3 and nothing is sent', async (_, content, code, message) => {
  const folder = temporaryFolder();
  const file = join(folder, 'input.csv');
  writeFileSync(file, content);
  const service = await startService({ dataDir: join(folder, 'service') });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const { exit, stdout, stderr } = await payrun(['run', file, '--yes', ...service.options, ...where]);
  expect(stdout + stderr).toMatch(message);
  expect(exit).toBe(code);
  expect(await arrivals(service)).toEqual({});
});

test.each([
  ['a file that is not there', 'missing.csv', /missing\.csv/],
  ['a folder', '.', /folder|directory/i],
])('%s is refused with exit 2', async (_, name, message) => {
  const folder = temporaryFolder();
  const { exit, stderr } = await payrun(['run', join(folder, name), '--yes', '--data-dir', join(folder, 'data')]);
  expect(stderr).toMatch(message);
  expect(exit).toBe(2);
});

test('a line of 200 MB is refused', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'input.csv');
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, `${HEADER}\n"`);
  const block = Buffer.alloc(1 << 20, 'x');
  for (let written = 0; written < 200; written++) writeSync(descriptor, block);
  const { exit, stdout } = await payrun(['check', file, '--data-dir', join(folder, 'data')]);
  expect(exit).toBe(3);
  expect(stdout).toMatch(/row 2|too (long|large)/i);
});

test('credentials that cannot work are refused before anything is created', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const other = join(folder, 'other.pem');
  expect((await payrun(['keys', 'new', other])).exit).toBe(0);
  const at = ['--base-url', service.base_url, '--api-key', service.api_key];

  const wrongKey = await payrun(['run', payroll, '--yes', ...at, '--signing-key', other, ...where]);
  expect(wrongKey.exit).toBe(8);
  expect(wrongKey.stderr).toMatch(/credentials/);

  chmodSync(other, 0o644);
  const openKey = await payrun(['run', payroll, '--yes', ...at, '--signing-key', other, ...where]);
  expect(openKey.exit).toBe(2);
  expect(openKey.stderr).toMatch(/0?644/);
  expect(openKey.stderr).toMatch(/chmod 600/);

  expect(changing(await arrivals(service))).toBe(0);
});

test('a service that is down is exit 8', async () => {
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const at = ['--base-url', `http://127.0.0.1:${port}`, '--api-key', 'key', '--signing-key', key];
  const { exit, stderr } = await payrun(['run', payroll, '--yes', ...at, '--data-dir', join(folder, 'data')]);
  expect(stderr).toMatch(/cannot be reached/);
  expect(exit).toBe(8);
});

// Far off, every request is dead when it arrives: that is no service which cannot be reached.
test.each([20, 3_600])(
  'a service whose clock is %d s off is exit 8, the clock is named, and nothing is created',
  async (seconds) => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    await admin(service, 'clock.skew', { ms: seconds * 1_000 });
    const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
    const { exit, stderr } = await payrun(['run', payroll, '--yes', ...service.options, ...where]);
    expect(stderr).toMatch(
      /^This machine's clock and the service's differ by \d+ s \(ours is behind\)\.\nSet this machine /,
    );
    expect(exit).toBe(8);
    expect(changing(await arrivals(service))).toBe(0);
  },
);

test('the same file twice is exit 6 with the earlier run, and two starts at once are one run', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  writeFileSync(file, `${HEADER}\n${ROW}\n${ROW.replace('12.50', '7.25')}\n`);
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const command = ['run', file, '--yes', '--json', '--rate', '0', ...service.options, ...where];
  const starts = await Promise.all([payrun(command), payrun(command)]);
  const [paid, refused] = starts.toSorted((one, other) => Number(one.exit) - Number(other.exit));
  expect(paid?.exit).toBe(0);
  // On a busy machine the other's transaction may take longer than anybody waits for it: that is a refusal too.
  expect(`${refused?.exit}: ${refused?.stderr}`).toMatch(/^(6: |7: .*keeps the journal locked|7: .*is locked by)/s);
  const { run_id } = JSON.parse(paid?.stdout ?? '');
  const again = await payrun(command);
  expect(again.exit).toBe(6);
  expect(again.stderr).toContain(run_id);
  expect(JSON.parse(again.stdout)).toMatchObject({ run_id, state: 'refused', exit: 6 });
  expect((await arrivals(service))['transaction.transfer']).toBe(2);
  const allowed = await payrun([...command, '--allow-repeat', run_id]);
  expect(allowed.exit).toBe(0);
  expect((await arrivals(service))['transaction.transfer']).toBe(4);
  // One name allows one run: the same words once more are not that wish again.
  const once = await payrun([...command, '--allow-repeat', run_id]);
  expect(once.exit).toBe(6);
  expect(JSON.parse(once.stdout)).toMatchObject({ run_id: JSON.parse(allowed.stdout).run_id, state: 'refused' });
  expect((await arrivals(service))['transaction.transfer']).toBe(4);
  // The payee and the account were known: nothing was created a second time.
  expect((await arrivals(service))['account.recipient.create']).toBe(1);
});

test('without a terminal a question is a refusal', async () => {
  const folder = temporaryFolder();
  const { exit, stderr } = await payrun(['run', payroll, '--data-dir', join(folder, 'data')]);
  expect(exit).toBe(6);
  expect(stderr).toContain('--yes');
});

test('a balance that is short is exit 6 and nothing is created', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  writeFileSync(file, `${HEADER}\n${ROW.replace('12.50', '99999999999.00')}\n`);
  const { exit, stderr } = await payrun(['run', file, '--yes', ...service.options, '--data-dir', join(folder, 'data')]);
  expect(exit).toBe(6);
  expect(stderr).toMatch(/balance is short/i);
  expect(changing(await arrivals(service))).toBe(0);
});

test.each([
  [['run'], /input|positional|argument/i],
  [['rn', 'x.csv'], /Did you mean run/],
  [['run', 'x.csv', '--no-such-option'], /Unknown argument/],
  [['run', 'x.csv', '--rate', 'fast'], /--rate/],
  [['run', 'x.csv', '--base-url', 'http://payouts.example/'], /TLS/],
  [['run', 'x.csv', '--base-url', 'https://payouts.example/'], /--api-key/],
  [['resume', 'R20260101-NOSUCHRN'], /journal|no run/],
  [['show', 'R20260101-NOSUCHRN'], /journal|no run/],
  [[], /command is missing/],
])('wrong usage %j is exit 2', async (args, message) => {
  const folder = temporaryFolder();
  const { exit, stderr } = await payrun(args, { cwd: folder });
  expect(stderr).toMatch(message);
  expect(exit).toBe(2);
});

const COMMANDS: readonly [string, ...string[]][] = [
  ['check', 'x.csv'],
  ['plan', 'x.csv'],
  ['approve', 'R1'],
  ['run', 'x.csv'],
  ['resume', 'R1'],
  ['retry', 'R1'],
  ['resolve', 'R1', '2'],
  ['cancel', 'R1'],
  ['jobs'],
  ['runs'],
  ['show', 'R1'],
  ['report', 'R1'],
  ['verify', 'R1'],
  ['template'],
  ['schedule'],
  ['service'],
  ['service', 'verify'],
  ['keys', 'new'],
];

test('with --json wrong usage is one object on standard output, of every command', async () => {
  const folder = temporaryFolder();
  const lines: [string[], RegExp][] = [
    ...COMMANDS.map((words): [string[], RegExp] => [[...words, '--nonsense'], /Unknown argument: nonsense/]),
    [['show'], /\S/],
    [['runs', 'extra'], /Unknown argument: extra/],
    [['rn', 'x.csv'], /Did you mean run/],
    [[], /command is missing/],
  ];
  for (const [args, message] of lines) {
    const { exit, stdout, stderr } = await payrun([...args, '--json'], { cwd: folder });
    expect([args, exit, stderr]).toEqual([args, 2, expect.stringMatching(message)]);
    expect(stdout, args.join(' ')).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(stdout)).toEqual({
      run_id: null,
      state: 'refused',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(/^See: payrun( [a-z ]+)? --help$/),
      exit: 2,
    });
  }
  const inEnvironment = await payrun(['runs', 'extra'], { cwd: folder, env: { PAYRUN_JSON: 'yes' } });
  expect(JSON.parse(inEnvironment.stdout)).toMatchObject({ exit: 2 });
  for (const args of [
    ['runs', 'extra'],
    ['runs', 'extra', '--json', '--no-json'],
  ])
    expect((await payrun(args, { cwd: folder })).stdout, args.join(' ')).toBe('');
});

test('a profile is read from YAML, and a mistake in it is named by line and column', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  mkdirSync(join(folder, 'profiles'));
  const profile = join(folder, 'profiles/rehearsal.yaml');
  const lines = [
    `base_url: ${service.base_url}`,
    'api_key: env:PAYOUT_KEY_ID',
    `signing_key_file: ${service.signing_key_file}`,
    'request_lifetime: 20s',
    'rate: 50/s',
  ];
  writeFileSync(profile, `${lines.join('\n')}\n`);
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const env = { PAYOUT_KEY_ID: service.api_key };
  const paid = await payrun(['run', payroll, '--yes', '--profile', profile, ...where], { env });
  expect(paid.exit).toBe(4);
  writeFileSync(profile, `${lines.join('\n')}\nretries: 3\n`);
  const refused = await payrun(['run', payroll, '--yes', '--profile', profile, ...where], { env });
  expect(refused.exit).toBe(2);
  expect(refused.stderr).toMatch(/rehearsal\.yaml:6:\d+: there is no key retries; the keys here are base_url/);
  expect(readFileSync(profile, 'utf8')).toContain('retries');
});
