import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

const HEADER = 'payee_id,name,account_name,amount,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000';
const MARY = 'E2,Mary Jackson,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000';
const FAILS = 'E3,Payee 3,REHEARSE_CLOSED,7.00,AUD,AUD_NPP,32345670,062-000';
const KATHERINE = 'E4,Katherine Johnson,Katherine Johnson,5.00,AUD,AUD_NPP,42345670,062-000';

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** A folder whose journal has paid through a service of its own. */
async function desk() {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const data = ['--data-dir', join(folder, 'data')];
  const at = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '20ms', '--json'];
  const there = [...at, '--rate', '0', ...service.options];
  const write = (name: string, ...rows: string[]) => {
    writeFileSync(join(folder, name), `${[HEADER, ...rows].join('\n')}\n`);
    return join(folder, name);
  };
  const run = (input: string, ...more: string[]) =>
    payrun(['run', input, '--yes', ...(/^R\d/.test(input) ? at : there), ...more]);
  const plan = (input: string, ...more: string[]) => payrun(['plan', input, ...there, ...more]);
  const paid = async () => (await allTransactions(service)).length;
  const rowsOf = (runId: string) => readFileSync(join(folder, 'reports', runId, 'report.csv'), 'utf8').split('\r\n');
  return { folder, data, write, run, plan, paid, rowsOf };
}

function expectRefused({ exit, stderr }: Ended, code: number, ...texts: (string | RegExp)[]): void {
  expect([exit, stderr]).toEqual([code, expect.stringMatching(/\S/)]);
  for (const text of texts) expect(stderr).toMatch(text);
}

it.each([
  ['a blank line', (rows: string[]) => [...rows, '']],
  ['other rows first', (rows: string[]) => rows.toReversed()],
  ['one payout more', (rows: string[]) => [...rows, KATHERINE]],
])(
  'the same payroll with %s is refused (6), whatever --yes says, until the run that paid it is named',
  async (_, other) => {
    const { write, run, paid } = await desk();
    const first = json(await run(write('a.csv', ADA, MARY)));
    const changed = write('b.csv', ...other([ADA, MARY]));
    const refused = await run(changed);
    expectRefused(
      refused,
      6,
      /^Rows 2, 3 would pay .* as run R\S+ of/m,
      '--skip-paid',
      `--allow-repeat ${first.run_id}.`,
    );
    expect(json(refused)).toMatchObject({ run_id: first.run_id, rows: [2, 3], exit: 6 });
    expectRefused(await run(changed, '--allow-repeat', 'R20200101-00000000'), 2, /no earlier run/);
    expect(await paid()).toBe(2);
    const again = await run(changed, '--allow-repeat', first.run_id);
    expect(again.exit, again.stderr).toBe(0);
    expect(await paid()).toBe(2 + json(again).counts.completed);
    // One name allows one run: now another one has paid it last.
    const once = write('c.csv', MARY);
    expectRefused(await run(once, '--allow-repeat', first.run_id), 6, `as run ${json(again).run_id}`);
    expect((await run(once, '--allow-repeat', json(again).run_id)).exit).toBe(0);
  },
);

it('--skip-paid pays the rest, and reports what it leaves out with the run that paid it', async () => {
  const { write, run, plan, paid, rowsOf } = await desk();
  const first = json(await run(write('a.csv', ADA, MARY, FAILS)));
  expect(first.counts).toMatchObject({ completed: 2, failed: 1 });
  const other = write('b.csv', MARY, KATHERINE, ADA);
  const planned = json(await plan(other, '--skip-paid'));
  expect(planned).toMatchObject({ payouts: 1, totals: [{ currency: 'AUD', payouts: 1, planned: '5.00' }] });
  expect(planned.warnings).toContainEqual(expect.objectContaining({ code: 'left_out_paid_before', row: 2 }));
  expect((await run(planned.run_id)).exit).toBe(4);
  expect(await paid()).toBe(4);
  const lines = rowsOf(planned.run_id);
  for (const at of [1, 3])
    expect(lines[at]).toMatch(new RegExp(`,not_submitted,.*,paid_before,.*by run ${first.run_id} of \\d{4}`));
  expect(lines[2]).toMatch(/,completed,/);
  // What was left out stays out of its retry, and nothing is left of the same file for another run.
  expectRefused(await run(write('c.csv', ADA, KATHERINE), '--skip-paid'), 6, 'Nothing is left to pay');
  const direct = await run(write('d.csv', ADA, KATHERINE.replace('5.00', '6.00')), '--skip-paid');
  expect([direct.exit, json(direct).counts]).toMatchObject([4, { completed: 1, not_submitted: 1 }]);
  expect(direct.stderr).toMatch(/Left out, as it was paid before: row 2\./);
  expect(await paid()).toBe(5);
});

it('a job leaves out what was paid where it says skip_paid', async () => {
  const { folder, write, run, paid } = await desk();
  await run(write('a.csv', ADA));
  write('pay.csv', ADA, MARY);
  const job = join(folder, 'pay.yaml');
  writeFileSync(job, 'input: pay.csv\nskip_paid: true\n');
  const ended = await run(job);
  expect([ended.exit, json(ended).counts]).toMatchObject([4, { completed: 1, not_submitted: 1 }]);
  expect(await paid()).toBe(2);
});

it('a plan of a file shows what was paid, and is refused (6) until the runs are named, also of what was paid since', async () => {
  const { write, run, plan, paid } = await desk();
  const late = json(await plan(write('late.csv', MARY, KATHERINE)));
  const first = json(await run(write('a.csv', ADA)));
  const planned = json(await plan(write('b.csv', ADA, MARY)));
  expect(planned.warning_counts).toMatchObject({ paid_before: 1 });
  expectRefused(await run(planned.run_id), 6, 'Row 2 would pay', `--allow-repeat ${first.run_id}.`);
  const second = json(await run(write('c.csv', MARY)));
  expectRefused(await run(late.run_id), 6, /Row 2 would pay|not as they were/);
  const names = `${second.run_id},${first.run_id}`;
  expectRefused(await run(write('d.csv', ADA, MARY)), 6, `--allow-repeat ${names}.`);
  expect((await run(write('d.csv', ADA, MARY), '--allow-repeat', names)).exit).toBe(0);
  expect(await paid()).toBe(4);
});

it('what failed was not paid, and is no repetition', async () => {
  const { write, run, paid } = await desk();
  expect(json(await run(write('a.csv', ADA, FAILS))).counts).toMatchObject({ completed: 1, failed: 1 });
  const again = await run(write('b.csv', FAILS, MARY));
  expect([again.exit, json(again).counts]).toMatchObject([4, { completed: 1, failed: 1 }]);
  expect(await paid()).toBe(4);
});
