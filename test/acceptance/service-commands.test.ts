import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import {
  payrun,
  type ReadyService,
  type ServiceProcess,
  startService,
  startServiceProcess,
  temporaryFolder,
} from '../support/payrun.ts';

const folderOf = (dataDir: string) => join(dataDir, 'service');
const listeningOf = (dataDir: string) => join(folderOf(dataDir), 'listening.json');

/** The port of another program on this machine. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function pay(service: ReadyService, dataDir: string) {
  const where = ['--data-dir', dataDir, '--report-dir', join(dataDir, 'reports')];
  return payrun(['run', join('samples', 'payroll.csv'), '--yes', '--rate', '0', ...where, ...service.options]);
}

async function stop(service: ServiceProcess): Promise<void> {
  service.started.child.kill('SIGTERM');
  expect((await service.started.ended).exit).toBe(0);
}

test('service admin finds the running service by its data directory, and only needs that', async () => {
  const dataDir = temporaryFolder();
  const service = await startServiceProcess({ dataDir });
  const admin = (...words: string[]) => payrun(['service', 'admin', ...words, '--data-dir', dataDir]);
  const data = async (...words: string[]) => {
    const { exit, stdout, stderr } = await admin(...words);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  expect(statSync(listeningOf(dataDir)).mode & 0o777).toBe(0o600);
  expect(await data('state')).toMatchObject({ customer_id: service.customer_id, frozen: false });
  expect(await data('clock.advance', 'ms=86400000')).toMatchObject({ clock_offset_ms: 86_400_000 });
  expect(await data('balance.set', 'code=GBP', 'value=5000')).toEqual({ available: '5000' });
  expect(await data('balance.set', '{"code": "USDC", "chain": "polygon", "value": "7"}')).toEqual({ available: '7' });
  const fault = await data('fault.add', 'operation=transaction.get', 'kind=429', 'probability=0.5');
  expect(fault).toMatchObject({ kind: '429', probability: 0.5 });
  const named = await payrun(['service', 'admin', 'fault.list', '--admin-url', service.admin_url]);
  expect(JSON.parse(named.stdout)).toMatchObject([{ id: fault.id }]);
  for (const [words, problem] of [
    [['clock.set', 'unix_ms=1'], /^clock\.set: unix_ms: the clock goes only forward/],
    [['transaction.settle', 'id=txn_none'], /^transaction\.settle: there is no such transaction/],
    [['no.such'], /^no\.such: there is no such admin operation/],
    [['clock.advance', 'a-day'], /^a-day is neither key=value nor a JSON object/],
    [['state', '--admin-url', 'http://192.0.2.1:8791'], /is not an admin port on loopback/],
  ] as const) {
    const { exit, stdout, stderr } = await admin(...words);
    expect({ exit, stdout }, stderr).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(problem);
  }
  await stop(service);
  expect(existsSync(listeningOf(dataDir))).toBe(false);
  const after = await admin('state');
  expect(after.exit).toBe(8);
  expect(after.stderr).toMatch(/^No service with an admin port is running on the data in/);
});

test('service admin is not taken in by what a killed service has left', async () => {
  const dataDir = temporaryFolder();
  const killed = await startServiceProcess({ dataDir });
  killed.started.child.kill('SIGKILL');
  await killed.started.ended;
  const gone = await payrun(['service', 'admin', 'state', '--data-dir', dataDir]);
  expect(gone).toMatchObject({ exit: 8, stdout: '' });
  expect(gone.stderr).toMatch(/does not answer at/);
  // Now somebody else has the port: another service, and then another program.
  const other = await startService({ dataDir: temporaryFolder() });
  const left = JSON.parse(readFileSync(listeningOf(dataDir), 'utf8'));
  writeFileSync(listeningOf(dataDir), JSON.stringify({ ...left, admin_url: other.admin_url }));
  const mistaken = await payrun(['service', 'admin', 'clock.advance', 'ms=5', '--data-dir', dataDir]);
  expect(mistaken).toMatchObject({ exit: 8, stdout: '' });
  expect(mistaken.stderr).toMatch(/another program answers/);
  const untouched = await payrun(['service', 'admin', 'state', '--admin-url', other.admin_url]);
  expect(JSON.parse(untouched.stdout).clock_offset_ms).toBe(0);
  const port = await listen((_request, response) => response.end('{"data":{}}'));
  writeFileSync(listeningOf(dataDir), JSON.stringify({ ...left, admin_url: `http://127.0.0.1:${port}` }));
  expect((await payrun(['service', 'admin', 'state', '--data-dir', dataDir])).stderr).toMatch(
    /another program answers/,
  );
  const again = await startServiceProcess({ dataDir });
  expect((await payrun(['service', 'admin', 'state', '--data-dir', dataDir])).exit).toBe(0);
  await stop(again);
});

test('service verify recomputes the books, beside a running service too, and finds what was changed', async () => {
  const dataDir = temporaryFolder();
  const verify = (...more: string[]) => payrun(['service', 'verify', '--data-dir', dataDir, ...more]);
  expect(await verify()).toMatchObject({ exit: 2, stdout: '' });
  const service = await startServiceProcess({ dataDir });
  expect((await pay(service, dataDir)).exit).toBe(0);
  const beside = await verify('--json');
  expect(beside).toMatchObject({ exit: 0, stderr: '' });
  const counted = JSON.parse(beside.stdout);
  expect(counted).toMatchObject({ findings: [], exit: 0 });
  expect(counted.transactions).toBeGreaterThan(0);
  expect(counted.postings).toBeGreaterThan(counted.transactions);
  await stop(service);
  expect((await verify()).stdout).toMatch(/every balance is the sum of its postings, and nothing is wrong/);
  const database = join(folderOf(dataDir), 'service.db');
  copyFileSync(database, join(dataDir, 'sound.db'));
  const store = openDatabase(database);
  store.exec(
    "UPDATE ledger_account SET credits_posted = credits_posted + 1 WHERE owner LIKE 'customer:%' AND code = 'GBP'",
  );
  store.close();
  const text = await verify();
  expect(text.exit).toBe(5);
  expect(text.stdout).toMatch(/: \d findings\.\n- customer:1 GBP: posted credits are kept as/);
  expect(JSON.parse((await verify('--json')).stdout)).toMatchObject({
    findings: expect.arrayContaining([expect.stringMatching(/^customer:1 GBP/)]),
    exit: 5,
  });
  const bytes = readFileSync(join(dataDir, 'sound.db'));
  writeFileSync(database, bytes.fill(0x5a, 8_192, 40_960));
  expect(await verify()).toMatchObject({ exit: 5, stdout: expect.stringMatching(/damaged/) });
  writeFileSync(database, 'no database '.repeat(1_000));
  expect(await verify()).toMatchObject({ exit: 5, stdout: expect.stringMatching(/damaged/) });
});

test('service --webhook and service webhook register, list, replay and remove', async () => {
  const heard: string[] = [];
  const port = await listen((request, response) => {
    heard.push(`${request.url} ${request.headers['webhook-id']}`);
    request.resume().on('end', () => response.end());
  });
  const url = (path: string) => `http://127.0.0.1:${port}/${path}`;
  const dataDir = temporaryFolder();
  const refused = await payrun([
    'service',
    '--data-dir',
    dataDir,
    '--port',
    '0',
    '--admin-port',
    '0',
    '--webhook',
    url('a'),
  ]);
  expect(refused.exit).toBe(2);
  expect(refused.stderr).toMatch(/--allow-private-webhooks/);
  const service = await startServiceProcess({ dataDir, args: ['--webhook', url('a'), '--allow-private-webhooks'] });
  const webhook = async (...words: string[]) => {
    const { exit, stdout, stderr } = await payrun(['service', 'webhook', ...words, '--data-dir', dataDir]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const added = await webhook('add', url('b'), '--secret');
  expect(added).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
    public_key: expect.stringMatching(/^whpk_/),
  });
  const { endpoints } = await webhook('list');
  expect(endpoints.map((endpoint: { url: string }) => endpoint.url)).toEqual([url('a'), url('b')]);
  expect((await pay(service, dataDir)).exit).toBe(0);
  const { deliveries } = await webhook('deliveries', '--limit', '5');
  expect(deliveries).toHaveLength(5);
  const [event] = heard.map((line) => line.split(' ')[1] ?? '');
  expect(event).toMatch(/^evt_/);
  const times = () => heard.filter((line) => line === `/b ${event}`).length;
  const before = times();
  expect(await webhook('replay', '--event', event ?? '')).toEqual({ deliveries: 2 });
  await expect.poll(times).toBe(before + 1);
  expect(await webhook('remove', added.id)).toEqual({ id: added.id });
  expect((await webhook('list')).endpoints).toHaveLength(1);
  const nothing = await payrun(['service', 'webhook', 'replay', '--data-dir', dataDir]);
  expect(nothing.exit).toBe(2);
  await stop(service);
});
