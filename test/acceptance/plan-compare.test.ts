import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WordedProblem } from '../../src/domain/problem.ts';
import { clockOf } from '../support/clock-of.ts';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000';
const MARY = 'E2,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000';
/** Known by her name alone. */
const GRACE = ',Grace Hopper,30.00,USD,USD_ACH,323456789,021000021';
const KATHERINE = 'E4,Katherine Johnson,5.00,AUD,AUD_NPP,42345670,062-000';

/** A month and more later, for everything in the process. */
const clock = join(mkdtempSync(join(tmpdir(), 'payrun-later-')), 'clock-offset');
writeFileSync(clock, String(32 * 86_400_000));
const LATER = clockOf(clock);

/** A folder with a job and files, and payrun there, at the shipped service inside the process. */
function desk(job = '') {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'jobs'));
  writeFileSync(join(cwd, 'jobs/pay.yaml'), `input: ../pay.csv\npoll_every: 50ms\nrate: 0\n${job}`);
  const accounts = new Set<string>();
  const write = (name: string, ...rows: string[]) => {
    for (const row of rows) accounts.add(row.split(',')[5] ?? '');
    writeFileSync(join(cwd, name), `${[HEADER, ...rows].join('\n')}\n`);
  };
  const said: string[] = [];
  const at = async (args: string[], env: Record<string, string> = {}): Promise<Ended> => {
    const ended = await payrun(args, { cwd, env });
    said.push(ended.stdout, ended.stderr);
    return ended;
  };
  const pay = async (input: string, ...more: string[]): Promise<string> => {
    const { exit, stdout, stderr } = await at(['run', input, '--yes', '--json', '--rate', '0', ...more]);
    expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' });
    return JSON.parse(stdout).run_id;
  };
  const plan = async (input: string, env: Record<string, string> = {}, ...more: string[]) => {
    const { exit, stdout, stderr } = await at(['plan', input, '--json', ...more], env);
    expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  /** Nothing that was printed has a whole account number. */
  const isMasked = () => {
    expect(accounts.size).toBeGreaterThan(0);
    for (const account of accounts) expect(said.filter((text) => text.includes(account))).toEqual([]);
  };
  return { cwd, write, at, pay, plan, isMasked };
}

/** Less what is said of the totals of so few payouts. */
const codes = ({ warnings }: { warnings: WordedProblem[] }) =>
  warnings.filter(({ code }) => code !== 'total_unusual').map(({ cell, code }) => `${cell ?? 'file'} ${code}`);

const messageOf = ({ warnings }: { warnings: WordedProblem[] }, code: string) =>
  warnings.find((one) => one.code === code)?.message;

describe('payrun plan of a file', () => {
  it('says first whose bank details changed, known by payee_id or by name, and when the old ones were paid', async () => {
    const { write, at, pay, plan, isMasked } = desk();
    write('a.csv', ADA, MARY, GRACE);
    const paid = await pay('a.csv');
    write('b.csv', ADA.replace('12345678', '99345671').replace('12.50', '12.60'), GRACE.replace('3234567', '9234567'));
    const planned = await plan('b.csv', LATER);
    expect(codes(planned)).toEqual(['F2 account_changed', 'F3 account_changed']);
    const [changed] = planned.warnings.filter(({ code }: WordedProblem) => code === 'account_changed');
    expect(changed).toMatchObject({ severity: 'warning', row: 2, value: '••••5671' });
    expect(changed.message).toMatch(
      new RegExp(
        `^Ada Byron \\(E1\\): .* paid to ••••5678 \\(run ${paid} of \\d{4}-\\d\\d-\\d\\d, a rehearsal\\); now it is ••••5671`,
      ),
    );
    const text = await at(['plan', 'b.csv'], LATER);
    expect(text.stdout).toMatch(
      /^REHEARSAL.*\nPlan .*\n\nBANK DETAILS CHANGED: 2 payouts .*\nwarning account_changed at F2, F3\n/,
    );
    expect(text.stdout).toMatch(/\n2 with changed bank details\.\nNothing was sent\. Next: /);
    isMasked();
  });

  it('says who is paid for the first time, and on which account, where anybody was paid before', async () => {
    const { write, at, pay, plan, isMasked } = desk();
    write('a.csv', ADA, MARY);
    expect((await plan('a.csv')).warnings).toEqual([]);
    await pay('a.csv');
    const ofAda = 'E1,Ada Byron,7.00,USD,USD_ACH,523456789,021000021';
    write('b.csv', ADA, ofAda, KATHERINE);
    const planned = await plan('b.csv', LATER);
    // Two rows of one payee_id are the input's to remark.
    expect(codes(planned)).toEqual(['A3 payee_repeated', 'B4 payee_first_time', 'F3 account_first_time']);
    expect(planned.compared).toBeNull();
    expect(planned.warning_counts).toEqual({ payee_first_time: 1, account_first_time: 1 });
    expect((await at(['plan', 'b.csv'], LATER)).stdout).toContain('\n1 payee new.\nNothing was sent.');
    isMasked();
  });

  it('remarks what was paid within twenty days, and not after them', async () => {
    const { write, pay, plan, isMasked } = desk();
    write('a.csv', ADA, MARY);
    const paid = await pay('a.csv');
    write('b.csv', KATHERINE, MARY, ADA.replace('12.50', '12.51'));
    const planned = await plan('b.csv');
    expect(codes(planned)).toEqual(['B2 payee_first_time', 'F3 paid_before']);
    expect(messageOf(planned, 'paid_before')).toContain(`by run ${paid} of `);
    expect(codes(await plan('b.csv', LATER))).toEqual(['B2 payee_first_time']);
    isMasked();
  });

  it('remarks payments at the service that another journal made, by their ids, and none of its own', async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const { cwd, write, plan, pay, isMasked } = desk();
    write('a.csv', ADA);
    write('b.csv', MARY, ADA.replace('12.50', '12.5'), KATHERINE);
    await pay('a.csv', '--data-dir', join(cwd, 'other'), ...service.options);
    const [transaction] = await allTransactions(service);
    const planned = await plan('b.csv', {}, ...service.options);
    expect(codes(planned)).toEqual(['F3 unknown_payment']);
    expect(planned.warnings[0].message).toContain(`the service holds ${transaction?.id} of the last two weeks`);
    const known = await plan('b.csv', {}, '--data-dir', join(cwd, 'other'), ...service.options);
    expect(codes(known)).toEqual(['B2 payee_first_time', 'B4 payee_first_time', 'F3 paid_before']);
    isMasked();
  });

  it('knows of what went through another service who was paid what, and no more', async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const { write, plan, pay } = desk();
    write('a.csv', ADA, MARY);
    await pay('a.csv');
    write('b.csv', ADA.replace('12345678', '99345671'), MARY, KATHERINE);
    expect(codes(await plan('b.csv', {}, ...service.options))).toEqual(['F3 paid_before']);
  });
});

describe('payrun plan of a job', () => {
  it('has nothing to say of a second month that is the same', async () => {
    const { write, at, pay, plan } = desk();
    write('pay.csv', ADA, MARY, GRACE);
    const paid = await pay('pay');
    write('pay.csv', GRACE, MARY, `${ADA} `);
    const planned = await plan('pay', LATER);
    expect(planned.warnings).toEqual([]);
    expect(planned.compared).toMatchObject({ run_id: paid, payees_new: 0, payees_missing: 0, amounts_changed: 0 });
    const { stdout } = await at(['plan', 'pay'], LATER);
    expect(stdout).toContain(`\nThe same payees and accounts as in the last run of the job (run ${paid} of `);
    expect(stdout).toContain('\n  then 30.00 USD, now 30.00 USD\n  then 32.50 AUD, now 32.50 AUD\nNothing was sent.');
  });

  it('compares with the last run of the job: new and missing payees, amounts that differ by more than a share', async () => {
    const { write, at, pay, plan, isMasked } = desk('amount_change: 10%\n');
    write('pay.csv', ADA, MARY, GRACE);
    const paid = await pay('pay');
    // What is no run of the job is known all the same.
    write('other.csv', KATHERINE);
    await pay('other.csv');
    // 10 % of 12.50 is 1.25, which is not more than 10 %.
    const rows = [ADA.replace('12.50', '13.75'), MARY.replace('20.00', '22.01'), KATHERINE];
    write('pay.csv', ...rows);
    const planned = await plan('pay', LATER);
    expect(codes(planned)).toEqual(['file payee_missing', 'C3 amount_changed']);
    expect(messageOf(planned, 'payee_missing')).toMatch(
      new RegExp(`^1 of those who were paid by run ${paid} .*: Grace Hopper\\.$`),
    );
    expect(messageOf(planned, 'amount_changed')).toContain(
      'gets 22.01 AUD; in the last run of the job it was 20.00 AUD',
    );
    expect(planned.compared).toEqual({
      run_id: paid,
      started_at: expect.stringMatching(/^\d{4}-/),
      payees_new: 1,
      payees_missing: 1,
      amounts_changed: 1,
      totals: [
        { currency: 'AUD', before: '32.50', now: '40.76' },
        { currency: 'USD', before: '30.00', now: '0.00' },
      ],
    });
    const { stdout } = await at(['plan', 'pay'], LATER);
    expect(stdout).toContain(
      `\n1 payee new, 1 with another amount, 1 missing since the last run of the job (run ${paid} of `,
    );
    isMasked();
  });

  it('refuses (6) rows that were paid within its window, in plan, run and run RUN, until a person names the run', async () => {
    const { write, at, pay, plan, isMasked } = desk();
    write('pay.csv', ADA, MARY);
    const early = (await plan('pay')).run_id;
    write('pay.csv', ADA);
    const paid = await pay('pay');
    write('pay.csv', MARY, ADA);
    for (const words of [
      ['plan', 'pay'],
      ['run', 'pay', '--yes'],
      ['run', 'pay'],
    ]) {
      const { exit, stderr } = await at(words);
      expect([words, exit]).toEqual([words, 6]);
      expect(stderr).toContain(`Row 3 would pay the same amount to the same account again, as run ${paid} of `);
      expect(stderr).toContain(`--allow-repeat ${paid}`);
    }
    write('pay.csv', ADA, MARY);
    const late = await at(['run', early, '--yes']);
    expect([late.exit, late.stderr]).toEqual([6, expect.stringContaining('Row 2 would pay the same amount')]);
    expect((await at(['plan', 'pay', '--allow-repeat', early])).exit).toBe(2);
    const allowed = await plan('pay', {}, '--allow-repeat', paid);
    expect([codes(allowed), allowed.next]).toEqual([
      ['B3 payee_first_time'],
      `payrun run ${allowed.run_id} --allow-repeat ${paid}`,
    ]);
    await pay(allowed.run_id, '--allow-repeat', paid);
    isMasked();
  });

  it('refuses within the time that the job says, and never where that is none', async () => {
    const { cwd, write, pay, plan, at } = desk('repeat_window: 0s\n');
    write('pay.csv', ADA);
    await pay('pay');
    write('pay.csv', `${ADA} `);
    expect((await plan('pay')).warnings).toEqual([]);
    writeFileSync(join(cwd, 'jobs/pay.yaml'), 'input: ../pay.csv\nrepeat_window: 40d\n');
    expect((await at(['plan', 'pay'], LATER)).exit).toBe(6);
    writeFileSync(join(cwd, 'jobs/pay.yaml'), 'input: ../pay.csv\nrepeat_window: soon\namount_change: 25\n');
    const { exit, stderr } = await at(['plan', 'pay']);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/pay\.yaml:2:16: .*\n.*pay\.yaml:3:16: .*whole per cent/),
    ]);
  });
});

describe('payrun run of a file', () => {
  it('shows changed bank details before it asks, and says them with --yes too', async () => {
    const { write, at, pay, isMasked } = desk();
    write('a.csv', ADA, GRACE);
    await pay('a.csv');
    write('b.csv', ADA.replace('12.50', '12.60'), GRACE.replace('3234567', '9234567'));
    const asked = await at(['run', 'b.csv']);
    expect(asked.exit).toBe(6);
    expect(asked.stderr).toMatch(
      /BANK DETAILS CHANGED: 1 payout [\s\S]*••••6789 \(run [\s\S]*Not confirmed: 2 payouts/,
    );
    const told = await at(['run', 'b.csv', '--yes', '--rate', '0']);
    expect([told.exit, told.stderr]).toEqual([0, expect.stringMatching(/account_changed at F3[\s\S]*REHEARSAL/)]);
    isMasked();
  });
});
