import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listed, sharedOffice } from '../support/approval-office.ts';
import { allTransactions } from '../support/service-admin.ts';

/** However long it took to come so far. */
const AGE = '(less than a minute|\\d+ minutes?)';
const SCHEDULE = 'schedule: {cron: "0 9 25 * *", time_zone: UTC}\n';
const office = () =>
  sharedOffice(
    ({ anna, ben, carla }) =>
      `${SCHEDULE}approval:\n  preparers:\n${listed([ben])}  approvers:\n${listed([anna, carla])}`,
  );

it('a newer plan of the same period takes the place of an older one, unless that is approved and can be run', async () => {
  const { plan, approve, run, json, anna, ben, carla, file, job, passphrase, service } = await office();
  const planned = async (...more: string[]) => JSON.parse((await plan(ben, '--json', ...more)).stdout);
  const first = await planned('--period', '2031-11');
  const other = await planned('--period', '2031-12');
  // Of another period, and of the same file: both would pay the same.
  expect(other).toMatchObject({ replaces: [first.run_id], waiting_too: [] });
  const second = await planned('--period', '2031-11');
  expect(second.replaces).toEqual([other.run_id]);

  const late = await approve(anna, first.run_id);
  expect([late.exit, late.stderr]).toEqual([6, expect.stringContaining(`replaced by a newer one, ${other.run_id}.`)]);
  expect(late.stderr).toContain(`payrun show ${other.run_id}`);
  expect((await run('run', other.run_id, '--yes')).exit).toBe(6);
  expect(await json('show', first.run_id)).toMatchObject({ state: 'finished', replaced_by: other.run_id });
  expect((await run('show', first.run_id)).stdout).toContain(`replaced by ${other.run_id} before it was started`);

  expect((await approve(anna, second.run_id)).exit).toBe(0);
  // Whoever would have the job paid is told of the plan that is approved, and no other is made beside it.
  const before = (await json('runs')).runs.length;
  const beside = await run(
    'run',
    job,
    '--yes',
    '--period',
    '2031-11',
    '--as',
    ben.file,
    '--passphrase-file',
    passphrase,
  );
  expect([beside.exit, beside.stdout]).toEqual([6, '']);
  expect(beside.stderr).toMatch(
    new RegExp(
      `^The plan ${second.run_id}, made .* ago and approved by Anna, is waiting to be run and pays the same`,
      'm',
    ),
  );
  expect(beside.stderr).toMatch(new RegExp(`^Next: payrun run ${second.run_id} --data-dir \\S+$`, 'm'));
  expect(beside.stderr).toMatch(new RegExp(`end it first: payrun cancel ${second.run_id} `));
  expect((await json('runs')).runs).toHaveLength(before);

  const third = await plan(ben, '--period', '2031-11');
  expect(third.stdout).toMatch(
    new RegExp(
      `^REHEARSAL.*\n.*\n\nThe plan ${second.run_id}, made ${AGE} ago and approved by Anna, waits too, and only one of the two can be run\\. Next: payrun run ${second.run_id} `,
    ),
  );
  expect(third.stdout).toContain(`To end it: payrun cancel ${second.run_id}`);
  const [newest] = (await json('runs')).runs;
  expect((await run('runs')).stdout).toMatch(new RegExp(`^${newest.run_id} +planned ${AGE} ago `, 'm'));

  // It is approved and cannot be run any more: that is said to whoever makes the next one.
  writeFileSync(
    file,
    'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,Ada Byron,1032.50,AUD,AUD_NPP,12345678,062-000\n',
  );
  const fourth = await plan(ben, '--period', '2031-11');
  expect(fourth.stdout).toContain(
    `approved by Anna, is replaced by this one: it could not be run any more (${second.run_id} is a plan of payroll.csv, which was changed since).`,
  );
  const [last] = (await json('runs')).runs;
  expect((await approve(carla, last.run_id)).exit).toBe(0);
  expect((await run('run', last.run_id, '--yes')).exit).toBe(0);
  expect(await allTransactions(service)).toHaveLength(1);
});

it('cancel --waiting ends the plans that cannot be run any more, and says which wait on', async () => {
  const { plan, approve, run, json, anna, ben, folder, job, text } = await office();
  const planned = async (...more: string[]) => JSON.parse((await plan(ben, '--json', ...more)).stdout).run_id;
  const october = await planned('--period', '2031-10');
  await approve(anna, october);
  writeFileSync(
    `${folder}/other.csv`,
    'name,amount,currency,rail,account_number,national_clearing_code\nAda,1.00,AUD,AUD_NPP,12345678,062-000\n',
  );
  const ofFile = JSON.parse((await run('plan', `${folder}/other.csv`, '--json')).stdout).run_id;
  expect(await json('cancel', '--waiting')).toMatchObject({
    cancelled: [],
    waiting: [{ run_id: ofFile }, { run_id: october }],
  });

  writeFileSync(job, text.replace('approval:\n', 'approval:\n  required: 2\n'));
  const ended = await json('cancel', '--waiting');
  expect(ended).toMatchObject({
    cancelled: [{ run_id: october, approved_by: ['Anna'] }],
    waiting: [{ run_id: ofFile }],
    exit: 0,
  });
  expect(ended.cancelled[0].why).toContain('it needs 2 approvals, not 1');
  writeFileSync(job, text);
  expect((await run('run', october, '--yes')).exit).toBe(6);
  expect((await run('run', ofFile, '--yes')).exit).toBe(0);
  expect((await run('cancel', '--waiting')).stdout).toBe('No plan waits.\n');
  expect((await run('runs')).stdout).toMatch(new RegExp(`^${october} +cancelled plan `, 'm'));
  expect((await run('cancel')).exit).toBe(2);
  expect((await run('cancel', october, '--waiting')).exit).toBe(2);
});

it('a job that asks for no approval any more is not paid beside a plan that is approved and can be run', async () => {
  const { plan, approve, run, json, anna, ben, job, text, service } = await office();
  const { run_id } = JSON.parse((await plan(ben, '--json', '--period', '2031-11')).stdout);
  expect((await approve(anna, run_id)).exit).toBe(0);
  writeFileSync(job, text.replace(/^approval:[\s\S]*/m, ''));
  const beside = await run('run', job, '--yes', '--period', '2031-11');
  expect([beside.exit, beside.stderr]).toEqual([
    6,
    expect.stringMatching(
      new RegExp(`^The plan ${run_id}, made .* and approved by Anna, is waiting to be run and pays the`, 'm'),
    ),
  ]);
  expect(beside.stderr).toMatch(
    new RegExp(`^Next: payrun run ${run_id} [\\s\\S]* end it first: payrun cancel ${run_id} `, 'm'),
  );
  expect([(await json('runs')).runs.length, await allTransactions(service)]).toEqual([1, []]);
  expect((await run('run', run_id, '--yes')).exit).toBe(0);
  expect(await allTransactions(service)).toHaveLength(2);
});

describe('the file of a plan that waits for those who approve a job', () => {
  it('is neither paid nor planned without the job, until somebody ends that plan', async () => {
    const { plan, run, json, ben, folder, file, text, service } = await office();
    const at = [...service.options, '--rate', '0', '--poll-every', '20ms'];
    const copy = join(folder, 'copy.csv');
    copyFileSync(file, copy);
    const early = JSON.parse((await run('plan', copy, '--json', ...at)).stdout).run_id;
    const { run_id } = JSON.parse((await plan(ben, '--json', '--period', '2031-11')).stdout);
    const open = join(folder, 'open.yaml');
    writeFileSync(open, text.replace(/^(?:schedule|approval):[\s\S]*/m, ''));
    const ways = [
      ['run', copy, ...at],
      ['plan', copy, ...at],
      ['run', open],
      ['plan', open],
      ['run', early],
    ];
    for (const way of ways) {
      const { exit, stderr, stdout } = await run(...way, ...(way[0] === 'run' ? ['--yes'] : []));
      expect([exit, stdout, stderr]).toEqual([
        6,
        '',
        expect.stringMatching(
          new RegExp(`^The plan ${run_id}, made .* ago, pays the same file, as job pay, which`, 'm'),
        ),
      ]);
      expect(stderr).toMatch(new RegExp(`^To be approved by 1 of Anna, Carla: payrun approve ${run_id} `, 'm'));
      expect(stderr).toMatch(new RegExp(`without that plan, end it first: payrun cancel ${run_id} `));
    }
    expect([(await json('runs')).runs.length, await allTransactions(service)]).toEqual([2, []]);
    // At another service it is another payment, and another plan of the job is the business of its own people.
    expect((await run('plan', copy)).exit).toBe(0);
    const again = JSON.parse((await plan(ben, '--json', '--period', '2031-11')).stdout);
    expect(again.replaces).toEqual([run_id]);
    expect((await run('cancel', again.run_id)).exit).toBe(0);
    expect((await run('run', early, '--yes')).exit).toBe(0);
    expect(await allTransactions(service)).toHaveLength(2);
  });
});

it('a plan whose file is not there any more is paid from the journal, which is said', async () => {
  const { plan, approve, run, anna, ben, file, service } = await office();
  const { run_id } = JSON.parse((await plan(ben, '--json')).stdout);
  expect((await approve(anna, run_id)).exit).toBe(0);
  rmSync(file);
  const paid = await run('run', run_id, '--yes');
  expect([paid.exit, paid.stderr]).toEqual([
    0,
    expect.stringMatching(/^payroll\.csv is not there any more; what was approved is paid from the journal\.$/m),
  ]);
  expect(await allTransactions(service)).toHaveLength(2);
});
