import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { newKey } from '../support/new-key.ts';
import { type Ended, payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, untilArrived } from '../support/service-admin.ts';
import { hasTerminal, inWindow } from '../support/terminal.ts';

// A terminal that is closed, and a service that says nothing.

const ROWS = 20;
const PAYMENT = 'transaction.transfer';
const json = ({ stdout }: Ended) => JSON.parse(stdout);

async function payroll(ms = 300) {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 5, mode: 'full' });
  const data = ['--data-dir', join(folder, 'data')];
  const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '50ms'];
  const slow = { operation: PAYMENT, probability: 1, kind: 'slow', ms };
  const { id } = (await admin(service, 'fault.add', slow)) as { id: string };
  const command = ['run', file, '--yes', '--concurrency', '1', ...service.options, ...where];
  const only = async () => json(await payrun(['runs', '--json', ...data])).runs[0];
  return { folder, service, data, where, command, only, faster: () => admin(service, 'fault.remove', { id }) };
}

test('SIGHUP is a SIGTERM: nothing more is submitted, exit 130; however often it comes, it is no second press', async () => {
  const { service, where, command, faster } = await payroll(3_000);
  const run = start([...command, '--json']);
  await untilArrived(service, 2);
  run.child.kill('SIGHUP');
  await run.wrote('Stopping');
  // A second Ctrl-C, half a second later or more, would leave at once.
  for (let sent = 0; sent < 12; sent++) {
    run.child.kill('SIGHUP');
    await machineClock.sleep(100);
  }
  const ended = await run.ended;
  expect([ended.exit, ended.signal]).toEqual([130, null]);
  expect(json(ended)).toMatchObject({ state: 'stopped', exit: 130, counts: { unresolved: expect.any(Number) } });
  const sent = (await allTransactions(service)).length;
  expect(sent).toBeLessThan(ROWS);
  await faster();
  const resumed = await payrun(['resume', json(ended).run_id, '--rate', '0', ...where]);
  expect(resumed.exit).toBe(0);
  expect(await allTransactions(service)).toHaveLength(ROWS);
});

test.skipIf(!hasTerminal)('a window that is closed stops the run in peace, and the log says how to go on', async () => {
  const { folder, service, data, command, only } = await payroll();
  const window = inWindow(command);
  await untilArrived(service, 3);
  const { run_id: runId } = await only();
  await window.close();
  // The journal says that the run has stopped before the reports and the log are written.
  await window.gone;
  const shown = json(await payrun(['show', runId, '--json', ...data]));
  expect(shown).toMatchObject({ state: 'stopped', stopped: 'interrupted' });
  const inDoubt = shown.payouts.filter(({ state }: { state: string }) => /sending|in_doubt/.test(state));
  expect(inDoubt).toEqual([]);
  const log = readFileSync(join(folder, 'data/logs/payrun.log'), 'utf8');
  expect(log).toContain(`payrun resume ${runId}`);
});

test('a service that takes the connection and says nothing: the progress names the wait within seconds', async () => {
  const silent = createServer((socket: Socket) => void socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: 2, path: file, seed: 5, mode: 'full' });
  const { port } = silent.address() as AddressInfo;
  const at = ['--base-url', `http://127.0.0.1:${port}`, '--api-key', 'key', '--signing-key', key];
  for (const command of ['run', 'plan']) {
    const started = start([
      command,
      file,
      ...at,
      '--data-dir',
      join(folder, 'data'),
      ...(command === 'run' ? ['--yes'] : []),
    ]);
    await started.wrote(/^Waiting for the service: no answer to account\.balance\.getMany for [34] s\.$/m);
    started.child.kill('SIGKILL');
    await started.ended;
  }
});

test('while a run is under way too, beside its progress', async () => {
  const { service, command, faster } = await payroll();
  await faster();
  await admin(service, 'fault.add', { operation: PAYMENT, nth: 1, kind: 'slow', ms: 20_000 });
  const run = start(command);
  await run.wrote(/^Waiting for the service: no answer to transaction\.transfer for [34] s\.$/m);
});

test('a service that asks for a pause, and one whose outcomes take long: the progress says until when', async () => {
  const pausing = await hostileServer((socket) => socket.write(answer(429, '', { 'retry-after': '40' })));
  onTestFinished(() => pausing.close());
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: 2, path: file, seed: 5, mode: 'full' });
  const at = ['--base-url', pausing.baseUrl, '--api-key', 'key', '--signing-key', key];
  const run = ['run', file, '--yes', '--poll-every', '2s', '--wait-timeout', '3h'];
  const paused = start([...run, ...at, '--data-dir', join(folder, 'paused')]);
  await paused.wrote(/^Waiting for the service: paused for [23] s as the service asked \(HTTP 429\), 3\d s left\.$/m);
  paused.child.kill('SIGKILL');
  const service = await startService({ dataDir: join(folder, 'service'), args: ['--settle-after', '10m'] });
  const long = start([...run, ...service.options, '--data-dir', join(folder, 'long')]);
  await long.wrote(/^waiting: 2 of 2 sent, .*waiting for \d s for outcomes, next look in \d s, 3 h left at most$/m);
  long.child.kill('SIGKILL');
  await Promise.all([paused.ended, long.ended]);
});
