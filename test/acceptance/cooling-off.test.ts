import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listed } from '../support/approval-office.ts';
import { asPerson, PASSPHRASE, type TestApprover, testApprover } from '../support/approvers.ts';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';
import { atTerminal, hasTerminal } from '../support/terminal.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000';
const MARY = 'E2,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000';
const TOTAL = '32.50 AUD';

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** A job whose plans two approvers sign, and in which an account is new for as long as `time` says. */
async function desk(time: string) {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const [anna, ben] = [await testApprover(folder, 'Anna', 1), await testApprover(folder, 'Ben', 2)];
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${PASSPHRASE}\n`, { mode: 0o600 });
  const job = join(folder, 'pay.yaml');
  const limits = `limits: {cooling_off: ${time}}\nrepeat_window: 0s\n`;
  writeFileSync(job, `input: pay.csv\n${limits}approval:\n  required: 2\n  approvers:\n${listed([anna, ben])}`);
  const pay = (...rows: string[]) => writeFileSync(join(folder, 'pay.csv'), `${[HEADER, ...rows].join('\n')}\n`);
  const data = ['--data-dir', join(folder, 'data')];
  const where = [...data, '--json', '--report-dir', join(folder, 'reports'), '--poll-every', '20ms'];
  const env = asPerson('petra');
  const plan = async () => json(await payrun(['plan', job, ...where, ...service.options, '--rate', '0'], { env }));
  const approve = ({ name, file }: TestApprover, runId: string, ...more: string[]) => {
    const key = ['--key', file, '--passphrase-file', passphrase, '--total', TOTAL];
    return payrun(['approve', runId, ...key, ...data, '--json', ...more], { env: asPerson(name.toLowerCase()) });
  };
  const run = (runId: string, ...more: string[]) => payrun(['run', runId, '--yes', ...where, ...more], { env });
  const show = async (runId: string) => json(await payrun(['show', runId, '--json', ...data]));
  return { folder, service, anna, ben, job, data, where, env, pay, plan, approve, run, show };
}

function expectRefused({ exit, stderr }: Ended, code: number, ...texts: (string | RegExp)[]): void {
  expect([exit, stderr]).toEqual([code, expect.stringMatching(/\S/)]);
  for (const text of texts) expect(stderr).toMatch(text);
}

it('rows to new accounts are paid (0) once as many approvers as the plan needs have approved each of them', async () => {
  const { service, anna, ben, job, data, pay, plan, approve, run, show } = await desk('30d');
  pay(ADA, MARY);
  const planned = await plan();
  expect(planned.warnings.filter(({ code }: { code: string }) => code === 'cooling_off')).toMatchObject([
    {
      row: 2,
      message: expect.stringMatching(/^Row 2: Ada Byron \(E1\) gets 12\.50 AUD on ••••5678\. Nobody was ever/),
    },
    { row: 3 },
  ]);
  const { run_id } = planned;
  expectRefused(await approve(anna, run_id), 6, 'rows 2, 3 wait for', '--rows 17,23, --rows all, or --rows none');
  expectRefused(await approve(anna, run_id, '--rows', '2,4'), 2, 'no row 4 waits', 'The rows are 2, 3');
  const first = await approve(anna, run_id, '--rows', '2');
  expect(first.stderr).toMatch(/by itself {2}Row 2: Ada Byron \(E1\) gets 12\.50 AUD/);
  expect(json(first)).toMatchObject({ approved: { rows: [2] }, approvals_missing: 1, rows_to_approve: [2, 3] });
  expectRefused(await run(run_id), 6, 'needs 2 approvals');
  expect(json(await approve(ben, run_id, '--rows', 'all'))).toMatchObject({
    approvals_missing: 0,
    rows_to_approve: [3],
  });
  expectRefused(
    await run(run_id),
    6,
    'waits for approvals of row 3, which goes to an account that is new or changed. Nothing was sent.',
    `payrun approve ${run_id} --key FILE`,
    `payrun run ${run_id} --only-valid`,
  );
  expect(await allTransactions(service)).toEqual([]);
  expectRefused(await approve(ben, run_id, '--rows', 'all'), 6, 'Ben has already approved this plan');
  expectRefused(await approve(anna, run_id, '--rows', 'none'), 6, 'Anna has already approved this plan');
  expect(json(await approve(anna, run_id, '--rows', '3'))).toMatchObject({
    approvals_missing: 0,
    rows_to_approve: [],
    next: expect.stringContaining(`payrun run ${run_id}`),
  });
  expect((await show(run_id)).approvals).toMatchObject([{ rows: [2] }, { rows: [2, 3] }, { rows: [3], counts: true }]);
  expect((await run(run_id)).exit).toBe(0);
  expect(await allTransactions(service)).toHaveLength(2);

  // They stay new for as long as the job says.
  pay(ADA, `${MARY} `);
  expect((await plan()).warnings).toMatchObject([{ message: expect.stringContaining('before run R') }, {}]);
  writeFileSync(job, 'input: pay.csv\nlimits: {cooling_off: 30d}\n');
  expectRefused(
    await payrun(['plan', job, ...data]),
    2,
    /pay\.yaml:2:10: limits\.cooling_off needs somebody who approves/,
  );
});

it('a row whose bank details changed waits, and --only-valid pays the others and reports it; a retry waits for its approval again', async () => {
  const { folder, service, anna, ben, job, where, env, pay, plan, approve, run, show } = await desk('1ms');
  pay(ADA, MARY);
  const early = (await plan()).run_id;
  for (const who of [anna, ben]) await approve(who, early, '--rows', 'all');
  expect((await run(early)).exit).toBe(0);

  pay(ADA.replace('12345678', '92345671'), MARY);
  const planned = await plan();
  const { run_id } = planned;
  expect(planned.warnings.filter(({ code }: { code: string }) => code === 'cooling_off')).toMatchObject([
    { row: 2, message: expect.stringMatching(/on ••••5671\. Last time this payee was paid to ••••5678 \(run R/) },
  ]);
  const approved = await approve(anna, run_id, '--rows', 'none');
  expect(approved.stderr).toMatch(/^BANK DETAILS CHANGED: 1 payout would not go where the payee was last paid\.\n/);
  expect(approved.stderr).toMatch(/by itself {2}Row 2: .* on ••••5671\. Last time this payee was paid to ••••5678/);
  await approve(ben, run_id, '--rows', 'all');
  expectRefused(await run(run_id), 6, 'of row 2, which goes');
  const paid = await run(run_id, '--only-valid');
  expect([paid.exit, json(paid).counts]).toMatchObject([4, { completed: 1, not_submitted: 1 }]);
  expect((await show(run_id)).payouts).toMatchObject([
    { row: 2, state: 'not_submitted' },
    { row: 3, state: 'completed' },
  ]);
  const report = readFileSync(join(folder, 'reports', run_id, 'report.csv'), 'utf8');
  expect(report).toMatch(/not_submitted.*cooling_off/);
  await payrun(['resume', run_id, ...where], { env });
  expect(await allTransactions(service)).toHaveLength(3);
  expectRefused(await approve(anna, run_id, '--rows', 'all'), 6, 'has already started');

  // A retry asks for the row again, and pays it once it is approved.
  const retried = json(await payrun(['retry', run_id, ...where], { env }));
  expect(retried).toMatchObject({ payouts: 1, approvals_needed: 2 });
  expectRefused(await approve(anna, retried.run_id, '--total', '12.50 AUD'), 6, 'row 2 waits for');
  for (const who of [anna, ben]) {
    const ended = await approve(who, retried.run_id, '--rows', 'all', '--total', '12.50 AUD');
    expect(ended.exit, ended.stderr).toBe(0);
  }
  // The window in which a job refuses repeated payments is none of a retry's.
  const asked = readFileSync(job, 'utf8');
  writeFileSync(job, asked.replace('repeat_window: 0s', 'repeat_window: 20d'));
  expect((await run(retried.run_id)).exit).toBe(0);
  writeFileSync(job, asked);
  expect(await allTransactions(service)).toHaveLength(4);
  expectRefused(await payrun(['retry', run_id, ...where], { env }), 6, 'Nothing to retry');

  pay(ADA.replace('12345678', '82345672'));
  const alone = await plan();
  const lone = (who: TestApprover) => approve(who, alone.run_id, '--rows', 'none', '--total', '12.50 AUD');
  for (const who of [anna, ben]) expect((await lone(who)).exit).toBe(0);
  expectRefused(await run(alone.run_id, '--only-valid'), 6, 'of row 2, which goes');
});

it.skipIf(!hasTerminal)(
  'at a terminal each row is asked for in words, and what is not answered with yes is not approved',
  async () => {
    const { anna, pay, plan, show, data } = await desk('30d');
    pay(ADA, MARY);
    const { run_id } = await plan();
    const { exit, screen } = await atTerminal(
      ['approve', run_id, '--key', anna.file, ...data],
      [
        ['Passphrase of', PASSPHRASE],
        [`Type ${TOTAL} to approve: `, '32.50'],
      ],
      { env: asPerson('anna') },
    );
    expect([exit, screen]).toEqual([6, expect.stringContaining('that is not the total')]);
    expect(screen).not.toContain(PASSPHRASE);
    const approved = await atTerminal(
      ['approve', run_id, '--key', anna.file, ...data],
      [
        ['Passphrase of', PASSPHRASE],
        [`Type ${TOTAL} to approve: `, TOTAL],
        ['Type yes to approve this row, or all for all 2: ', 'y'],
        ['Type yes to approve this row: ', 'yes'],
      ],
      { env: asPerson('anna') },
    );
    expect(approved).toMatchObject({
      exit: 0,
      screen: expect.stringMatching(/Row 2: Ada Byron[\s\S]*Row 3: Mary Jackson/),
    });
    expect((await show(run_id)).approvals).toMatchObject([{ rows: [3] }]);
  },
);
