import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { elementsOf, textsAt } from '../report/iso20022/bank-files.ts';
import { pain001File } from '../support/bank-files.ts';
import { invalidIn, NO_VALIDATORS } from '../support/iso-validators.ts';
import { PROJECT, payrun, temporaryFolder } from '../support/payrun.ts';

const SAMPLE = join(PROJECT, 'samples/payroll-with-failures.csv');

type Row = { status: string; transaction_id: string; sent_amount: string | null; sent_currency: string };

test('report writes what became of a real run as bank files', async () => {
  const folder = temporaryFolder();
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const run = await payrun(['run', SAMPLE, '--yes', '--json', '--rate', '0', '--poll-every', '50ms', ...where]);
  expect(run.exit).toBe(4);
  const { run_id } = JSON.parse(run.stdout);
  const reports = join(folder, 'reports', run_id);
  const rows = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8')).rows as Row[];

  const wrote = await payrun(['report', run_id, '--format', 'pain002,camt054', '--json', ...where]);
  expect(wrote.exit).toBe(0);
  const paths = ['report.pain002.xml', 'report.camt054.xml'].map((name) => join(reports, name));
  expect(JSON.parse(wrote.stdout)).toEqual({ run_id, report: paths, exit: 0 });
  const [pain002 = '', camt054 = ''] = paths.map((path) => readFileSync(path, 'utf8'));

  const statuses = elementsOf(pain002, 'TxInfAndSts');
  expect(statuses.flatMap((one) => textsAt(one, 'TxSts'))).toEqual(
    rows.map(({ status }) => (status === 'completed' ? 'ACSC' : 'RJCT')),
  );
  expect(statuses.flatMap((one) => textsAt(one, 'AcctSvcrRef'))).toEqual(rows.map((row) => row.transaction_id));
  const [original] = elementsOf(pain002, 'OrgnlGrpInfAndSts');
  expect(textsAt(original, 'GrpSts')).toEqual(['PART']);
  expect(textsAt(original, 'OrgnlNbOfTxs')).toEqual([String(rows.length)]);

  const paid = rows.filter(({ status, sent_currency }) => status === 'completed' && !sent_currency.includes(' on '));
  const debits = elementsOf(camt054, 'Ntry').map((one) => [textsAt(one, 'AcctSvcrRef')[0], textsAt(one, 'Amt')[0]]);
  expect(debits.toSorted()).toEqual(
    paid.map((row) => [row.transaction_id, `${row.sent_amount} ${row.sent_currency}`]).toSorted(),
  );

  // Written again they are the same.
  await payrun(['report', run_id, '--format', 'camt054', '--format', 'pain002', ...where]);
  expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual([pain002, camt054]);
  if (NO_VALIDATORS === null) for (const file of [pain002, camt054]) expect(invalidIn(file)).toEqual([]);
});

test('a pain.001 is paid, and its pain.002 answers it by its own ids', async () => {
  const folder = temporaryFolder();
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const file = join(folder, 'payroll.xml');
  const payees = [
    { name: 'Ana Ruiz', minor: 115n, account: 'DE89370400440532013000', bank: 'COBADEFFXXX', reference: 'Lohn' },
    { name: 'Bob Roe', minor: 123456n, account: 'NL91ABNA0417164300', bank: '', reference: 'Lohn' },
  ];
  const pay = ['run', file, '--yes', '--json', '--rate', '0', '--poll-every', '50ms', ...where];

  writeFileSync(file, pain001File(payees, { sum: '1235.72' }));
  const refused = await payrun(pay);
  expect(refused.exit).toBe(3);
  expect(refused.stdout).toContain('control_figure_differs');
  expect((await payrun(['runs', ...where.slice(0, 2)])).stderr).toContain('There is no journal');

  writeFileSync(file, pain001File(payees));
  const run = await payrun(pay);
  expect(run.exit).toBe(0);
  const { run_id, totals } = JSON.parse(run.stdout);
  expect(totals).toMatchObject([{ currency: 'EUR', planned: '1235.71', sent: '1235.71' }]);
  await payrun(['report', run_id, '--format', 'pain002', ...where]);
  const pain002 = readFileSync(join(folder, 'reports', run_id, 'report.pain002.xml'), 'utf8');
  const [original] = elementsOf(pain002, 'OrgnlGrpInfAndSts');
  expect(textsAt(original, 'OrgnlMsgId')).toEqual(['MSG-1']);
  expect(textsAt(original, 'OrgnlMsgNmId')).toEqual(['pain.001.001.03']);
  expect(textsAt(elementsOf(pain002, 'OrgnlPmtInfAndSts')[0], 'OrgnlPmtInfId')).toEqual(['PMT-1']);
  const statuses = elementsOf(pain002, 'TxInfAndSts').map((one) => [
    textsAt(one, 'OrgnlEndToEndId')[0],
    textsAt(one, 'TxSts')[0],
  ]);
  expect(statuses).toEqual([
    ['E2E-1', 'ACSC'],
    ['E2E-2', 'ACSC'],
  ]);
  if (NO_VALIDATORS === null) expect(invalidIn(pain002)).toEqual([]);
});
