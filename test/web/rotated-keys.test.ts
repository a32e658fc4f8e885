import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signingKey } from '../../src/keys/ed25519.ts';
import { privateKeyPem } from '../../src/keys/pkcs8.ts';
import { ROLES_SQL } from '../journal/postgres-place.ts';
import { dropDatabase, newPageDatabase } from '../support/page-database.ts';
import { payrun, type ReadyService, start, startService } from '../support/payrun.ts';
import { statements } from '../support/postgres.ts';
import { admin, allTransactions } from '../support/service-admin.ts';
import { hasSecondLoopback, pass, tcpProxy } from '../support/tcp-proxy.ts';
import {
  addConnection,
  approve,
  connected,
  count,
  HEADER,
  keys,
  office,
  PRIVATE,
  putKey,
  reached,
  sheetOf,
} from './connected-office.ts';
import { caller, isOver, plan, until } from './page-process.ts';
import { PASSWORD } from './web-page.ts';

const ROWS = 24;
const PAYROLL = [HEADER, ...payees(ROWS)].join('\n');
const CONNECTION = 'northwind';
const PATH = `/settings/connections/${CONNECTION}`;

function payees(rows: number): string[] {
  return Array.from(
    { length: rows },
    (_, at) => `E${at},Payee ${at},${at + 1}.00,AUD,AUD_NPP,${10_000_000 + at},062-000`,
  );
}

/** Registers another key of the same customer, and puts it where the page may use it. */
async function newKey(service: ReadyService, dataDir: string): Promise<ReadyService> {
  const seed = new Uint8Array(32).fill(7);
  const { publicKey } = signingKey(seed);
  const added = await admin(service, 'key.add', { public_key: Buffer.from(publicKey).toString('hex') });
  const file = join(dataDir, 'next.pem');
  writeFileSync(file, privateKeyPem(seed), { mode: 0o600 });
  putKey(dataDir, 'next.pem', file);
  return { ...service, api_key: (added as { id: string }).id, signing_key_file: file };
}

/** A page with a connection by way of a proxy, over which an approved payment of many is ready to be started. */
async function ready() {
  const desk = await office({ args: [...PRIVATE] });
  const service = await startService({ dataDir: join(desk.folder, 'service') });
  const proxy = await tcpProxy(service.base_url);
  putKey(desk.dataDir, 'first.pem', service.signing_key_file);
  const profile = [
    `base_url: "${proxy.baseUrl}"`,
    `api_key: ${service.api_key}`,
    'signing_key_file: first.pem',
    'rate: "0"',
    'concurrency: 4',
    'request_lifetime: 2s',
    'listing_lag: 0s',
  ].join('\n');
  const added = await addConnection(desk.omar, { name: 'Northwind', profile });
  expect(added.location, added.text).toBe(`${PATH}?done=added`);
  const { anna, ben } = desk;
  const run = await plan(anna, await anna.upload('July.csv', PAYROLL, { connection: CONNECTION }));
  await approve(ben, run, `${(ROWS * (ROWS + 1)) / 2}.00`);
  return { ...desk, service, proxy, run };
}

type Ready = Awaited<ReturnType<typeof ready>>;

/**
 * Rotates the key of the connection while payout number `at` is on its way: that one takes effect, and its answer is lost. Those
 * behind it reach the service after the rotation.
 */
async function rotatedAt(at: number, { isRevoked }: { isRevoked: boolean }, { proxy, service, omar, dataDir }: Ready) {
  const [reached, rotated] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let payouts = 0;
  proxy.decide(({ operation }) => {
    if (operation !== 'transaction.transfer' || ++payouts < at) return pass;
    const isLost = payouts === at;
    return async (exchange) => {
      if (isLost) await exchange.deliver();
      reached.resolve();
      await rotated.promise;
      if (isLost) exchange.socket.destroy();
      else await pass(exchange);
    };
  });
  const work = async () => {
    await reached.promise;
    const next = await newKey(service, dataDir);
    expect((await omar.post(`${PATH}/rotate`, keys(next, 'next.pem'))).location).toBe(`${PATH}?done=rotated`);
    if (isRevoked) await admin(service, 'key.revoke', { id: service.api_key });
    rotated.resolve();
    return next;
  };
  return work();
}

/** Starts the payment, whose key is rotated and revoked while payout number `at` is on its way, and waits until it has stopped. */
async function stoppedAt(at: number, here: Ready) {
  const { anna, run } = here;
  const rotating = rotatedAt(at, { isRevoked: true }, here);
  await anna.post(`${run}/start`);
  const next = await rotating;
  const { text } = await until(anna, run, (reply) => /The key was refused|Download the report/.test(reply.text));
  expect(text).toMatch(
    /the key was revoked\. If the key has not been replaced yet, an administrator does that in Settings/,
  );
  return { next };
}

async function expectPaidOnce(service: ReadyService): Promise<void> {
  const paid = (await allTransactions(service)).map(({ currency_out }) => Number(currency_out.value) / 100);
  expect(paid.toSorted((one, other) => one - other)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1));
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
}

const proxied = test.runIf(await hasSecondLoopback());

proxied('a run goes on to its end with the key that it began with, while its connection has another one', async () => {
  const here = await ready();
  const { anna, run } = here;
  const rotating = rotatedAt(9, { isRevoked: false }, here);
  await anna.post(`${run}/start`);
  const next = await rotating;
  const over = await until(anna, run, ({ text }) => /Download the report|was refused/.test(text));
  expect(over.text).toContain('Completed');
  await expectPaidOnce(next);
});

proxied.each([
  ['among many payouts', 9],
  ['during the first payout', 1],
])(
  'a run whose key is revoked %s stops, says why, and goes on with the new one: nobody is paid twice',
  async (_, at) => {
    const here = await ready();
    const { anna, run } = here;
    const { next } = await stoppedAt(at, here);
    expect((await anna.post(`${run}/resume`)).location).toBe(run);
    const over = await until(anna, run, ({ text }) => /Download the report|class="notice wrong"/.test(text));
    expect(over.text).toContain('Completed');
    await expectPaidOnce(next);
  },
);

proxied(
  'a command goes on with a run of the page with the present key of its connection, or says what it lacks',
  async () => {
    const here = await ready();
    const { anna, run, dataDir, folder } = here;
    const { next } = await stoppedAt(9, here);
    const runId = run.split('/')[2] ?? '';
    const resume = (where: string) => payrun(['resume', runId, '--data-dir', where, '--json']);
    // The journal without what the page keeps.
    const copy = join(folder, 'copy');
    cpSync(dataDir, copy, { recursive: true, filter: (path) => path !== join(dataDir, 'web') });
    const lost = await resume(copy);
    expect(lost).toMatchObject({ exit: 2 });
    expect(JSON.parse(lost.stdout)).toMatchObject({
      message: `${runId} was started over the page's connection northwind, which ${copy} does not have.`,
      remedy: expect.stringContaining(`payrun resume ${runId} --profile FILE`),
    });
    const resumed = await resume(dataDir);
    expect(resumed, resumed.stderr).toMatchObject({ exit: 0 });
    await until(anna, run, isOver);
    await expectPaidOnce(next);
  },
);

proxied(
  'workers pay each run that a page leaves to them over its own connection: with its limits, and its key of now',
  async () => {
    const database = await newPageDatabase({ hasQueue: true });
    onTestFinished(() => dropDatabase(database));
    const args = [...PRIVATE, '--detach', '--concurrency', '8'];
    const desk = await connected({ args, database: database.as('payrun_owner') });
    const { omar, anna, ben, folder, dataDir, journal, live, sandbox } = desk;
    // Its tables are there since the page began: the guide gives permissions on them by the same file.
    await statements(database.admin, ROLES_SQL);
    const slow = { name: 'Northwind slow', ...reached(live, 'live.pem'), concurrency: '2' };
    expect((await addConnection(omar, slow)).location).toBe('/settings/connections/northwind-slow?done=added');
    let [underWay, most] = [0, 0];
    live.proxy.decide(({ operation }) => {
      if (operation !== 'transaction.transfer') return live.fate;
      return async (exchange) => {
        most = Math.max(most, ++underWay);
        await live.fate(exchange).finally(() => underWay--);
      };
    });
    const started = async (name: string, connection: string, rows: number) => {
      const lines = payees(rows);
      const run = await plan(anna, await anna.upload(`${name}.csv`, [HEADER, ...lines].join('\n'), { connection }));
      await approve(ben, run, `${(rows * (rows + 1)) / 2}.00`);
      expect((await anna.post(`${run}/start`)).location).toBe(run);
      // The service was asked by then, with the key of then.
      const isStarted = async () => (await journal.listStartedRuns(10)).some(({ run_id }) => run.endsWith(run_id));
      await expect.poll(isStarted, { timeout: 60_000 }).toBe(true);
      return run;
    };
    const runs = [await started('Slow', 'northwind-slow', 9), await started('Sandbox', 'northwind-sandbox', 4)];
    const next = await newKey(sandbox, dataDir);
    const path = '/settings/connections/northwind-sandbox';
    expect((await omar.post(`${path}/rotate`, keys(next, 'next.pem'))).location).toBe(`${path}?done=rotated`);
    await admin(sandbox, 'key.revoke', { id: sandbox.api_key });
    const where = ['--data-dir', join(folder, 'worker'), '--database', database.as('payrun_worker')];
    const worker = start(['worker', '--json', ...where, '--poll-every', '20ms']);
    await worker.wrote('"event":"ready"');
    for (const run of runs) await until(anna, run, isOver);
    expect([await count(live), await count(next)]).toEqual([9, 4]);
    expect(most).toBe(2);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ exit: 0 });
  },
);

proxied(
  'returns are looked for over a connection that is rotated and disabled; where its key works no more, the page says so',
  async () => {
    const { omar, anna, ben, dataDir, sandbox, restart } = await connected();
    const [connection, path] = ['northwind-sandbox', '/settings/connections/northwind-sandbox'];
    const run = await plan(anna, await anna.upload('July.csv', sheetOf('Ada Byron'), { connection }));
    await approve(ben, run);
    await anna.post(`${run}/start`);
    await until(anna, run, isOver);
    const [transaction] = await allTransactions(sandbox);
    const next = await newKey(sandbox, dataDir);
    expect((await omar.post(`${path}/rotate`, keys(next, 'next.pem'))).location).toBe(`${path}?done=rotated`);
    await admin(sandbox, 'key.revoke', { id: sandbox.api_key });
    expect((await omar.post(`${path}/disable`)).location).toBe(`${path}?done=disabled`);
    await admin(sandbox, 'transaction.return', { id: transaction?.id });
    // It looks when it begins, and every ten minutes.
    const signIn = async (url: string, name: string) => {
      const one = caller(url);
      await one.post('/sign-in', { name, password: PASSWORD });
      return one;
    };
    const again = await signIn(await restart(), 'Anna');
    const noticed = await until(again, '/', ({ text }) => /payout returned|not noticed/.test(text));
    expect(noticed.text).toContain('1 payout returned');

    await admin(sandbox, 'key.revoke', { id: next.api_key });
    const url = await restart();
    const last = await signIn(url, 'Anna');
    await until(last, '/', ({ text }) =>
      text.includes('Payouts over Northwind sandbox that come back are not noticed.'),
    );
    const shown = (await (await signIn(url, 'Omar')).get(path)).text;
    expect(shown).toContain('The service rejects the credentials: the key was revoked.');
  },
);
