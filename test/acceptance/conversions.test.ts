import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals, untilArrived } from '../support/service-admin.ts';
import { hasSecondLoopback, pass, tcpProxy } from '../support/tcp-proxy.ts';

const HEADER =
  'payee_id,name,amount,currency,source_currency,rail,account_number,national_clearing_code,wallet_address,chain';
const ADA = 'E1,Ada Byron,1000.00,USD,EUR,USD_ACH,123456789,021000021,,';
const MARY = 'E2,Mary Jackson,250.50,USD,EUR,USD_ACH,123456780,021000021,,';
const GRACE = 'E3,Grace Hopper,30.00,AUD,,AUD_NPP,12345678,062-000,,';
const ALAN = 'E4,Alan Turing,10.00,GBP,USDC on polygon,GBP_FPS,31926819,601613,,';
const ROWS = [ADA, MARY, GRACE, ALAN];

/** A service of its own, a file, and what to say to reach both. */
async function desk(rows: string[], serviceArgs: string[] = []) {
  const folder = temporaryFolder();
  const file = join(folder, 'payroll.csv');
  writeFileSync(file, `${[HEADER, ...rows].join('\n')}\n`);
  const service = await startService({ dataDir: join(folder, 'service'), args: serviceArgs });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const at = [...service.options, '--rate', '0', ...where];
  const plan = async (...more: string[]) =>
    JSON.parse((await payrun(['plan', file, '--json', ...at, ...more])).stdout) as Planned;
  const run = (named: string, ...more: string[]) => payrun(['run', named, '--yes', '--json', ...where, ...more]);
  return { folder, file, service, where, at, plan, run };
}

type Planned = { run_id: string; conversions: unknown[]; balances: unknown[]; warnings: { code: string }[] };

type Reported = { status: string; problem_code: string | null; message: string } & Record<string, string | null>;

function reportOf({ stdout }: { stdout: string }): Reported[] {
  const path = JSON.parse(stdout).report.find((name: string) => name.endsWith('.json'));
  const { rows } = JSON.parse(readFileSync(path, 'utf8')) as { rows: { row: number; result?: Reported }[] };
  return rows.map((row) => (row.result ?? row) as Reported);
}

const euro = (service: ReadyService, usd: string) => admin(service, 'price.set', { code: 'EUR', usd });

/** What left and what arrived, of every transaction that is not FAILED. */
async function paid(service: ReadyService): Promise<string[]> {
  const living = (await allTransactions(service)).filter(({ status }) => status !== 'FAILED');
  const text = ({ value, code }: { value: string; code: string }) => `${value} ${code}`;
  return living.map(({ currency_out, currency_in }) => `${text(currency_out)} > ${text(currency_in)}`).sort();
}

test('a plan shows what is sent by the service’s quotes, and its run pays payees to the cent, by quotes of its own', async () => {
  const { service, plan, run, where } = await desk(ROWS);
  const planned = await plan();
  expect(planned.conversions).toEqual([
    { from: 'EUR', to: 'USD', payouts: 2, received: '1250.50', sent: '1090.13', fees: '3.73', rate: '1.14712141' },
    {
      from: 'USDC on polygon',
      to: 'GBP',
      payouts: 1,
      received: '10.00',
      sent: '13.233083',
      fees: '0.303700',
      rate: '0.7556818',
    },
  ]);
  expect(planned.balances).toMatchObject([
    { currency: 'USD', short: '0.00', before: '1000000000.00', after: '1000000000.00' },
    { currency: 'AUD', after: '999999969.80' },
    { currency: 'GBP', after: '1000000000.00' },
    { currency: 'EUR', after: '999998906.14' },
    { currency: 'USDC on polygon', after: '999999986.463217' },
  ]);
  expect(await paid(service)).toEqual([]);
  // Dearer by less than the ceiling.
  await euro(service, '1.147');
  const asked = await payrun(['run', planned.run_id, ...where]);
  const done = await run(planned.run_id);
  expect(done.exit).toBe(0);
  expect(asked).toMatchObject({
    exit: 6,
    stderr: expect.stringContaining(
      '1,250.50 USD are planned from 1,090.13 EUR and 3.73 EUR in fees; each is quoted again',
    ),
  });
  expect(asked.stderr).not.toContain('the rate of now');
  expect(await paid(service)).toEqual([
    '13233083 USDC > 1000 GBP',
    '21895 EUR > 25050 USD',
    '3000 AUD > 3000 AUD',
    '87403 EUR > 100000 USD',
  ]);
  expect(JSON.parse(done.stdout).conversions).toEqual([
    { from: 'EUR', to: 'USD', received: '1250.50', sent: '1092.98', planned: '1090.13' },
    { from: 'USDC on polygon', to: 'GBP', received: '10.00', sent: '13.233083', planned: '13.233083' },
  ]);
  expect(reportOf(done)[0]).toMatchObject({
    status: 'completed',
    sent_amount: '874.03',
    sent_currency: 'EUR',
    received_amount: '1000.00',
    received_currency: 'USD',
    fees: '2.85',
  });
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
});

test('a rate that is worse than the ceiling parks the rows (4) with the reason, and a retry plans them at the new one', async () => {
  const { service, plan, run, where } = await desk(ROWS);
  const planned = await plan();
  await euro(service, '1.13');
  const done = await run(planned.run_id);
  expect(done.exit).toBe(4);
  const [ada, mary, grace, alan] = reportOf(done);
  expect([ada?.status, mary?.status, grace?.status, alan?.status]).toEqual([
    'rejected',
    'rejected',
    'completed',
    'completed',
  ]);
  expect(ada).toMatchObject({ problem_code: 'rate_above_ceiling', attempts: 0, token: null });
  expect(ada?.message).toContain('1,000.00 USD cost 887.18 EUR now. 871.75 EUR were planned');
  expect(ada?.message).toContain('with the ceiling of 0.5% at most 876.10 EUR may be sent');
  const retried = await payrun(['retry', planned.run_id, '--yes', '--json', ...where]);
  expect([retried.exit, JSON.parse(retried.stdout).counts]).toEqual([0, expect.objectContaining({ completed: 2 })]);
  expect(await paid(service)).toEqual([
    '13233083 USDC > 1000 GBP',
    '22224 EUR > 25050 USD',
    '3000 AUD > 3000 AUD',
    '88718 EUR > 100000 USD',
  ]);
});

test('the limits of a job hold in the currency that is sent, whatever the ceilings allow; the day counts the most that may be sent', async () => {
  const { service, folder, file, where, at } = await desk([ADA]);
  const job = (limits: string, ceiling = '10%') =>
    writeFileSync(
      join(folder, 'pay.yaml'),
      `input: payroll.csv\nrepeat_window: 0s\nrate_ceiling: ${ceiling}\nrun_rate_ceiling: 10%\nlimits: {${limits}}\n`,
    );
  const run = () => payrun(['run', join(folder, 'pay.yaml'), '--yes', '--json', ...at]);
  // 871.75 EUR are planned.
  job('per_day: {EUR: 958.91, USD: 9000}');
  const plan = () => payrun(['plan', join(folder, 'pay.yaml'), '--json', ...at]);
  for (const tooMuch of [await plan(), await run()])
    expect([tooMuch.exit, tooMuch.stderr]).toEqual([
      6,
      expect.stringContaining('may come to 958.92 EUR; limits.per_day'),
    ]);

  job('per_run: {EUR: 872, USD: 9000}, per_day: {EUR: 1090.38, USD: 9000}');
  const dearer = await plan();
  await euro(service, '1.09');
  const { run_id } = JSON.parse(dearer.stdout);
  const stopped = await payrun(['run', run_id, '--yes', '--json', ...where]);
  expect([stopped.exit, reportOf(stopped).map(({ problem_code }) => problem_code)]).toEqual([4, ['limit_per_run']]);
  expect(await paid(service)).toEqual([]);

  // What was rejected counts no more, and what was sent counts at its ceiling: that of the job, which is lower now.
  await euro(service, '1.15');
  job('per_run: {EUR: 872, USD: 9000}, per_day: {EUR: 1090.38, USD: 9000}', '5%');
  const done = await payrun(['retry', run_id, '--yes', '--json', ...where]);
  expect(done.exit).toBe(0);
  writeFileSync(file, `${HEADER}\n${MARY}\n`);
  const next = await run();
  const above = /may come to [\d.]+ EUR, and with the 915\.33 EUR of R[\w-]+, R[\w-]+ to/;
  expect(next.stderr).toMatch(above);
  // A plan may be run on another day.
  const later = await plan();
  expect([later.exit, JSON.parse(later.stdout).warnings]).toMatchObject([
    0,
    expect.arrayContaining([expect.objectContaining({ code: 'limit_per_day', message: expect.stringMatching(above) })]),
  ]);
  expect([next.exit, await paid(service)]).toEqual([6, [expect.stringContaining('> 100000 USD')]]);
});

test('the ceiling of a run holds for all of a pair together, also when the run is resumed', async () => {
  const { service, file, where, at, run } = await desk([ADA, MARY, MARY.replaceAll('E2', 'E5').replace('780', '781')]);
  const planned = JSON.parse(
    (await payrun(['plan', file, '--json', '--rate-ceiling', '10%', '--run-rate-ceiling', '1%', ...at])).stdout,
  );
  expect(planned.ceilings).toEqual({ payout: '10%', run: '1%' });
  await euro(service, '1.13');
  const done = await run(planned.run_id);
  expect(done.exit).toBe(4);
  // 1.5 % dearer: the last one would be too much for all of them.
  expect(
    reportOf(done)
      .map(({ problem_code }) => problem_code)
      .sort(),
  ).toEqual([null, null, 'run_above_ceiling']);
  const again = await payrun(['resume', planned.run_id, '--json', ...where]);
  expect(again.exit).toBe(4);
  expect(await paid(service)).toHaveLength(2);
  const other = await payrun(['run', planned.run_id, '--yes', '--rate-ceiling', '5%', ...where]);
  expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('A plan has its ceilings already')]);
});

test('what is converted is funded from the currency that is sent: short at the plan, and spent by somebody else since (6)', async () => {
  const { service, plan, run, file, at } = await desk([ADA, GRACE]);
  await admin(service, 'balance.set', { code: 'EUR', value: '87458' });
  await admin(service, 'balance.set', { code: 'USD', value: '0' });
  const short = await plan();
  expect(short.warnings.map(({ code }) => code)).toEqual(['balance_short']);
  const direct = await payrun(['run', file, '--yes', ...at]);
  expect([direct.exit, direct.stderr]).toEqual([6, expect.stringContaining('0.01 EUR missing of 874.59 EUR')]);
  await admin(service, 'balance.set', { code: 'EUR', value: '87459' });
  const funded = await plan();
  expect(funded.warnings).toEqual([]);
  await admin(service, 'balance.set', { code: 'EUR', value: '80000' });
  const refused = await run(funded.run_id);
  expect([refused.exit, refused.stderr + refused.stdout]).toEqual([6, expect.stringContaining('74.59 EUR missing')]);
  expect(await paid(service)).toEqual([]);
  await admin(service, 'balance.set', { code: 'EUR', value: '87459' });
  expect((await run(funded.run_id)).exit).toBe(0);
});

test('what the service does not convert is found by check and by plan (3), or rejected alone (4)', async () => {
  const { service, file, at, run } = await desk([GRACE, ADA.replace(',EUR,', ',CHF,'), MARY.replace(',EUR,', ',CHF,')]);
  for (const command of [['plan'], ['run', '--yes']]) {
    const { exit, stderr } = await payrun([...command, file, ...at]);
    expect([command[0], exit]).toEqual([command[0], 3]);
    expect(stderr).toContain(
      'does not convert CHF into USD for row 3 (1,000.00 USD), row 4 (250.50 USD): CHF is not a payable currency',
    );
  }
  expect(await arrivals(service)).not.toHaveProperty(['account.recipient.create']);
  const coins =
    'E9,Zoe,1.0,ETH,ETH on arbitrum,WEB3,,,0x52908400098527886E0F7030069857D2E4169EE7,ethereum\nE8,Zed,2.00,USD,USDC,USD_ACH,123456789,021000021,,';
  writeFileSync(file, `${HEADER}\n${coins}\n`);
  const checked = JSON.parse((await payrun(['check', file, '--json'])).stdout);
  expect([checked.exit, checked.problems.map(({ code, cell }: Record<string, string>) => `${cell} ${code}`)]).toEqual([
    3,
    ['E2 source_crypto_to_crypto', 'E3 source_chain_missing'],
  ]);
  // Less than the least that the service converts, which it says only when it is asked to.
  writeFileSync(file, `${HEADER}\n${GRACE}\n${ADA.replace('1000.00', '0.50')}\n`);
  const small = JSON.parse((await payrun(['plan', file, '--json', ...at])).stdout);
  expect(small.warnings).toMatchObject([{ code: 'may_be_below_minimum', row: 3 }]);
  const asked = await payrun(['run', file, ...at]);
  expect([asked.exit, asked.stderr]).toEqual([6, expect.stringContaining(small.warnings[0].message)]);
  const done = await run(file, ...at.slice(0, 6));
  expect([done.exit, reportOf(done)[1]]).toEqual([4, expect.objectContaining({ problem_code: 'BELOW_MINIMUM' })]);
});

test.skipIf(!(await hasSecondLoopback()))(
  'a market that moves between quote and payout: quoted again three times at most, and paid once or not at all',
  async () => {
    const { service, folder, file, where } = await desk([GRACE, ADA]);
    const proxy = await tcpProxy(service.base_url);
    let moved = new Set<string>();
    let movedMax = 0;
    let price = 1.15;
    // So many payouts meet a market that has left their quotes, and does not come back.
    proxy.decide(({ operation, intent, body }) => async (exchange) => {
      if (operation === 'transaction.transfer' && body.includes('"EUR"')) {
        if (moved.size < movedMax) moved.add(intent);
        price *= moved.has(intent) ? 0.992 : 1;
        await euro(service, price.toFixed(6));
      }
      await pass(exchange);
    });
    const options = service.options.map((option) => (option === service.base_url ? proxy.baseUrl : option));
    const ceilings = ['--rate-ceiling', '50%', '--run-rate-ceiling', '50%', '--rate', '0'];
    const meet = async (times: number) => {
      [moved, movedMax] = [new Set(), times];
      return payrun(['run', file, '--yes', '--json', ...ceilings, ...options, ...where]);
    };
    const paidAtLast = await meet(3);
    expect(paidAtLast.exit).toBe(0);
    expect(reportOf(paidAtLast)[1]).toMatchObject({ status: 'completed', attempts: 4 });
    writeFileSync(join(folder, 'payroll.csv'), `${[HEADER, GRACE.replace('30.00', '31.00'), MARY].join('\n')}\n`);
    const never = await meet(9);
    expect([never.exit, moved.size]).toEqual([4, 4]);
    expect(reportOf(never)[1]).toMatchObject({ status: 'rejected', problem_code: 'RATE_DRIFT', attempts: 4 });
    expect(reportOf(never)[1]?.message).toContain('quoted and sent 4 times');
    expect(await paid(service)).toHaveLength(3);
  },
  120_000,
);

test('SIGKILL in the middle of conversions, then resume: each payee is paid once, to the cent', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => {
    const source = at % 2 === 0 ? 'EUR' : 'USDC on ethereum';
    return `E${at},Payee ${at},${100 + at}.25,USD,${source},USD_ACH,1234567${10 + at},021000021,,`;
  });
  const { service, file, where, at, folder } = await desk(rows);
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 6s\nlisting_lag: 0s\nrate: 40/s\n');
  const started = start(['run', file, '--yes', '--profile', profile, ...at]);
  await untilArrived(service, 8, undefined, started.ended);
  started.child.kill('SIGKILL');
  await started.ended;
  await euro(service, '1.151');
  const { runs } = JSON.parse((await payrun(['runs', '--json', ...where.slice(0, 2)])).stdout);
  const done = await payrun(['resume', runs[0].run_id, '--json', ...where]);
  expect([done.exit, JSON.parse(done.stdout).counts.completed]).toEqual([0, 20]);
  const transactions = await allTransactions(service);
  expect(transactions.map(({ currency_in }) => currency_in.value).sort()).toEqual(
    rows.map((_, row) => String((100 + row) * 100 + 25)).sort(),
  );
  expect(new Set(reportOf(done).map(({ transaction_id }) => transaction_id))).toEqual(
    new Set(transactions.map(({ id }) => id)),
  );
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
});
