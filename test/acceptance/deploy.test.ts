import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { validate } from 'dockerfile-utils';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { faultOf } from '../support/command-line.ts';
import { commandsOf } from '../support/guides.ts';
import { PROJECT, temporaryFolder } from '../support/payrun.ts';

vi.mock('yargs', async (original) => {
  const { parseOnly } = await import('../support/parse-only.ts');
  return { default: parseOnly((await original<typeof import('yargs')>()).default) };
});

const DEPLOY = join(PROJECT, 'samples/deploy');
const UNITS = readdirSync(join(DEPLOY, 'systemd')).filter((name) => name.endsWith('.service'));

/** How exposed a unit may be, of 10, as systemd counts: what is left is the network, and the absence of an address list. */
const EXPOSURE_MAX = 2;

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');

test('the units start commands that the program takes', async () => {
  expect(UNITS).toEqual(['payrun-schedule.service', 'payrun-web.service', 'payrun-worker.service']);
  for (const unit of UNITS) {
    const commands = read(`systemd/${unit}`)
      .split('\n')
      .flatMap((line) => commandsOf(`\`\`\`\n${line}\n\`\`\`\n`));
    expect(commands, unit).toHaveLength(1);
    for (const { words } of commands) expect(await faultOf(words), words.join(' ')).toBeNull();
  }
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'systemd takes the units, and finds them hardened (skipped where there is no systemd-analyze)',
  () => {
    const folder = join(temporaryFolder(), 'units');
    mkdirSync(folder);
    const paths = UNITS.map((unit) => {
      // It wants a program that is there.
      writeFileSync(join(folder, unit), read(`systemd/${unit}`).replace('/usr/local/bin/payrun', process.execPath));
      return join(folder, unit);
    });
    const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const { status, stderr } = analyze('verify', ...paths);
    expect([status, stderr]).toEqual([0, '']);
    for (const path of paths) {
      const { stdout } = analyze('security', '--offline=true', '--no-pager', path);
      const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
      expect(exposure, stdout).toBeLessThanOrEqual(EXPOSURE_MAX);
    }
  },
);

test('the Dockerfile has no fault that a linter finds, and ends as nobody with rights', () => {
  const text = read('Dockerfile');
  expect(validate(text)).toEqual([]);
  expect(text.match(/^USER .*$/gm)).toEqual(['USER 10001:10001']);
  // The linter finds faults.
  expect(validate(text.replace('WORKDIR /build', 'WORKDR /build'))).not.toEqual([]);
});

type Service = { image: string; command?: string[]; depends_on?: Record<string, unknown>; volumes?: string[] };

test('the Compose file starts commands that the program takes, over services and secrets that it names', async () => {
  const text = read('compose.yaml');
  const { services, volumes } = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
  const names = Object.keys(services);
  expect(names).toEqual(['database', 'roles', 'tables', 'permissions', 'worker', 'page', 'schedule']);
  for (const [name, { image, command = [], depends_on = {}, volumes: mounted = [] }] of Object.entries(services)) {
    for (const other of Object.keys(depends_on)) expect(names, name).toContain(other);
    for (const mount of mounted) {
      const [source = ''] = mount.split(':');
      if (!source.startsWith('.')) expect(Object.keys(volumes)).toContain(source);
    }
    if (image === 'payrun') expect(await faultOf(command), `${name}: ${command.join(' ')}`).toBeNull();
  }
  const header = text.slice(0, text.indexOf('name: payrun'));
  const secrets = new Set(Array.from(text.matchAll(/\$\{(\w+):\?\}/g), ([, secret = '']) => secret));
  expect(secrets.size).toBe(4);
  for (const secret of secrets) expect(header).toContain(secret);
});

test.skipIf(spawnSync('docker', ['compose', 'version']).status !== 0)(
  'Docker takes the Compose file (skipped where there is no docker compose)',
  () => {
    const secrets = ['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'WORKER_PASSWORD', 'PAYOUT_KEY_ID'];
    const env = { ...process.env, ...Object.fromEntries(secrets.map((name) => [name, 'x'])) };
    const { status, stderr } = spawnSync(
      'docker',
      ['compose', '--file', join(DEPLOY, 'compose.yaml'), 'config', '--quiet'],
      {
        encoding: 'utf8',
        env,
      },
    );
    expect([status, stderr]).toEqual([0, '']);
  },
);
