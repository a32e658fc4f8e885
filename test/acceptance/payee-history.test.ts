import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';

function payroll(folder: string, name: string, ...rows: string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
  return file;
}

test('a payee is paid ten times as much, and another one elsewhere: check and run say so after a rehearsal', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const where = ['--data-dir', data, '--report-dir', join(folder, 'reports'), '--rate', '0', '--poll-every', '50ms'];
  const ada = 'E1,Ada Byron,100.00,AUD,AUD_NPP,12345678,062-000';
  const grace = 'E2,Grace Hopper,1000.00,AUD,AUD_NPP,22345678,062-000';
  const october = payroll(folder, 'october.csv', ada, grace);
  const november = payroll(
    folder,
    'november.csv',
    ada.replace('100.00', '1000.00'),
    grace.replace('22345678', '99345679'),
  );
  const before = await payrun(['check', november, '--json', '--data-dir', data]);
  expect([before.exit, JSON.parse(before.stdout).problems]).toEqual([0, []]);
  expect(existsSync(data)).toBe(false);
  const run = await payrun(['run', october, '--yes', '--json', ...where]);
  expect(run.exit).toBe(0);
  const { run_id } = JSON.parse(run.stdout);
  const journal = readFileSync(join(data, 'journal.db'));

  const checked = await payrun(['check', november, '--json', '--data-dir', data]);
  expect(checked.exit).toBe(0);
  const { problems } = JSON.parse(checked.stdout);
  expect(problems.map(({ cell, code }: { cell: string; code: string }) => `${cell} ${code}`)).toEqual([
    'C2 amount_unusual',
    'F3 account_changed',
  ]);
  expect(problems[0].message).toContain('10 times what this payee is usually paid: 100.00 AUD');
  expect(problems[1].message).toContain(`Last time this payee was paid to ••••5678 (run ${run_id} of `);
  expect(problems[1].message).toContain('now it is ••••5679');
  expect(readFileSync(join(data, 'journal.db')).equals(journal)).toBe(true);

  const paid = await payrun(['run', november, '--yes', ...where]);
  expect(paid.exit).toBe(0);
  expect(paid.stderr).toContain('amount_unusual at C2');
  expect(paid.stderr).toContain('account_changed at F3');
  // It is what is usual now, or half of it.
  const after = await payrun(['check', november, '--json', '--data-dir', data]);
  expect(JSON.parse(after.stdout).problems).toMatchObject([
    { code: 'paid_before', row: null, message: expect.stringContaining('All 2 payouts were paid by run R') },
  ]);
});
