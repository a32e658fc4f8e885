import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answeredWith } from '../support/altered-service.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { copyJournal, readImage, tokenOf } from '../support/journal-image.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { plainPayroll } from '../support/plain-payroll.ts';
import { allTransactions, arrivals, untilArrived } from '../support/service-admin.ts';
import { smallService } from '../support/small-service.ts';
import { type Exchange, hasSecondLoopback, pass, tcpProxy } from '../support/tcp-proxy.ts';

const ROWS = 30;

type Answer = { data: { external_account_metadata: Place | null } };
type Display = (place: Place) => Place;
type Place = Record<'account_name' | 'account_number', string> & { id?: string };

/**
 * A run that has paid everybody, and in `copy` a backup of its journal from when it was at work. Where there are
 * `displays`, the service shows where the money of each transaction went by one of them.
 */
async function oldCopy(displays: Display[] = []) {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const proxy = displays.length > 0 ? await tcpProxy(service.base_url) : null;
  let shown = 0;
  proxy?.decide(({ operation }) => {
    if (operation !== 'transaction.get') return pass;
    const display = displays[shown++ % displays.length] ?? ((place) => place);
    return answeredWith((body: Answer) => displayed(body, display));
  });
  const { api_key, signing_key_file } = service;
  const base = ['--base-url', proxy?.baseUrl ?? service.base_url];
  const reach = [...base, '--api-key', api_key, '--signing-key', signing_key_file];
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 25, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 6s\nconcurrency: 2\nlisting_lag: 0s\n');
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const rest = ['--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--json'];
  const where = ['--data-dir', data, ...rest];
  const running = start(['run', file, '--yes', '--rate', '40/s', '--profile', profile, ...reach, ...where]);
  await untilArrived(service, 10);
  running.child.kill('SIGSTOP');
  copyJournal(data, copy);
  running.child.kill('SIGCONT');
  expect((await running.ended).exit).toBe(0);
  const old = await readImage(copy);
  expect(old.tokens.size).toBeLessThan(ROWS);
  return { service, old, of: [String(old.runId), '--data-dir', copy, ...rest] };
}

/** Nothing in what is shown tells the account's id. */
function displayed({ data }: Answer, display: Display): object {
  const { external_account_metadata: place } = data;
  if (place === null) return { data };
  const { id: _, ...shown } = display(place);
  return { data: { ...data, external_account_metadata: shown } };
}

/** How other services show a payee's name and account. */
const DISPLAYS: Display[] = [
  (place) => ({ ...place, account_name: place.account_name.slice(0, 12) }),
  (place) => ({ ...place, account_name: place.account_name.replaceAll('y', 'ÿ').replaceAll('e', 'ë') }),
  (place) => ({ ...place, account_name: place.account_name.split(' ').reverse().join(' ') }),
  (place) => ({ ...place, account_name: '' }),
  (place) => ({ ...place, account_number: `${place.account_number.slice(-4)}••••` }),
  (place) => ({ ...place, account_number: `•••••${place.account_number.slice(-3)}` }),
  (place) => ({ ...place, account_number: 'XXXX' }),
];

test.skipIf(!(await hasSecondLoopback()))(
  'an old backup is put back, and the service shows names and accounts in other ways: nobody is paid twice, and each is named',
  async () => {
    const { service, old, of } = await oldCopy(DISPLAYS);
    const unknown = (await allTransactions(service)).filter((record) => !old.tokens.has(tokenOf(record)));
    for (const _ of [1, 2]) {
      const resumed = await payrun(['resume', ...of]);
      expect(await allTransactions(service)).toHaveLength(ROWS);
      expect(resumed.exit).toBe(5);
      expect(JSON.parse(resumed.stdout).counts).toMatchObject({
        unresolved: ROWS - old.tokens.size,
        completed: old.tokens.size,
      });
    }
    const [runId, dataDir, data] = of;
    const shown = await payrun(['show', String(runId), String(dataDir), String(data)]);
    for (const { id } of unknown) expect(shown.stdout).toContain(id);
  },
);

test.skipIf(!(await hasSecondLoopback()))(
  'an old backup is put back while a request of the killed process is under way: it is outlived, and nobody is paid twice',
  async () => {
    const { folder, service, proxy, run, resume, data } = await place();
    const copy = join(folder, 'copy');
    const running = start(run);
    const held = Promise.withResolvers<Exchange>();
    let sent = 0;
    proxy.decide((exchange) => {
      if (exchange.operation !== 'transaction.transfer') return pass;
      sent++;
      if (sent < 3) return pass;
      if (sent === 3) {
        // The backup is of now; the next payout is written after it.
        running.child.kill('SIGSTOP');
        copyJournal(data, copy);
        running.child.kill('SIGCONT');
        return pass;
      }
      return async () => held.resolve(exchange);
    });
    const late = await held.promise;
    running.child.kill('SIGKILL');
    await running.ended;
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm']) rmSync(join(data, name), { force: true });
    copyJournal(copy, data);
    proxy.decide((exchange) => {
      const isAgain = exchange.operation === 'transaction.transfer' && amountOf(exchange) === amountOf(late);
      if (!isAgain) return pass;
      return async (again) => {
        await late.deliver();
        await pass(again);
      };
    });
    const resumed = await payrun(['resume', String((await readImage(copy)).runId), ...resume]);
    const paid = await allTransactions(service);
    const same = paid.filter(({ currency_out }) => currency_out.value === amountOf(late)).map(({ id }) => id);
    expect([resumed.exit, paid.length, same.length]).toEqual([0, 6, 1]);
  },
);

const amountOf = ({ body }: Exchange): string => /"value":"(\d+)"/.exec(body)?.[1] ?? '';

async function place() {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const proxy = await tcpProxy(service.base_url);
  const profile = 'request_lifetime: 6s\nconcurrency: 1\nlisting_lag: 1s\n';
  const { command, resume } = plainPayroll({ folder, service, proxy, rows: 6, profile });
  return { folder, service, proxy, run: command, resume, data: join(folder, 'data') };
}

test('scenario 25: an old backup of the journal is put back after everybody was paid: it sends nothing and exits 5', async () => {
  const { service, old, of } = await oldCopy();
  const asked = await arrivals(service);
  // A second time too: what it found stays found.
  for (const _ of [1, 2]) {
    const resumed = await payrun(['resume', ...of]);
    expect(resumed.exit).toBe(5);
    const { counts } = JSON.parse(resumed.stdout);
    expect(counts.unresolved).toBe(ROWS - old.tokens.size);
    expect(counts.completed).toBe(old.tokens.size);
  }
  const now = await arrivals(service);
  for (const name of Object.keys(now)) if (/transfer|create|add/.test(name)) expect(now[name]).toBe(asked[name]);
  expect(await allTransactions(service)).toHaveLength(ROWS);
});

test('an old backup that is cancelled calls nobody unpaid whom the lost journal has paid', async () => {
  const { old, of } = await oldCopy();
  const away = await payrun(['cancel', ...of, '--base-url', 'http://127.0.0.1:9']);
  expect(away.exit).toBe(5);
  expect(JSON.parse(away.stdout)).toMatchObject({ not_submitted: 0, waiting: ROWS - old.tokens.size, exit: 5 });
  const cancelled = await payrun(['cancel', ...of]);
  expect(cancelled).toMatchObject({ exit: 5, stderr: '' });
  const { counts, ...said } = JSON.parse(cancelled.stdout);
  expect(said).toMatchObject({ cancelled: true, not_submitted: 0, waiting: 0, exit: 5 });
  expect(counts).toMatchObject({ not_submitted: 0, unresolved: ROWS - counts.completed });
  const resumed = await payrun(['resume', ...of]);
  expect(resumed.exit).toBe(5);
  const { completed, unresolved } = JSON.parse(resumed.stdout).counts;
  expect({ completed, unresolved }).toEqual({ completed: old.tokens.size, unresolved: ROWS - old.tokens.size });
});

test('cancelled while the service cannot be asked: its rows wait, the next command looks, and a person settles what it finds', async () => {
  const behaviour: Parameters<typeof smallService>[0] = { listStatus: 503 };
  const service = await smallService(behaviour);
  const at = new Date().toISOString();
  const currency_out = { value: '200', code: 'AUD', decimals: 2 };
  service.transfers.push({ id: 'old3', at, currency_out, account: 'a2', description: 'salary PR0123456789ABC' });
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  writeFileSync(file, 'name,amount,currency,external_account_id\nAda,1.00,AUD,a1\nBen,2.00,AUD,a2\n');
  const place = ['--data-dir', join(folder, 'data')];
  const reach = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--rate', '0'];
  const run = await payrun([
    'run',
    file,
    '--yes',
    ...reach,
    '--report-dir',
    join(folder, 'reports'),
    '--json',
    ...place,
  ]);
  expect(run.exit).toBe(8);
  const id: string = JSON.parse(run.stdout).run_id;
  const resume = `payrun resume ${id} --data-dir ${place[1]}`;

  const away = await payrun(['cancel', id, '--quiet', ...place]);
  expect(away).toMatchObject({ exit: 8, stderr: '' });
  expect(away.stdout).toMatch(
    new RegExp(
      `^Run ${id} is cancelled: nothing more of it is submitted\\.
2 payouts wait: it could not be looked up whether any of them was paid already\\. Do not pay them by other means before that\\.
The check stopped: the service is unavailable \\(HTTP 503\\)\\. Wait until it is back\\.
Wait until the service answers\\.
look again   ${resume}
$`,
    ),
  );
  const closed = ['--base-url', 'http://127.0.0.1:9'];
  for (const [options, exit] of [
    [closed, 8],
    [['--signing-key', join(folder, 'none.pem')], 2],
  ] as const) {
    const again = await payrun(['cancel', id, '--json', ...options, ...place]);
    expect(again.exit).toBe(exit);
    expect(JSON.parse(again.stdout)).toMatchObject({
      cancelled: true,
      not_submitted: 0,
      waiting: 2,
      in_doubt: 0,
      exit,
    });
    expect(JSON.parse(again.stdout).remedy).toContain(resume);
  }
  const { counts, payouts } = JSON.parse((await payrun(['show', id, '--json', ...place])).stdout);
  expect(counts).toMatchObject({ not_submitted: 0, unresolved: 2 });
  expect(payouts[0]).toMatchObject({ state: 'waiting', problem_code: 'not_looked_up' });

  behaviour.listStatus = undefined;
  const looked = await payrun(['cancel', id, '--quiet', ...place]);
  expect(looked).toMatchObject({ exit: 5, stderr: '' });
  expect(looked.stdout).toBe(`Run ${id} was cancelled before: nothing more of it is submitted.
1 payout was not sent.
1 payout is perhaps paid already: the service holds payments like it that this journal does not know. Do not pay it by other means before you have looked.
see each     payrun show ${id} --data-dir ${place[1]}
look again   ${resume}
`);
  expect((await payrun(['resolve', id, '3', '--sent', 'old3', '--yes', ...place])).exit).toBe(0);
  const ended = await payrun(['resume', id, '--json', ...place]);
  expect(ended.exit).toBe(4);
  expect(JSON.parse(ended.stdout).counts).toMatchObject({ completed: 1, not_submitted: 1 });
  expect(service.transfers).toHaveLength(1);
});
