import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-admin.ts';

const STARTS = 5;
const ROWS = 20;

test('scenario 22: the same file started five times at once is one run, and each row is paid once', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 22, mode: 'full' });
  // All of them have seen that there is no run yet before the first one makes one.
  await admin(service, 'fault.add', { operation: 'account.balance.getMany', probability: 1, kind: 'slow', ms: 4_000 });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const command = ['run', file, '--yes', '--json', '--rate', '0', '--poll-every', '50ms', ...service.options, ...where];
  const ended = await Promise.all(Array.from({ length: STARTS }, () => payrun(command)));
  expect(refusedOf(ended), ended.map(({ stderr }) => stderr).join('\n')).toHaveLength(STARTS - 1);
  const [paid, ...others] = ended.filter(({ exit }) => exit === 0);
  expect(others).toEqual([]);
  const listed = JSON.parse((await payrun(['runs', '--json', '--data-dir', join(folder, 'data')])).stdout);
  expect(listed.runs).toHaveLength(1);
  const result = JSON.parse(paid?.stdout ?? '{}');
  expect(listed.runs[0].run_id).toBe(result.run_id);
  const report: Record<string, string>[] = parse(readFileSync(result.report[0]), { columns: true, bom: true });
  const transactions = await allTransactions(service);
  expect(transactions).toHaveLength(ROWS);
  expect(new Set(report.map(({ transaction_id }) => transaction_id))).toEqual(
    new Set(transactions.map(({ id }) => id)),
  );
  const { 'transaction.transfer': transfers, 'account.recipient.create': recipients } = await arrivals(service);
  expect({ transfers, recipients }).toEqual({ transfers: ROWS, recipients: ROWS });
});

test('scenario 22: a second start while the first works is refused, and so is one when it is done', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service'), args: ['--settle-after', '2s'] });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: 5, path: file, seed: 23, mode: 'full' });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--json'];
  const command = ['run', file, '--yes', '--rate', '0', '--poll-every', '50ms', ...service.options, ...where];
  const first = payrun(command);
  while (((await arrivals(service))['transaction.transfer'] ?? 0) === 0);
  expect(refusedOf([await payrun(command)])).toHaveLength(1);
  expect((await first).exit).toBe(0);
  expect(refusedOf([await payrun(command)])).toHaveLength(1);
  expect(await allTransactions(service)).toHaveLength(5);
});

/** Those that were told that the file was run, or that another process holds the run, and sent nothing. */
function refusedOf(ended: readonly Ended[]): Ended[] {
  return ended.filter(({ exit }) => exit === 6 || exit === 7);
}
