import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineClock } from '../../src/cli/compose.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { copyJournal, readImage } from '../support/journal-image.ts';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions, arrivals } from '../support/service-door.ts';
import { smallService } from '../support/small-service.ts';

const ROWS = 30;

/** A run that has paid everybody, and in `copy` a backup of its journal from when it was at work. */
async function oldCopy() {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 25, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 6s\nconcurrency: 2\n');
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const rest = ['--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--json'];
  const where = ['--data-dir', data, ...rest];
  const running = start(['run', file, '--yes', '--rate', '40/s', '--profile', profile, ...service.options, ...where]);
  while (((await arrivals(service))['transaction.transfer'] ?? 0) < 10) await machineClock.sleep(5);
  running.child.kill('SIGSTOP');
  copyJournal(data, copy);
  running.child.kill('SIGCONT');
  expect((await running.ended).exit).toBe(0);
  const old = readImage(copy);
  expect(old.tokens.size).toBeLessThan(ROWS);
  return { service, old, of: [String(old.runId), '--data-dir', copy, ...rest] };
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
  await payrun(['keys', 'new', key]);
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
2 payouts wait: it could not be looked up whether any of them was paid already\\. Do not pay them in another way before that\\.
The look stopped: the service is unavailable \\(HTTP 503\\)\\. Wait until it is back\\.
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
1 payout is perhaps paid already: the service holds payments like it that this journal does not know. Do not pay it in another way before you have looked.
see each     payrun show ${id} --data-dir ${place[1]}
look again   ${resume}
`);
  expect((await payrun(['resolve', id, '3', '--sent', 'old3', '--yes', ...place])).exit).toBe(0);
  const ended = await payrun(['resume', id, '--json', ...place]);
  expect(ended.exit).toBe(4);
  expect(JSON.parse(ended.stdout).counts).toMatchObject({ completed: 1, not_submitted: 1 });
  expect(service.transfers).toHaveLength(1);
});
