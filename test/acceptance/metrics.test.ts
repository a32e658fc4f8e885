import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { clockOf } from '../support/clock-of.ts';
import { freePort } from '../support/free-port.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { readMetrics, valuesOf } from '../support/prometheus.ts';
import { testBeside } from '../support/side-by-side.ts';
import { smallService } from '../support/small-service.ts';
import { startWeb } from '../support/web-process.ts';
import { ended, leave, newHeldPlace, newWorkerDatabase, payrollIn, startWorker } from '../support/workers.ts';

const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code\n';
const TWO = `${HEADER}Ana Secret,10.00,AUD,AUD_NPP,12345678,062-000\nBen Secret,20.00,AUD,AUD_NPP,12345679,062-000\n`;

const TWO_ACCOUNTS = 'name,amount,currency,external_account_id\nAna Secret,1.00,AUD,a1\nBen Secret,2.00,AUD,a2\n';
const PROFILE =
  'listing_lag: 0s\nrequest_lifetime: 6s\nguarantees: {enforces_expiry: false, replay_protection: false}\n';

/** The labels that may be there, and what each may say: nothing of a payee, an account, a file, a run or a person. */
const OURS: Readonly<Record<string, RegExp>> = {
  mode: /^(live|rehearsal)$/,
  state: /^[a-z_]+$/,
  job_name: /^pay$/,
  operation: /^[a-z0-9]+(\.[a-zA-Z0-9]+)+$/,
  outcome: /^(accepted|rejected|refused_credentials|no_effect|in_doubt)$/,
  le: /^(\+Inf|[0-9.]+)$/,
};

function expectNoSecrets(text: string): void {
  for (const [name, { samples }] of readMetrics(text)) {
    if (!name.startsWith('payrun_')) continue;
    for (const { labels } of samples)
      for (const [label, value] of Object.entries(labels))
        expect(value, `${name} ${label}`).toMatch(OURS[label] ?? /^$/);
  }
  // A sample's value may hold any digits; its name and labels may not.
  expect(text.replaceAll(/ \S+$/gm, '')).not.toMatch(/Secret|123456|R\d{8}-|\.csv|payroll|key_|rc_|tx_/);
}

async function metricsAt(address: string) {
  const reply = await fetch(`http://${address}/metrics`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const text = await reply.text();
  expectNoSecrets(text);
  return readMetrics(text);
}

const anyAddress = async () => `127.0.0.1:${await freePort()}`;

for (const [journal, newDatabase] of [
  ['SQLite', async () => null],
  ['PostgreSQL', newWorkerDatabase],
] as const)
  testBeside(`a payout whose answer is lost is unresolved, and for how long, in ${journal}`, async () => {
    const folder = temporaryFolder();
    const service = await smallService({ loses: [1], list: () => null });
    const at = (name: string): string => join(folder, name);
    newKey(at('key.pem'));
    writeFileSync(at('payroll.csv'), TWO_ACCOUNTS);
    writeFileSync(at('profile.yaml'), PROFILE);
    const way = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', at('key.pem')];
    const data = ['--data-dir', at('data')];
    const database = await newDatabase();
    if (database !== null) data.push('--database', database.as('payrun_worker'));
    const before = Date.now();
    const run = [...way, ...data, '--profile', at('profile.yaml'), '--rate', '0', '--report-dir', at('reports')];
    expect((await payrun(['run', at('payroll.csv'), '--yes', ...run])).exit).toBe(5);

    const health = await anyAddress();
    const page = database === null ? await startWeb({ dataDir: at('data'), args: ['--health', health] }) : null;
    if (database !== null) await startWorker({ folder, database }, 'worker', ['--health', health]);
    const shown = await metricsAt(health);
    expect(valuesOf(shown, 'payrun_payouts', { mode: 'live', state: 'unresolved' })).toEqual([1]);
    expect(valuesOf(shown, 'payrun_payouts', { mode: 'live', state: 'waiting' })).toEqual([1]);
    const [age = 0] = valuesOf(shown, 'payrun_oldest_unconfirmed_payout_age_seconds', { mode: 'live' });
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThanOrEqual((Date.now() - before) / 1_000);
    expect(valuesOf(shown, 'payrun_journal_up')).toEqual([1]);
    expect((await fetch(`http://${health}/readyz`)).status).toBe(200);
    // The address of the page does not serve them.
    if (page === null) return;
    const reply = await fetch(`${page.url}/metrics`, { redirect: 'manual' });
    expect([303, 404]).toContain(reply.status);
    expect(await reply.text()).not.toContain('payrun_');
  });

testBeside('a run that is taken over from a killed worker is counted, and so is each request', async () => {
  const place = await newHeldPlace(3);
  const runId = await leave(place, payrollIn(place, 'a.csv', 5));
  const health = await anyAddress();
  const first = await startWorker(place, 'first', ['--health', health]);
  await place.reached;
  const during = await metricsAt(health);
  expect(valuesOf(during, 'payrun_payouts', { mode: 'rehearsal', state: 'sending' })).toEqual([1]);
  expect(valuesOf(during, 'payrun_takeovers_total')).toEqual([0]);
  const sent = { operation: 'transaction.transfer', outcome: 'accepted' };
  expect(valuesOf(during, 'payrun_request_duration_seconds_count', sent)).toEqual([2]);
  first.child.kill('SIGKILL');
  await first.ended;
  place.letGo();
  const second = await startWorker(place, 'second', ['--health', health, '--rate', '2']);
  expect(await ended(second, runId)).toMatchObject({ exit: 0 });
  const after = await metricsAt(health);
  expect(valuesOf(after, 'payrun_takeovers_total')).toEqual([1]);
  expect(valuesOf(after, 'payrun_rate_limit_wait_seconds_total')[0]).toBeGreaterThan(0);
  expect(valuesOf(after, 'payrun_request_duration_seconds_count', sent)).toEqual([2]);
  expect(valuesOf(after, 'process_start_time_seconds')).toHaveLength(1);
});

/** A folder with the job `pay`, at a service that moves no money, whose schedule goes by a clock of ours. */
async function office() {
  const cwd = temporaryFolder();
  for (const folder of ['jobs', 'in', 'metrics']) mkdirSync(join(cwd, folder));
  const service = await startService({ dataDir: join(cwd, 'service') });
  const way = `service: {base_url: "${service.base_url}", api_key: "${service.api_key}", signing_key_file: "${service.signing_key_file}"}`;
  const schedule = 'schedule: {cron: "0 9 25 * *", time_zone: Europe/Berlin}';
  writeFileSync(join(cwd, 'jobs/pay.yaml'), `input: ../in/pay.csv\nrate: 0\npoll_every: 20ms\n${way}\n${schedule}\n`);
  writeFileSync(join(cwd, 'in/pay.csv'), TWO);
  const clock = join(cwd, 'clock-offset');
  const setClock = (to: string) => writeFileSync(clock, String(Date.parse(to) - Date.now()));
  return { cwd, setClock, env: clockOf(clock) };
}

testBeside('a schedule counts what its jobs send, and shows which times passed unpaid', async () => {
  const { cwd, setClock, env } = await office();
  setClock('2031-10-25T07:05:00Z');
  const health = await anyAddress();
  const schedule = start(['schedule', '--json', '--health', health], { cwd, env });
  await schedule.wrote('"event":"ended"');
  const sent = { operation: 'transaction.transfer', outcome: 'accepted' };
  await vi.waitFor(
    async () => {
      const shown = await metricsAt(health);
      expect(valuesOf(shown, 'payrun_request_duration_seconds_count', sent)).toEqual([2]);
      expect(valuesOf(shown, 'payrun_job_last_success_timestamp_seconds', { job_name: 'pay' })).toHaveLength(1);
    },
    { timeout: 30_000, interval: 300 },
  );
  expect(valuesOf(await metricsAt(health), 'payrun_schedule_missed_times', { job_name: 'pay' })).toEqual([0]);
  schedule.child.kill('SIGTERM');
  expect(await schedule.ended).toMatchObject({ exit: 0 });

  const file = join(cwd, 'metrics/payrun.prom');
  setClock('2031-11-25T12:00:00Z');
  const once = ['schedule', '--once', '--metrics-file'];
  expect(await payrun([...once, file], { cwd, env })).toMatchObject({ exit: 5 });
  const text = readFileSync(file, 'utf8');
  expectNoSecrets(text);
  const shown = readMetrics(text);
  expect(valuesOf(shown, 'payrun_schedule_missed_times', { job_name: 'pay' })).toEqual([1]);
  expect(valuesOf(shown, 'payrun_payouts', { mode: 'rehearsal', state: 'completed' })).toEqual([2]);
  // Its collector takes neither times nor what is of a process that is gone.
  expect([...shown.keys()].filter((name) => !/^payrun_(payouts|journal|job|oldest|schedule)/.test(name))).toEqual([]);
  // Others may read it, and nothing is left beside it.
  expect([statSync(file).mode & 0o777, readdirSync(join(cwd, 'metrics'))]).toEqual([0o644, ['payrun.prom']]);
  const wrong = await payrun([...once, join(cwd, 'metrics/payrun.txt')], { cwd, env });
  expect([wrong.exit, readdirSync(join(cwd, 'metrics'))]).toEqual([2, ['payrun.prom']]);
  expect((await payrun(['schedule', '--metrics-file', file], { cwd, env })).exit).toBe(2);
});

type Span = { name: string; attributes: Record<string, unknown>; status: number; id: string; parent: string | null };

testBeside('a run, its phases and its requests are spans where an SDK is registered, and name no payee', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const [file, spansFile] = [join(folder, 'payroll.csv'), join(folder, 'spans.json')];
  writeFileSync(file, `${TWO}Cy Secret,30.00,AUD,AUD_NPP,12345670,062-000\n`);
  const preload = new URL('../support/trace-here.ts', import.meta.url).href;
  const env = { NODE_OPTIONS: `--import ${preload}`, TRACE_FILE: spansFile };
  const words = ['run', file, '--yes', '--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const run = await payrun([...words, ...service.options, '--poll-every', '50ms', '--rate', '5'], { env });
  expect(run.exit, run.stderr).toBe(0);
  const text = readFileSync(spansFile, 'utf8');
  const spans: Span[] = JSON.parse(text);
  const runs = spans.filter(({ name }) => name === 'run');
  expect(runs).toMatchObject([{ status: 0, parent: null, attributes: { 'payrun.rehearsal': true } }]);
  const phases = spans.filter(({ parent }) => parent === runs[0]?.id);
  expect(phases.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['preparing_payees', 'first_payout', 'submitting', 'waiting', 'checking_sent']),
  );
  const phaseOf = ({ parent }: Span): string | undefined => phases.find(({ id }) => id === parent)?.name;
  const transfers = spans.filter(({ attributes }) => attributes['rpc.method'] === 'transaction.transfer');
  // Also those that wait for the limit, and are begun by others.
  expect(transfers.map(phaseOf)).toEqual(['first_payout', 'submitting', 'submitting']);
  expect(transfers.map(({ attributes }) => attributes['payrun.outcome'])).toEqual(Array(3).fill('accepted'));
  const created = spans.filter(({ attributes }) => attributes['rpc.method'] === 'account.recipient.create');
  expect(created.map(phaseOf)).toEqual(Array(3).fill('preparing_payees'));
  expect(text).not.toMatch(/Secret|123456|\.csv|tx_|rc_/);
});
