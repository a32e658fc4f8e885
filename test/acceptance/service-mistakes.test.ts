import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { printWebhookPublicKey } from '../../src/contract/webhook.ts';
import { signingKey } from '../../src/keys/ed25519.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { PROJECT, payrun, startService, temporaryFolder } from '../support/payrun.ts';

/** A port of this machine that is taken. */
async function takenPort(): Promise<string> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return String(typeof address === 'object' ? address?.port : address);
}

function serviceOn(dataDir: string, ports: { port?: string; admin?: string } = {}) {
  const { port = '0', admin = '0' } = ports;
  return payrun(['service', '--data-dir', dataDir, '--port', port, '--admin-port', admin]);
}

test('service names the port that is taken, be it the public one or the admin port', async () => {
  const taken = await takenPort();
  for (const ports of [{ port: taken }, { admin: taken }]) {
    const { exit, stdout, stderr } = await serviceOn(temporaryFolder(), ports);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^Port ${taken} is taken\\.\nName another`));
  }
});

test('service says that a data directory cannot be used, and why', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  const put = (name: string, write: (path: string) => void): void => {
    mkdirSync(join(folder, name, 'service'), { recursive: true });
    write(join(folder, name, 'service', 'service.db'));
  };
  put('noise', (path) => writeFileSync(path, 'no database '.repeat(1_000)));
  put('newer', (path) => {
    const store = openDatabase(path);
    store.exec(`PRAGMA application_id = ${0x50617953}; PRAGMA user_version = 999; CREATE TABLE any (a)`);
    store.close();
  });
  for (const [name, why] of [
    ['file', /cannot be used: ENOTDIR/],
    ['noise', /cannot be used: file is not a database/],
    ['newer', /was written by a newer payrun/],
  ] as const) {
    const { exit, stderr } = await serviceOn(join(folder, name));
    expect(stderr).toMatch(why);
    expect(stderr).toMatch(/\nName another directory with --data-dir/);
    expect(exit, stderr).toBe(2);
  }
});

test('service admin says which word of a body is wrong', async () => {
  const dataDir = temporaryFolder();
  await startService({ dataDir });
  for (const [words, problem] of [
    [['clock.advance'], /^clock\.advance: ms: .*expected number/],
    [['clock.advance', 'mss=3'], /^clock\.advance: ms: .*Unrecognized key: "mss"/],
    [['clock.advance', 'ms=1', 'ms=2'], /^ms is given twice/],
    [['clock.advance', '{"ms": 1, "ms": 2}'], /^clock\.advance: .*twice/],
    [['balance.set', 'code=GBP', 'value=50.00'], /^balance\.set: value: must be a whole number/],
    [['fault.add', 'operation=transaction.transfr', 'kind=reset', 'nth=1'], /^fault\.add: operation: /],
    [['state.snapshot', 'name=../x'], /^state\.snapshot: name: 1 to 64 lower-case letters/],
    [['webhook.add', 'url=https://example.com/', 'secret=mine'], /^webhook\.add: secret: true to have one made/],
    [['webhook.replay'], /^webhook\.replay: give one of event_id, transaction_id and all_failed/],
    [['webhook.drop', 'nth=0'], /^webhook\.drop: give nth, from 1, or probability/],
  ] as const) {
    const { exit, stdout, stderr } = await payrun(['service', 'admin', ...words, '--data-dir', dataDir]);
    expect({ exit, stdout }, stderr).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(problem);
  }
  const unmoved = await payrun(['service', 'admin', 'state', '--data-dir', dataDir]);
  expect(JSON.parse(unmoved.stdout).clock_offset_ms).toBe(0);
});

test('service admin tells the public port from an admin port', async () => {
  const service = await startService({ dataDir: temporaryFolder() });
  const { exit, stderr } = await payrun(['service', 'admin', 'state', '--admin-url', service.base_url]);
  expect(stderr).toMatch(/is no admin port of payrun\./);
  expect(exit).toBe(8);
});

test('service admin webhook.add has a secret made by secret=true, as its example says', async () => {
  const dataDir = temporaryFolder();
  await startService({ dataDir, args: ['--allow-private-webhooks'] });
  const words = ['webhook.add', 'url=http://127.0.0.1:9/hook', 'secret=true'];
  const { exit, stdout, stderr } = await payrun(['service', 'admin', ...words, '--data-dir', dataDir]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(JSON.parse(stdout).secret).toMatch(/^whsec_/);
});

test('run is told to receive webhooks that its own service never sends, and refuses before anything happens', async () => {
  const key = printWebhookPublicKey(signingKey(new Uint8Array(32).fill(1)).publicKey);
  const where = ['--data-dir', temporaryFolder(), '--webhook-listen', '127.0.0.1:0', '--webhook-key', key];
  const { exit, stdout, stderr } = await payrun(['run', join('samples', 'payroll.csv'), '--yes', ...where]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toMatch(/no service to send them/);
  expect(stderr).toMatch(/--base-url/);
});

// The largest size of a file stands for a full disk: SQLite is refused the write in the same place.
test.skipIf(process.platform === 'win32')('service ends where its disk takes no more, and says so', async () => {
  const dataDir = temporaryFolder();
  const words = ['service', '--json', '--port', '0', '--admin-port', '0', '--data-dir', dataDir];
  const child = spawn(
    'sh',
    ['-c', 'ulimit -f 2000 && exec "$@"', 'sh', process.execPath, 'src/cli/main.ts', ...words],
    {
      cwd: PROJECT,
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { admin_url } = JSON.parse(line);
  const set = (value: number) =>
    fetch(`${admin_url}/balance.set`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: 'GBP', value: String(value) }),
    });
  let accepted = 0;
  // 2 MB of the log are some hundred changes.
  while (accepted < 5_000 && (await set(accepted + 1)).ok) accepted++;
  expect(accepted).toBeGreaterThan(0);
  expect((await ended)[0], stderr).toBe(5);
  expect(stderr).toMatch(/has stopped: the service could not write its data: .*\nWhat it acknowledged is kept\./);
  const after = await startService({ dataDir });
  const kept = await payrun(['service', 'admin', 'verify', '--admin-url', after.admin_url]);
  expect(JSON.parse(kept.stdout)).toEqual({ findings: [] });
});
