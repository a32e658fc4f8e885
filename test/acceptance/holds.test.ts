import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import { type HoldRecord, payeeHash } from '../../src/domain/run/holds.ts';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

const ROWS = [
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code',
  'E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000',
  'E2,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000',
];

const json = ({ stdout }: Ended) => JSON.parse(stdout);

it('a payee who is on hold is an error of every file, and is left out of what was planned before', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'pay.csv');
  writeFileSync(file, `${ROWS.join('\n')}\n`);
  const dataDir = join(folder, 'data');
  const data = ['--data-dir', dataDir, '--json'];
  const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '20ms', ...service.options];
  const { run_id: runId } = json(await payrun(['plan', file, ...where]));

  const journal = await openDataJournal({ dataDir });
  const payee = payeeHash({ payee_id: 'E1', name: 'whoever', email: null });
  const reason = 'A mail asked for another account';
  const hold = { payee, name: 'Ada Byron', payee_id: 'E1', accounts: [], reason, by: 'Clara Nash' };
  const record = (act: HoldRecord['act']) => journal.payeeHolds.add({ ...hold, act });
  await record('hold');

  const checked = await payrun(['check', file, ...data]);
  expect(checked.exit).toBe(3);
  const [problem] = json(checked).problems;
  expect(problem).toMatchObject({ severity: 'error', code: 'payee_on_hold', row: 2, column: 'name', cell: 'B2' });
  expect(problem.message).toContain(`Ada Byron is on hold: do not pay. Clara Nash recorded it on `);
  expect(problem.message).toContain(`“${reason}”`);
  expect((await payrun(['plan', file, ...where])).exit).toBe(3);
  const warned = json(await payrun(['show', runId, ...data]));
  expect(JSON.stringify(warned)).toContain('payee_on_hold');

  const run = await payrun(['run', runId, '--yes', ...where]);
  expect([run.exit, json(run).counts]).toEqual([
    4,
    { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 1 },
  ]);
  expect(await allTransactions(service)).toHaveLength(1);
  const shown = (await payrun(['show', runId, '--data-dir', dataDir])).stdout;
  expect(shown).toMatch(/Ada Byron is on hold: do not pay\. Clara Nash recorded it on .*Nothing was\s+sent/s);

  const left = json(await payrun(['run', file, '--yes', '--only-valid', '--allow-repeat', '', ...where]));
  expect(left.counts).toMatchObject({ completed: 1, not_submitted: 1 });

  await record('release');
  await journal.close();
  expect((await payrun(['check', file, ...data])).exit).toBe(0);
  const retried = await payrun(['retry', runId, '--yes', ...where]);
  expect(json(retried).counts).toMatchObject({ completed: 1, not_submitted: 0 });
});
