import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { newKey } from '../support/new-key.ts';
import { type Ended, payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, untilArrived } from '../support/service-admin.ts';
import { smallService } from '../support/small-service.ts';

// A person stops a run for now or for good; what was not sent has a way onward, and nobody is paid twice on it.

const ROWS = 30;
const PAYMENT = 'transaction.transfer';

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** A run of thirty rows that is at work, and answered slowly. */
async function atWork() {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 11, mode: 'full' });
  const data = ['--data-dir', join(folder, 'data')];
  const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--json'];
  const slow = { operation: PAYMENT, probability: 1, kind: 'slow', ms: 300 };
  const { id } = (await admin(service, 'fault.add', slow)) as { id: string };
  const run = start(['run', file, '--yes', '--concurrency', '1', '--rate', '0', ...service.options, ...where]);
  await untilArrived(service, 3, undefined, run.ended);
  const { runs } = json(await payrun(['runs', '--json', ...data]));
  const runId: string = runs[0].run_id;
  const faster = () => admin(service, 'fault.remove', { id });
  const show = async () => json(await payrun(['show', runId, '--json', ...data]));
  const listed = async () => json(await payrun(['runs', '--json', ...data])).runs.find(isRun(runId)).state;
  return { folder, service, data, where, run, runId, faster, show, listed };
}

const isRun =
  (runId: string) =>
  ({ run_id }: { run_id: string }) =>
    run_id === runId;

async function expectPaidOnce(service: ReadyService, rows = ROWS): Promise<void> {
  expect(await allTransactions(service)).toHaveLength(rows);
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
}

describe('payrun pause RUN', () => {
  it('asks the process that pays: it submits no more, settles what is in flight and exits 130; resume goes on', async () => {
    const { service, data, where, run, runId, faster, show, listed } = await atWork();
    const asked = await payrun(['pause', runId, '--json', ...data]);
    expect(json(asked)).toMatchObject({ run_id: runId, paused: false, asked: { pid: run.child.pid }, exit: 0 });
    const paused = await run.ended;
    expect(paused.exit).toBe(130);
    expect(paused.stderr).toContain('Pausing: nothing more is submitted');
    expect(json(paused)).toMatchObject({ run_id: runId, state: 'paused', exit: 130 });
    const sent = (await allTransactions(service)).length;
    expect(sent).toBeLessThan(ROWS);
    expect(await show()).toMatchObject({ state: 'paused', cancelled: false });
    expect(await listed()).toBe('paused');
    expect((await payrun(['show', runId, ...data])).stdout).toContain(`Run ${runId}: paused; ${ROWS} payouts`);
    // Nothing is in doubt: what left was answered.
    expect((await show()).payouts.filter((one: { state: string }) => one.state === 'waiting')).toHaveLength(
      ROWS - sent,
    );
    await faster();
    const resumed = await payrun(['resume', runId, '--rate', '0', ...where]);
    expect([resumed.exit, json(resumed).state]).toEqual([0, 'finished']);
    expect(await listed()).toBe('finished');
    await expectPaidOnce(service);
  });

  it('pauses a run that nobody works on; it stays paused until resume, and cancel ends it', async () => {
    const { service, data, where, run, runId, faster, show, listed } = await atWork();
    run.child.kill('SIGKILL');
    await run.ended;
    expect([(await show()).state, await listed()]).toEqual(['stopped', 'stopped']);
    const paused = await payrun(['pause', runId, '--json', ...data]);
    expect(json(paused)).toMatchObject({ run_id: runId, paused: true, exit: 0 });
    expect([(await show()).state, await listed()]).toEqual(['paused', 'paused']);
    const again = await payrun(['pause', runId, ...data]);
    expect(again.stdout).toContain(`Run ${runId} was paused before`);
    expect(again.stdout).toContain(`payrun resume ${runId}`);
    expect((await show()).state).toBe('paused');
    await faster();
    expect((await payrun(['cancel', runId, ...where])).exit).toBe(5);
    expect((await payrun(['resume', runId, ...where])).exit).toBe(4);
    expect([(await show()).state, await listed()]).toEqual(['cancelled', 'cancelled']);
    const over = await payrun(['pause', runId, ...data]);
    expect([over.exit, over.stdout]).toEqual([0, `Run ${runId} is over: there is nothing to pause.\n`]);
    expect((await allTransactions(service)).length).toBeLessThan(ROWS);
  });

  it('refuses a plan that nobody has started, a run that is cancelled and not over, and one that is not there', async () => {
    const { folder, service, data, where, run, runId } = await atWork();
    const other = join(folder, 'other.csv');
    await generatePayroll({ rows: 2, path: other, seed: 12, mode: 'full' });
    const planned = json(await payrun(['plan', other, ...service.options, ...where]));
    const refused = await payrun(['pause', planned.run_id, ...data]);
    expect([refused.exit, refused.stderr]).toEqual([6, expect.stringContaining('nobody has started')]);
    expect((await payrun(['pause', 'R20261125-00000000', ...data])).exit).toBe(2);
    run.child.kill('SIGKILL');
    await run.ended;
    await payrun(['cancel', runId, '--base-url', 'http://127.0.0.1:9', ...where]);
    const cancelled = await payrun(['pause', runId, ...data]);
    expect([cancelled.exit, cancelled.stderr]).toEqual([6, expect.stringContaining('nothing to pause')]);
  });
});

describe('payrun retry RUN of a cancelled run', () => {
  it('plans what was not sent, and pays the remaining rows once; the run is called cancelled', async () => {
    const { service, data, where, run, runId, faster, show, listed } = await atWork();
    expect((await payrun(['cancel', runId, ...data])).exit).toBe(0);
    const cancelled = await run.ended;
    expect([cancelled.exit, json(cancelled).state]).toEqual([4, 'cancelled']);
    const sent = (await allTransactions(service)).length;
    expect([(await show()).state, await listed()]).toEqual(['cancelled', 'cancelled']);
    await faster();
    const planned = json(await payrun(['retry', runId, ...where]));
    expect(planned).toMatchObject({ state: 'planned', retries: runId, payouts: ROWS - sent, exit: 0 });
    const other = json(await payrun(['retry', runId, ...where]));
    const done = await payrun(['run', planned.run_id, '--yes', '--rate', '0', ...where]);
    expect([done.exit, json(done).counts.completed]).toEqual([0, ROWS - sent]);
    await expectPaidOnce(service);
    // Neither the other plan of the same rows, nor another retry.
    expect((await payrun(['run', other.run_id, '--yes', ...where])).exit).toBe(6);
    expect((await payrun(['retry', runId, ...where])).exit).toBe(6);
    await expectPaidOnce(service);
  });

  it('leaves out what was put into another file meanwhile, and rows whose cells have problems', async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const header = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
    const rows = [1, 2, 3, 4].map((n) => `E${n},Payee ${n},${n}.50,AUD,AUD_NPP,1234567${n},062-000`);
    const write = (name: string, lines: string[]) => {
      writeFileSync(join(folder, name), `${[header, ...lines].join('\n')}\n`);
      return join(folder, name);
    };
    const data = ['--data-dir', join(folder, 'data')];
    const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--json'];
    const file = write('payroll.csv', [...rows, 'E5,Payee 5,x,AUD,AUD_NPP,12345675,062-000']);
    // Longer than a command takes on a busy machine, so that the others are not sent before it is heard.
    const slow = { operation: PAYMENT, probability: 1, kind: 'slow', ms: 10_000 };
    const { id } = (await admin(service, 'fault.add', slow)) as { id: string };
    const run = start(['run', file, '--yes', '--only-valid', '--concurrency', '1', ...service.options, ...where]);
    await untilArrived(service, 1, undefined, run.ended);
    const runId = json(await payrun(['runs', '--json', ...data])).runs[0].run_id;
    await payrun(['cancel', runId, ...data]);
    await admin(service, 'fault.remove', { id });
    expect((await run.ended).exit).toBe(4);
    const left = rows.length - (await allTransactions(service)).length;
    expect(left).toBeGreaterThan(1);
    const last = write('last.csv', [rows.at(-1) ?? '']);
    expect((await payrun(['run', last, '--yes', ...service.options, ...where])).exit).toBe(0);
    const planned = json(await payrun(['retry', runId, ...where]));
    expect(planned.payouts).toBe(left - 1);
    expect(planned.warnings).toMatchObject([{ row: 5, code: 'retried_before' }]);
    expect((await payrun(['run', planned.run_id, '--yes', ...where])).exit).toBe(0);
    await expectPaidOnce(service, rows.length);
  });
});

it('a run that is over with a payout in doubt needs a decision, and is called so', async () => {
  const folder = temporaryFolder();
  const service = await smallService({
    loses: [2],
    list: (description) => (description.includes('ben') ? null : description),
  });
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  const row = (name: string, account: string) => `${name},1.00,AUD,${account},${name}`;
  const rows = [row('ada', 'a1'), row('ben', 'a2')];
  writeFileSync(file, `name,amount,currency,external_account_id,description\n${rows.join('\n')}\n`);
  const profile = join(folder, 'profile.yaml');
  const guarantees = 'guarantees: {enforces_expiry: false, replay_protection: false}';
  writeFileSync(profile, `base_url: ${service.baseUrl}\nrequest_lifetime: 1s\nlisting_lag: 0s\n${guarantees}\n`);
  const data = ['--data-dir', join(folder, 'data')];
  const reach = ['--profile', profile, '--api-key', 'key', '--signing-key', key, '--rate', '0'];
  const run = await payrun([
    'run',
    file,
    '--yes',
    '--json',
    ...reach,
    '--report-dir',
    join(folder, 'reports'),
    ...data,
  ]);
  expect([run.exit, json(run).state]).toEqual([5, 'needs_decision']);
  const { run_id: runId } = json(run);
  expect(json(await payrun(['show', runId, '--json', ...data])).state).toBe('needs_decision');
  expect(json(await payrun(['runs', '--json', ...data])).runs).toMatchObject([{ state: 'needs_decision' }]);
  expect((await payrun(['runs', ...data])).stdout).toContain('needs decision');
});
