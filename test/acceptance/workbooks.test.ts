import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { rowsOf, type SheetXml, workbookOf } from '../support/workbook.ts';

const HEADER = ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code'];

function npp(name: string, amount: number, account: string): (string | number)[] {
  return [name, amount, 'AUD', 'AUD_NPP', account, '062-000'];
}

/** A sheet of one payout for each amount. */
function payouts(name: string, amounts: number[], rest: Partial<SheetXml> = {}): SheetXml {
  const rows = amounts.map((amount, at) => npp(`${name} ${at}`, amount, String(10_000_000 + at)));
  return { name, rows: rowsOf([HEADER, ...rows]), ...rest };
}

function written(bytes: Uint8Array, name = 'pay.xlsx'): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { folder, path };
}

async function check(bytes: Uint8Array, options: string[] = []) {
  const { path, folder } = written(bytes);
  const { exit, stdout, stderr } = await payrun(['check', path, '--json', ...options], { cwd: folder });
  return { exit, stderr, json: stdout === '' ? null : JSON.parse(stdout) };
}

const notes: SheetXml = { name: 'Notes', rows: rowsOf([['Written by Kim'], ['for the bank']]) };
const people: SheetXml = {
  name: 'People',
  rows: rowsOf([
    ['name', 'account_number'],
    ['Ana', '12345678'],
  ]),
};

describe('the sheet of a workbook', () => {
  test('is the one with payouts, wherever it stands, and its problems name it', async () => {
    const bad = payouts('July', [1.5, -2]);
    const { exit, json } = await check(workbookOf({ sheets: [notes, people, bad] }));
    expect(exit).toBe(3);
    expect(json).toMatchObject({ rows: 2, payouts: 1, totals: [{ currency: 'AUD', amount: '1.50' }] });
    expect(json.problems).toMatchObject([{ sheet: 'July', cell: 'B3', code: 'amount_not_positive', value: '-2' }]);
  });

  test('is named for people as their program does', async () => {
    const { path } = written(workbookOf({ sheets: [notes, payouts('July 2026', [-2])] }));
    const { stdout } = await payrun(['check', path]);
    expect(stdout).toMatch(/July 2026'?!B2/);
  });

  test('must be chosen where two have payouts; the others are said then', async () => {
    const bytes = workbookOf({ sheets: [payouts('June', [1]), notes, payouts('July', [2])] });
    const open = await check(bytes);
    expect(open.exit).toBe(3);
    expect(open.json).toMatchObject({ rows: 0, problems: [{ code: 'sheet_ambiguous', severity: 'error' }] });
    expect(open.json.problems[0].message).toContain('"June", "July"');
    expect(open.json.problems[0].remedy).toContain('--sheet');
    const chosen = await check(bytes, ['--sheet', ' july']);
    expect(chosen.exit).toBe(0);
    expect(chosen.json).toMatchObject({
      totals: [{ amount: '2.00' }],
      problems: [{ code: 'other_sheets', severity: 'warning', sheet: 'July' }],
    });
  });

  test('that is hidden is paid only where it is named', async () => {
    const bytes = workbookOf({ sheets: [notes, payouts('Old', [1], { state: 'veryHidden' })] });
    const open = await check(bytes);
    expect([open.exit, open.json.problems[0].code]).toEqual([3, 'sheet_hidden']);
    const chosen = await check(bytes, ['--sheet', 'Old']);
    expect([chosen.exit, chosen.json.payouts]).toEqual([0, 1]);
  });

  test('that is not there is a wrong command, with the names that are', async () => {
    const { exit, stderr } = await check(workbookOf({ sheets: [payouts('July', [1])] }), ['--sheet', 'Juli']);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/"Juli"/);
    expect(stderr).toMatch(/"July"/);
    const { path } = written(Buffer.from('name,amount\n'), 'pay.csv');
    expect((await payrun(['check', path, '--sheet', 'July'])).exit).toBe(2);
  });

  test('without payouts anywhere has its missing columns told', async () => {
    const { exit, json } = await check(workbookOf({ sheets: [notes, people] }));
    expect(exit).toBe(3);
    expect(json.problems.map((problem: { column: string; code: string }) => [problem.code, problem.column])).toEqual(
      expect.arrayContaining([['column_missing', 'amount']]),
    );
  });

  test('beside a chart that is a sheet of its own', async () => {
    const chart = {
      name: 'xl/workbook.xml',
      content:
        '<workbook xmlns:r="x"><sheets><sheet name="Chart" sheetId="9" r:id="rId9"/><sheet name="July" sheetId="1" r:id="rId1"/></sheets></workbook>',
    };
    const { exit, json } = await check(workbookOf({ sheets: [payouts('July', [1])], entries: [chart] }));
    expect([exit, json.payouts]).toEqual([0, 1]);
  });
});

test('a workbook is paid: once, with the hash of its bytes, and the report has its cells', async () => {
  const rows = [HEADER, npp('Zoë Müller', 1234.5, '12345678'), npp('Bob', 0.1 + 0.2, '87654321')];
  const { folder, path } = written(await writeXlsx({ sheets: [{ name: 'July', rows }] }));
  const dataDir = join(folder, 'data');
  const service = await startService({ dataDir: join(folder, 'service') });
  const where = ['--data-dir', dataDir, '--report-dir', join(folder, 'reports')];
  const args = ['run', path, '--yes', '--json', ...where, ...service.options];
  const { exit, stdout, stderr } = await payrun(args, { cwd: folder });
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  const json = JSON.parse(stdout);
  expect(json).toMatchObject({ state: 'finished', counts: { completed: 2 } });
  expect(json.input.sha256).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
  const [run = ''] = readdirSync(join(folder, 'reports'));
  const report = readFileSync(join(folder, 'reports', run, 'report.csv'), 'utf8');
  expect(report).toContain('Zoë Müller,1234.5,AUD');
  expect(report).toContain('Bob,0.3,AUD');
  const again = await payrun(args, { cwd: folder });
  expect(again.exit).toBe(6);
});
