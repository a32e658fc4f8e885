import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/domain/problem.ts';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';
import { type Fate, hasSecondLoopback, tcpProxy } from '../support/tcp-proxy.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000';
const MARY = 'E2,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000';

/** Takes away what the shipped service says of itself: what stands behind this proxy moves money, as far as payrun knows. */
const asReal: Fate = async ({ deliver, socket }) => {
  const text = (await deliver()).toString('latin1');
  socket.write(Buffer.from(text.replace(/^x-payrun-rehearsal: true\r\n/im, ''), 'latin1'));
};

const json = ({ stdout }: Ended) => JSON.parse(stdout);

function expectRefused({ exit, stderr }: Ended, code: number, ...texts: (string | RegExp)[]): void {
  expect([exit, stderr]).toEqual([code, expect.stringMatching(/\S/)]);
  for (const text of texts) expect(stderr).toMatch(text);
}

/** A folder whose journal holds rehearsals and real payments. `rehearse` needs no service; `pay` is for real. */
async function desk() {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const proxy = await tcpProxy(service.base_url);
  proxy.decide(() => asReal);
  const [, , ...credentials] = service.options;
  const real = ['--base-url', proxy.baseUrl, ...credentials];
  const at = ['--data-dir', join(folder, 'data')];
  const where = [...at, '--report-dir', join(folder, 'reports'), '--poll-every', '20ms', '--rate', '0'];
  const write = (name: string, ...rows: string[]) => {
    writeFileSync(join(folder, name), `${[HEADER, ...rows].join('\n')}\n`);
    return join(folder, name);
  };
  const run = (input: string, ...more: string[]) => payrun(['run', input, '--yes', '--json', ...where, ...more]);
  const plan = (input: string, ...more: string[]) => payrun(['plan', input, '--json', ...where, ...more]);
  const rehearse = async (input: string, ...more: string[]): Promise<string> => {
    const ended = await run(input, ...more);
    expect({ exit: ended.exit, stderr: ended.exit === 0 ? '' : ended.stderr }).toEqual({ exit: 0, stderr: '' });
    expect(json(ended).rehearsal).toBe(true);
    return json(ended).run_id;
  };
  const pay = (input: string, ...more: string[]) => run(input, ...real, ...more);
  const planToPay = (input: string, ...more: string[]) => plan(input, ...real, ...more);
  const runPlan = (runId: string, ...more: string[]) =>
    payrun(['run', runId, '--yes', '--json', ...at, '--poll-every', '20ms', ...more]);
  const paid = async () => (await allTransactions(service)).length;
  return { folder, at, write, rehearse, pay, run, planToPay, runPlan, paid };
}

describe.runIf(await hasSecondLoopback())('what was rehearsed was not paid', () => {
  it('a file is paid after its rehearsal, and once; each kind is refused by its own kind alone', async () => {
    const { write, rehearse, pay, run, paid } = await desk();
    const file = write('z.csv', ADA, MARY);
    const rehearsed = await rehearse(file);
    const real = await pay(file);
    expect([real.exit, real.stderr]).toEqual([0, expect.not.stringContaining(rehearsed)]);
    const realId = json(real).run_id;
    expect(json(real)).toMatchObject({ rehearsal: false, counts: { completed: 2 } });
    expectRefused(await pay(file), 6, `This file was run before, as ${realId}. Nothing was sent.`);
    expectRefused(await run(file), 6, `This file was run before, as ${rehearsed}, a rehearsal. Nothing was sent.`);
    expect(await paid()).toBe(2);
  });

  it('nor is what has other bytes, and changed bank details are none that were rehearsed', async () => {
    const { write, rehearse, pay, run, planToPay, paid } = await desk();
    await rehearse(write('a.csv', ADA, MARY));
    const moved = write('b.csv', MARY, ADA.replace('12345678', '99345671'));
    expect(json(await planToPay(moved)).warnings).toEqual([]);
    const other = write('c.csv', MARY, ADA, '');
    expectRefused(
      await run(other),
      6,
      /the same amount to the same account again, as run R\S+ of \S+, a rehearsal, did/,
    );
    expect((await pay(other)).exit).toBe(0);
    expect(await paid()).toBe(2);
  });

  it('a plan that waits to be paid is run after a rehearsal of the same file', async () => {
    const { write, rehearse, planToPay, runPlan, paid } = await desk();
    const file = write('z.csv', ADA, MARY);
    const { run_id } = json(await planToPay(file));
    await rehearse(file);
    expect((await runPlan(run_id)).exit).toBe(0);
    expect(await paid()).toBe(2);
  });

  it('the period of a job is paid after its rehearsal, and once', async () => {
    const { folder, write, rehearse, pay, paid } = await desk();
    write('pay.csv', ADA, MARY);
    const job = join(folder, 'pay.yaml');
    writeFileSync(
      job,
      'input: pay.csv\nlimits: {per_day: {AUD: 32.50}}\nschedule: {cron: "0 9 25 * *", time_zone: UTC}\n',
    );
    const period = ['--period', '2031-11'];
    await rehearse(job, ...period);
    const real = await pay(job, ...period);
    expect(real.exit, real.stderr).toBe(0);
    expectRefused(await pay(job, ...period), 6, `was already run for 2031-11, as ${json(real).run_id}`);
    expect(await paid()).toBe(2);
  });

  it('--allow-repeat does not take the name of a rehearsal for that of a payment', async () => {
    const { write, rehearse, pay, paid } = await desk();
    const file = write('z.csv', ADA);
    const rehearsed = await rehearse(file);
    expectRefused(
      await pay(file, '--allow-repeat', rehearsed),
      2,
      `${rehearsed}, which was a rehearsal: it paid nobody`,
    );
    expect(await paid()).toBe(0);
  });

  it('what was paid through one service is paid again through no other', async () => {
    const { write, pay, paid } = await desk();
    const file = write('z.csv', ADA);
    const { run_id } = json(await pay(file));
    const service = await startService({ dataDir: join(temporaryFolder(), 'other') });
    const proxy = await tcpProxy(service.base_url);
    proxy.decide(() => asReal);
    const elsewhere = ['--base-url', proxy.baseUrl, ...service.options.slice(2)];
    expectRefused(await pay(file, ...elsewhere), 6, `This file was run before, as ${run_id}`);
    const other = write('y.csv', MARY, ADA);
    expectRefused(await pay(other, ...elsewhere), 6, new RegExp(`Row 3 would pay the same amount .* as run ${run_id}`));
    expect([await paid(), await allTransactions(service)]).toEqual([1, []]);
  });

  it('check names a rehearsal as one', async () => {
    const { at, write, rehearse } = await desk();
    const file = write('z.csv', ADA);
    const rehearsed = await rehearse(file);
    const checked = json(await payrun(['check', file, '--json', ...at]));
    const [found] = checked.problems.filter(({ code }: Problem) => code === 'paid_before');
    expect(found.message).toMatch(new RegExp(`by run ${rehearsed} of \\S+, a rehearsal, the same amount`));
  });
});
