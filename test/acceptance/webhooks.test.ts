import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { printWebhookPublicKey } from '../../src/contract/webhook.ts';
import { signingKey } from '../../src/keys/ed25519.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { payrun, type ReadyService, type Started, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals, untilArrived } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';

// Real runs against a real service that delivers real webhooks.

const SETTLE_AFTER = '4s';

/** The look for payments that nobody knows, and the first payout by its id and by its token. */
const READS_BEFORE_POLLS = 3;

/** What a run without webhooks polls at least, before anything is final. */
const POLLS = 100;

/** For a run that has to poll, and whose polls nobody counts. */
const QUIET = '50ms';

type Ran = { report: Record<string, string>[]; polls: number; ms: number };

async function service(folder: string): Promise<ReadyService> {
  const args = ['--settle-after', SETTLE_AFTER, '--allow-private-webhooks'];
  return startService({ dataDir: join(folder, 'service'), args });
}

/** Polls so fast that polls which webhooks make needless would be many. */
async function command(folder: string, ready: ReadyService, rows: number, pollEvery = '5ms'): Promise<string[]> {
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows, path: file, seed: 11, mode: 'full' });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  return ['run', file, '--yes', '--json', '--rate', '100/s', '--poll-every', pollEvery, ...ready.options, ...where];
}

/** The options of a run that receives webhooks; `register` tells the service where, once the run listens. */
async function receiving(ready: ReadyService, port = 0) {
  const { public_key } = (await admin(ready, 'webhook.list')) as { public_key: string };
  return {
    options: ['--webhook-listen', `127.0.0.1:${port}`, '--webhook-key', public_key],
    async register(started: Started): Promise<void> {
      await started.wrote(/webhooks are received at http\S+\n/);
      const url = /received at (http\S+)/.exec(started.stderr())?.[1];
      await admin(ready, 'webhook.add', { url });
    },
  };
}

/** Waits for the end of a run all of whose payouts complete, once each. */
async function completed(ready: ReadyService, started: Started, startedMs: number, rows: number): Promise<Ran> {
  const ended = await started.ended;
  const ms = Date.now() - startedMs;
  expect(ended.stderr).not.toContain('bug');
  expect(ended.exit).toBe(0);
  const result = JSON.parse(ended.stdout);
  expect(result.counts).toEqual({ completed: rows, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 });
  const report: Record<string, string>[] = parse(readFileSync(result.report[0]), { columns: true, bom: true });
  const transactions = await allTransactionIds(ready);
  expect(report.map((row) => row.transaction_id).toSorted()).toEqual(transactions);
  // Our own look at all of them just now is one page.
  const polls = (await readsOf(ready)) - Math.ceil(rows / 500) - READS_BEFORE_POLLS;
  return { report, polls, ms };
}

async function readsOf(ready: ReadyService): Promise<number> {
  const asked = await arrivals(ready);
  return (asked['transaction.get'] ?? 0) + (asked['transaction.getMany'] ?? 0);
}

/** One that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

async function allTransactionIds(ready: ReadyService): Promise<string[]> {
  return (await allTransactions(ready)).map(({ id }) => id).toSorted();
}

test('a run with webhooks uses fewer than a tenth of the polls of one without, and both complete', async () => {
  const rows = 100;
  const plainFolder = temporaryFolder();
  const plainService = await service(plainFolder);
  const plainCommand = await command(plainFolder, plainService, rows);
  await admin(plainService, 'clock.freeze');
  const plainMs = Date.now();
  const polling = start(plainCommand);
  await untilArrived(plainService, rows);
  const sentMs = Date.now();
  while ((await readsOf(plainService)) < POLLS) await machineClock.sleep(20);
  const waitedMs = Date.now() - sentMs;
  await admin(plainService, 'clock.resume');
  const plain = await completed(plainService, polling, plainMs, rows);

  const folder = temporaryFolder();
  const ready = await service(folder);
  const { options, register } = await receiving(ready);
  const hintedCommand = [...(await command(folder, ready, rows)), ...options];
  await admin(ready, 'clock.freeze');
  const hintedMs = Date.now();
  const started = start(hintedCommand);
  await register(started);
  await untilArrived(ready, rows);
  await machineClock.sleep(waitedMs);
  await admin(ready, 'clock.resume');
  const hinted = await completed(ready, started, hintedMs, rows);

  console.log(`polls ${plain.polls} and ${hinted.polls}; ${plain.ms} ms without webhooks and ${hinted.ms} ms with`);
  expect(hinted.polls * 10).toBeLessThan(plain.polls);
  const essence = ({ report }: Ran) =>
    report.map(({ name, amount, currency, status }) => [name, amount, currency, status]);
  expect(essence(hinted)).toEqual(essence(plain));
});

testBeside('a run whose webhooks are all dropped completes', async () => {
  const rows = 12;
  const folder = temporaryFolder();
  const ready = await service(folder);
  await admin(ready, 'webhook.drop', { probability: 1 });
  const { options, register } = await receiving(ready);
  const args = [...(await command(folder, ready, rows, QUIET)), ...options];
  const startedMs = Date.now();
  const started = start(args);
  await register(started);
  const { ms } = await completed(ready, started, startedMs, rows);
  console.log(`${ms} ms with every webhook dropped`);
});

testBeside('scenario 21: a run whose webhooks come twice and in reverse completes, and pays once', async () => {
  const rows = 60;
  const folder = temporaryFolder();
  const ready = await service(folder);
  await admin(ready, 'webhook.duplicate', { nth: 7 });
  await admin(ready, 'webhook.reorder', { count: 50 });
  const { options, register } = await receiving(ready);
  const args = [...(await command(folder, ready, rows)), ...options];
  const startedMs = Date.now();
  const started = start(args);
  await register(started);
  const { polls } = await completed(ready, started, startedMs, rows);
  expect(polls).toBeLessThan(20);
});

testBeside(
  'scenario 21: a run with the key of another sender believes nobody, completes by asking, and says so',
  async () => {
    const rows = 5;
    const folder = temporaryFolder();
    const ready = await service(folder);
    const { register } = await receiving(ready);
    const key = printWebhookPublicKey(signingKey(new Uint8Array(32).fill(9)).publicKey);
    const given = ['--webhook-listen', '127.0.0.1:0', '--webhook-key', key];
    const started = start([...(await command(folder, ready, rows, QUIET)), ...given]);
    await register(started);
    await completed(ready, started, 0, rows);
    expect((await started.ended).stderr).toMatch(
      /\d+ webhooks were refused, the last one: bad_signature\. Check --webhook-key/,
    );
  },
);

test('an address that is taken is refused before anything is sent, and can be left out', async () => {
  const folder = temporaryFolder();
  const ready = await service(folder);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  try {
    const { options } = await receiving(ready);
    const args = [...(await command(folder, ready, 3, QUIET)), ...options];
    const refused = await payrun([...args, '--webhook-listen', `127.0.0.1:${port}`]);
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain(`127.0.0.1:${port} is taken`);
    expect(await arrivals(ready)).toEqual({});
    const runs = await payrun(['runs', '--json', '--data-dir', join(folder, 'data')]);
    expect(JSON.parse(runs.stdout).runs).toEqual([]);
    const without = await payrun([...args, '--webhook-listen', 'none']);
    expect(without.exit).toBe(0);
    expect(without.stderr).not.toContain('webhooks are received');
  } finally {
    taken.close();
  }
});

test('a run that was killed receives webhooks again when it is resumed', async () => {
  const rows = 30;
  const folder = temporaryFolder();
  const ready = await service(folder);
  const { options, register } = await receiving(ready, await freePort());
  await admin(ready, 'clock.freeze');
  const killed = start([...(await command(folder, ready, rows)), ...options]);
  await register(killed);
  await killed.wrote('waiting');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const data = ['--data-dir', join(folder, 'data')];
  const [run] = JSON.parse((await payrun(['runs', '--json', ...data])).stdout).runs;
  // Its profile stands in the journal: no option is needed to listen at the same place, and the sender tries again.
  const startedMs = Date.now();
  const resumed = start(['resume', run.run_id, '--json', '--report-dir', join(folder, 'reports'), ...data]);
  await resumed.wrote(/webhooks are received at http\S+\n/);
  await admin(ready, 'clock.resume');
  const { polls } = await completed(ready, resumed, startedMs, rows);
  // The first payout's proof, the look at what nobody heard, and what the webhooks woke it for.
  expect(polls).toBeLessThan(10);
});
