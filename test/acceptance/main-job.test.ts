import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { workbookParts } from '../report/workbook-text.ts';
import { PROJECT, payrun, temporaryFolder } from '../support/payrun.ts';

const payroll = join(PROJECT, 'samples/payroll.csv');

function where(folder: string): string[] {
  return ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
}

/** What a run makes anew each time: the expected report of a sample has an asterisk there. */
const VOLATILE = [
  'transaction_id',
  'recipient_id',
  'external_account_id',
  'submitted_at',
  'finished_at',
  'attempts',
  'token',
];

/** The report of a sample, which has to be the one that stands beside it in `samples/expected`. */
async function expectReport(sample: string, path: string): Promise<void> {
  const rows = rowsOf(path).map((row) => {
    const fixed = VOLATILE.map((name) => [name, row[name] ? '*' : '']);
    return { ...row, ...Object.fromEntries(fixed) };
  });
  await expect(`${JSON.stringify(rows, null, 1)}\n`).toMatchFileSnapshot(
    join(PROJECT, 'samples/expected', `${sample}.report.json`),
  );
}

function rowsOf(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true, bom: true });
}

test('pays the sample payroll at the shipped service, and pays it again when told to', async () => {
  const folder = temporaryFolder();
  const script = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).scripts.start;
  expect(script).toBe('node src/cli/main.ts run samples/payroll.csv --yes --allow-repeat');

  const first = await payrun(['run', payroll, '--yes', '--allow-repeat', '--json', ...where(folder)]);
  expect(first.stderr).not.toContain('bug');
  expect(first.exit).toBe(0);
  const result = JSON.parse(first.stdout);
  expect(Object.keys(result)).toEqual([
    'run_id',
    'state',
    'rehearsal',
    'input',
    'digest',
    'counts',
    'totals',
    'inferred_rails',
    'report',
    'exit',
  ]);
  expect(result).toMatchObject({ state: 'finished', rehearsal: true, exit: 0 });
  const payees = rowsOf(payroll).length;
  expect(payees).toBeGreaterThanOrEqual(40);
  expect(result.counts).toEqual({ completed: payees, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 });
  expect(result.totals.map((total: { currency: string }) => total.currency.slice(0, 4)).sort()).toEqual(
    ['AUD', 'EUR', 'GBP', 'INR', 'MXN', 'USD', 'USDC'].sort(),
  );
  for (const { planned, sent } of result.totals) expect(sent).toBe(planned);
  expect(result.report.map((path: string) => path.split('/').at(-1))).toEqual([
    'report.csv',
    'report.html',
    'report.json',
    'report.xlsx',
  ]);

  await expectReport('payroll', result.report[0]);
  const report = rowsOf(result.report[0]);
  expect(report.map((row) => row.status)).toEqual(Array(payees).fill('completed'));
  expect(new Set(report.map((row) => row.transaction_id)).size).toBe(payees);
  expect(report.map((row) => row.department)).toEqual(rowsOf(payroll).map((row) => row.department));

  const ended = await payrun(['run', payroll, '--yes', '--allow-repeat', ...where(folder)]);
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toContain('REHEARSAL: no money moves');
  expect(ended.stdout).toContain('finished');
  expect(ended.stdout).toContain('INR');
  // Without a terminal: no colours and no cursor movement.
  expect(ended.stdout + ended.stderr).not.toContain('\u001b');

  const runs = JSON.parse((await payrun(['runs', '--json', '--data-dir', join(folder, 'data')])).stdout).runs;
  expect(runs).toHaveLength(2);
  expect(runs[1].run_id).toBe(result.run_id);
});

test('names the two rehearsed failures with their reasons and exits 4', async () => {
  const folder = temporaryFolder();
  const sample = join(PROJECT, 'samples/payroll-with-failures.csv');
  const { exit, stdout } = await payrun(['run', sample, '--yes', '--log-level', 'debug', ...where(folder)]);
  expect(exit).toBe(4);
  const failed = stdout.split('\n').filter((line) => line.includes('failed:'));
  expect(failed).toHaveLength(2);
  expect(failed.join('\n')).toContain('REHEARSE_SANCTIONS');
  expect(failed.join('\n')).toContain('REHEARSE_CLOSED');
  const path = stdout.split('\n').find((line) => line.endsWith('report.csv'));
  await expectReport('payroll-with-failures', String(path?.replace(/^report\s+/, '')));
  await expectLinesOfPayouts(folder);
});

/** The log has a line for each state of each payout, with all its identifiers. */
async function expectLinesOfPayouts(folder: string): Promise<void> {
  const data = ['--json', '--data-dir', join(folder, 'data')];
  const run = JSON.parse((await payrun(['runs', ...data])).stdout).runs[0].run_id;
  const { payouts } = JSON.parse((await payrun(['show', run, ...data])).stdout);
  const log = readFileSync(join(folder, 'data/logs/payrun.log'), 'utf8').trimEnd().split('\n');
  const lines = log.map((line) => JSON.parse(line));
  for (const { row, attempts: attempt, token, transaction_id: transaction, state } of payouts) {
    const known = { run, row, attempt, token, duration_ms: expect.any(Number) };
    const last = state === 'failed' ? { level: 30, code: expect.any(String) } : { level: 20 };
    expect(lines.filter((line) => line.row === row)).toEqual([
      expect.objectContaining({ ...known, msg: 'payout sending', level: 20 }),
      expect.objectContaining({ ...known, transaction, msg: 'payout accepted', level: 20 }),
      expect.objectContaining({ ...known, transaction, msg: `payout ${state}`, ...last }),
    ]);
  }
}

test('pays a sample from other currencies, and says what was sent for what is received', async () => {
  const folder = temporaryFolder();
  const sample = join(PROJECT, 'samples/payroll-from-euro.csv');
  const { exit, stdout, stderr } = await payrun(['run', sample, '--yes', ...where(folder)]);
  expect(exit).toBe(0);
  expect(stderr).toContain('4,340.50 USD are paid from 3,783.82 EUR and ');
  expect(stdout).toContain('4,340.50 USD were paid from 3,783.82 EUR; planned for all were 3,783.82');
  const path = stdout.split('\n').find((line) => line.endsWith('report.csv'));
  await expectReport('payroll-from-euro', String(path?.replace(/^report\s+/, '')));
});

test('no whole account number and no key is in a log, a report, or on a stream', async () => {
  const folder = temporaryFolder();
  const { exit, stdout, stderr } = await payrun([
    ...['run', payroll, '--yes', '--log-level', 'debug'],
    ...where(folder),
  ]);
  expect(exit).toBe(0);
  const run = JSON.parse((await payrun(['runs', '--json', '--data-dir', join(folder, 'data')])).stdout).runs[0];
  const shown = await payrun(['show', run.run_id, '--data-dir', join(folder, 'data')]);
  expect(shown.exit).toBe(0);
  const reports = join(folder, 'reports', run.run_id);
  const everything = [
    stdout,
    stderr,
    shown.stdout,
    readFileSync(join(folder, 'data/logs/payrun.log'), 'utf8'),
    readFileSync(join(reports, 'report.csv'), 'utf8'),
    readFileSync(join(reports, 'report.html'), 'utf8'),
    readFileSync(join(reports, 'report.json'), 'utf8'),
    ...(await workbookParts(readFileSync(join(reports, 'report.xlsx')))).values(),
  ].join('\n');
  const secrets = rowsOf(payroll)
    .flatMap((row) => [row.account_number, row.wallet_address])
    .filter((value) => value);
  expect(secrets.length).toBeGreaterThanOrEqual(40);
  for (const secret of secrets) expect(everything.includes(secret as string)).toBe(false);
  expect(everything).not.toContain('PRIVATE KEY');
});

test('the journal of a run is proven, and an edit in it is found', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const sample = join(PROJECT, 'samples/payroll-with-failures.csv');
  const { stdout } = await payrun(['run', sample, '--yes', '--json', ...where(folder)]);
  const { run_id } = JSON.parse(stdout);
  expect((await payrun(['verify', run_id, '--data-dir', data])).exit).toBe(0);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(data, 'journal.db'));
  // The file itself refuses an edit by accident; who means it takes the triggers away first.
  const edit = "update entry set data = replace(data, 'COMPLETED', 'FAILED') where kind = 'final'";
  expect(() => database.exec(edit)).toThrow(/append-only/);
  const triggers = database.prepare("select name from sqlite_schema where type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`drop trigger "${name}"`);
  database.exec(edit);
  database.close();
  const verified = await payrun(['verify', run_id, '--data-dir', data]);
  expect(verified.exit).toBe(5);
  expect(verified.stdout + verified.stderr).toMatch(/entry \d+/);
});

test('the sample with mistakes is refused with each of them named', async () => {
  const folder = temporaryFolder();
  const sample = join(PROJECT, 'samples/payroll-with-mistakes.csv');
  const checked = await payrun(['check', sample, '--json', '--data-dir', join(folder, 'data')]);
  expect(checked.exit).toBe(3);
  const { problems, ...rest } = JSON.parse(checked.stdout);
  const { problem_counts, ...others } = rest;
  expect(problem_counts.errors + problem_counts.warnings).toBe(problems.length);
  expect(Object.keys(others)).toEqual([
    'rows',
    'payouts',
    'totals',
    'inferred_rails',
    'default_rails',
    'sheet',
    'header_row',
    'columns',
    'groups',
    'exit',
  ]);
  const file = join(PROJECT, 'samples/expected/payroll-with-mistakes.problems.json');
  await expect(`${JSON.stringify(problems, null, 1)}\n`).toMatchFileSnapshot(file);
  const run = await payrun(['run', sample, '--yes', ...where(folder)]);
  expect(run.exit).toBe(3);
  expect(run.stderr).toContain('Nothing was sent');
});
