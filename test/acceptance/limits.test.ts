import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newKey } from '../support/new-key.ts';
import { type Ended, payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions, arrivals } from '../support/service-admin.ts';
import { smallService } from '../support/small-service.ts';

const HEADER = 'payee_id,name,amount,currency,external_account_id';
const row = (payee: number, amount: string, currency = 'AUD') =>
  `E${payee},Payee ${payee},${amount},${currency},a${payee}`;
const HOLD = new URL('../support/held-begin.ts', import.meta.url).href;

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** A job with limits at a service that is told how to behave. */
async function desk(limits: string, behaviour: Parameters<typeof smallService>[0] = {}) {
  const folder = temporaryFolder();
  const service = await smallService(behaviour);
  const key = join(folder, 'key.pem');
  newKey(key);
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const pay = (...rows: string[]) => write('pay.csv', `${[HEADER, ...rows].join('\n')}\n`);
  const job = (name = 'pay', more = '') =>
    write(`${name}.yaml`, `input: ${name}.csv\nrepeat_window: 0s\n${more}limits: {${limits}}\n`);
  const data = ['--data-dir', join(folder, 'data'), '--json'];
  const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--rate', '0'];
  const profile = write('profile.yaml', 'request_lifetime: 3s\nlisting_lag: 0s\nconcurrency: 1\n');
  const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--profile', profile];
  const run = (what: string, ...more: string[]) =>
    payrun(['run', what, '--yes', ...where, ...(/^R\d/.test(what) ? [] : at), ...more]);
  const plan = (what: string) => payrun(['plan', what, ...where, ...at]);
  return { folder, service, write, pay, job, data, where, at, run, plan };
}

function expectRefused({ exit, stderr }: Ended, ...texts: (string | RegExp)[]): void {
  expect([exit, stderr]).toEqual([6, expect.stringContaining('othing was sent')]);
  for (const text of texts) expect(stderr).toMatch(text);
}

describe('a run of a job with limits', () => {
  it('is checked at its cells (3), and neither planned nor run (6), with the rows, the limits and the remedy', async () => {
    const limits =
      'per_payout: {AUD: 20.00, EUR: 5}, per_run: {AUD: 40.00, EUR: 5}, payees: 3, only_payees: allowed.txt, failures: 10%';
    const { service, write, pay, job, data, run, plan } = await desk(limits);
    write('allowed.txt', 'E1\nE2\nE3\nE4\n');
    const file = job();
    pay(row(1, '20.01'), row(2, '15.00'), row(9, '5.00'), row(3, '1.00', 'BRL'), row(4, '5.00', 'EUR'));
    const checked = await payrun(['check', file, ...data]);
    expect(checked.exit).toBe(3);
    const problems = json(checked).problems.map(({ cell, code }: Record<string, string>) => `${cell} ${code}`);
    expect(problems).toEqual([
      'null limit_per_run',
      'null limit_payees',
      'C2 limit_per_payout',
      'A4 limit_only_payees',
      'D5 limit_currency',
    ]);
    for (const refused of [await plan(file), await run(file), await run(file, '--only-valid')]) {
      expectRefused(
        refused,
        'what this run pays in rows 2, 4, 5',
        'Row 2 (Payee 1, E1): The payout comes to 20.01 AUD, and limits.per_payout of the job allows 20.00 AUD.',
        'Row 4 (Payee 9, E9): The payee is not among those',
        /Row 5 .*limits\.per_payout and limits\.per_run and no sum in BRL/,
        'The run comes to 40.01 AUD, and limits.per_run of the job allows 40.00 AUD.',
        'The run has 5 payees, and limits.payees of the job allows 3.',
        'or ask someone with permission to change the limit in the job',
      );
      expect(json(refused)).toMatchObject({ run_id: null, state: 'refused', exit: 6 });
    }
    expect(service.requests).toEqual([]);
    pay(row(1, '20.00'), row(2, '15.00'), row(4, '5.00', 'EUR'));
    expect((await payrun(['check', file, ...data])).exit).toBe(0);
    const planned = json(await plan(file));
    expect((await run(planned.run_id)).exit).toBe(0);
    expect(service.transfers).toHaveLength(3);
    write('allowed.txt', 'name,amount\nAda,1\n');
    const wrong = await plan(file);
    expect([wrong.exit, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/pay\.yaml:3:\d+: limits\.only_payees: .*payee_id/),
    ]);
  });

  it('counts all runs of the day, of whatever job or file, less what failed, also where two are started at once', async () => {
    const { folder, service, write, pay, job, where, at, run, plan } = await desk('per_day: {AUD: 50.00}', {
      statuses: { t2: 'FAILED' },
    });
    const one = job();
    const two = job('two');
    pay(row(1, '20.00'), row(2, '10.00'));
    expect((await run(join(folder, 'pay.csv'))).exit).toBe(4);
    write('two.csv', `${HEADER}\n${row(3, '50.01')}\n`);
    expectRefused(await plan(two), 'The run comes to 50.01 AUD, and with the 20.00 AUD of R', 'allows 50.00 AUD on 20');
    write('two.csv', `${HEADER}\n${row(3, '30.01')}\n`);
    const tight = await plan(two);
    expect([tight.exit, json(tight).warnings[0].code]).toEqual([0, 'limit_per_day']);
    expectRefused(
      await run(json(tight).run_id),
      'The run comes to 30.01 AUD, and with the 20.00 AUD of R',
      'to 50.01 AUD',
    );
    expectRefused(await run(two), 'Run it on another day');

    // Each fits by itself, and has seen nothing of the other.
    write('two.csv', `${HEADER}\n${row(3, '15.00')}\n`);
    pay(row(4, '15.01'));
    const until = join(folder, 'go');
    const env = { NODE_OPTIONS: `--import ${HOLD}`, TEST_HELD_BEGIN: '1', TEST_HELD_UNTIL: until };
    const held = start(['run', one, '--yes', ...where, ...at], { env });
    await held.wrote('held before it begins');
    expect((await run(two)).exit).toBe(0);
    writeFileSync(until, '');
    expectRefused(await held.ended, 'The run comes to 15.01 AUD, and with the 35.00 AUD of R', 'to 50.01 AUD');
    pay(row(4, '15.00'));
    expect((await run(one)).exit).toBe(0);
    expect(service.transfers).toHaveLength(4);
  });

  it('is retried within the limits of today, which a plan has to have too', async () => {
    const { write, pay, job, where, run } = await desk('payees: 3', { statuses: { t2: 'FAILED' } });
    pay(row(1, '20.00'), row(2, '10.00'));
    const first = await run(job());
    expect(first.exit).toBe(4);
    const retry = () => payrun(['retry', json(first).run_id, ...where]);
    const retried = json(await retry());
    write('pay.yaml', 'input: pay.csv\nrepeat_window: 0s\nlimits: {per_payout: {AUD: 9.99}}\n');
    expectRefused(await run(retried.run_id), 'its limits are others', 'payrun retry');
    expectRefused(await retry(), 'Row 3 (Payee 2, E2): The payout comes to 10.00 AUD');
    job();
    expect((await run(retried.run_id)).exit).toBe(0);
  });

  it('stops (5) once too many payouts failed, settles what is in flight, and resume pays the others once', async () => {
    const behaviour = { refuses: Array.from({ length: 40 }, (_, nth) => nth + 2) };
    const { service, pay, job, where, run } = await desk('failures: 20%', behaviour);
    pay(...Array.from({ length: 40 }, (_, nth) => row(nth + 1, '1.00')));
    const stopped = await run(job());
    expect(stopped.exit).toBe(5);
    expect(json(stopped)).toMatchObject({ state: 'stopped', exit: 5 });
    expect(json(stopped).message).toMatch(
      /^\d+ of the \d+ payouts that the service answered failed or were rejected.*allows 20%/,
    );
    const { counts, run_id } = json(stopped);
    // This service does not say that a refused request is used up: another copy of it may have been taken.
    expect(counts).toMatchObject({ completed: 1, failed: 0, rejected: 0, not_submitted: 39 - counts.unresolved });
    // Of the first ten two may be; one more may have been on its way.
    expect(counts.unresolved).toBeGreaterThanOrEqual(3);
    expect(counts.unresolved).toBeLessThanOrEqual(4);
    const shown = await payrun(['resume', run_id, ...where.filter((word) => word !== '--json')]);
    expect(shown.exit).toBe(5);
    expect(shown.stdout).toContain("More payouts failed than the job's limits.failures allows");
    behaviour.refuses = [];
    const resumed = await payrun(['resume', run_id, ...where]);
    expect(resumed.exit).toBe(4);
    const { completed, rejected } = json(resumed).counts;
    expect(completed + rejected).toBe(40);
    expect(service.transfers).toHaveLength(completed);
    expect(new Set(service.transfers.map(({ account }) => account)).size).toBe(completed);
  });

  it('stops (5) while it sends, where payouts are accepted at the pace of the service and fail later', async () => {
    const folder = temporaryFolder();
    const args = ['--rate-limit', '200', '--settle-after', '300ms'];
    const service = await startService({ dataDir: join(folder, 'service'), args });
    const rows = Array.from({ length: 80 }, (_, nth) => {
      const number = String(10_000_000 + nth);
      return `E${nth},REHEARSE_CLOSED ${nth},${nth + 1}.00,AUD,AUD_NPP,${number},062-000`;
    });
    const header = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
    writeFileSync(join(folder, 'pay.csv'), `${[header, ...rows].join('\n')}\n`);
    writeFileSync(join(folder, 'pay.yaml'), 'input: pay.csv\nlimits: {failures: 10%}\n');
    const data = ['--data-dir', join(folder, 'data')];
    const where = [...data, '--report-dir', join(folder, 'reports'), '--rate', '20/s', ...service.options];
    const stopped = await payrun(['run', join(folder, 'pay.yaml'), '--yes', ...where]);
    expect([stopped.exit, stopped.stderr]).toEqual([5, expect.not.stringContaining('bug')]);
    const sent = (await arrivals(service))['transaction.transfer'] ?? 0;
    expect(sent).toBeLessThan(70);
    expect(stopped.stdout).toMatch(
      /stopped: \d+ of the \d+ payouts that are final failed, and limits\.failures of the job allows 10%/,
    );
    const [, runId] = /(payrun|main\.ts) resume (R\S+)/.exec(stopped.stdout)?.slice(1) ?? [];
    expect(runId).toBeDefined();
    const shown = json(await payrun(['show', runId ?? '', '--json', ...data]));
    expect(shown).toMatchObject({ state: 'stopped', stopped: 'person_needed', counts: { failed: sent } });
    expect((await allTransactions(service)).map(({ status }) => status)).toEqual(Array(sent).fill('FAILED'));
  });

  it('goes to its end where no more fail than it allows', async () => {
    const { pay, job, run } = await desk('failures: 20%', { refuses: [5, 10] });
    pay(...Array.from({ length: 20 }, (_, nth) => row(nth + 1, '1.00')));
    expect(json(await run(job()))).toMatchObject({
      state: 'finished',
      counts: { completed: 18, rejected: 2 },
      exit: 4,
    });
  });
});
