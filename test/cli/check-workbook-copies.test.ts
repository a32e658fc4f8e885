import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cell, openXlsx, readXlsx, saveXlsx, type Workbook, writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';

const HEADER = ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code', 'reference', 'start'];

/** A workbook of a user's own: formats, a comment, a formula, a print area, a sheet before and one behind. */
async function ownWorkbook(): Promise<{ folder: string; path: string }> {
  const folder = temporaryFolder();
  const path = join(folder, 'own.xlsx');
  const cells = new Map<string, Partial<Cell>>([
    ['0,0', { style: { font: { bold: true } }, comment: { author: 'Kim', text: 'one payee a row' } }],
    ['1,1', { style: { numFmt: '#,##0.00' } }],
    ['1,5', { comment: { author: 'Kim', text: 'asked the bank' } }],
    ['1,7', { value: 46_204, type: 'number', style: { numFmt: 'dd/mm/yyyy' } }],
    ['2,1', { formula: '600+50', formulaResult: 650, value: 650, type: 'formula' }],
  ]);
  const rows = [
    HEADER,
    ['Ana', 1234.5, 'AUD', 'AUD_NPP', '00012345', 13_006, null, null],
    ['Bob', 650, 'EUR', 'EUR_SEPA', 'DE89370400440532013000', null, 'Nómina', null],
    ['Cid', 7, 'AUD', 'AUD_NPP', null, '062-000', null, null],
  ];
  const sheet = { name: 'July pay', rows, cells, columns: [{ width: 33 }], pageSetup: { printArea: '$A$1:$H$4' } };
  const about = { name: 'About', rows: [['made by Kim']] };
  const bytes = await writeXlsx({ sheets: [about, sheet, { name: 'Rates', rows: [['EUR', 1.08]] }] });
  writeFileSync(path, bytes);
  return { folder, path };
}

async function open(path: string): Promise<Workbook> {
  return readXlsx(readFileSync(path), { readStyles: true });
}

function sheetOf(workbook: Workbook, name: string) {
  const sheet = workbook.sheets.find((other) => other.name === name);
  if (sheet === undefined) throw new Error(`no sheet ${name}`);
  return sheet;
}

function commentsOf(workbook: Workbook): string[] {
  return [...(sheetOf(workbook, 'July pay').cells?.values() ?? [])].flatMap(({ comment }) => comment?.text ?? []);
}

test("check --annotate keeps the user's workbook and marks its cells", async () => {
  const { folder, path } = await ownWorkbook();
  const out = join(folder, 'mend.xlsx');
  const { exit, stdout } = await payrun(['check', path, '--annotate', out]);
  expect(exit).toBe(3);
  expect(stdout).toContain("error bsb_leading_zero at 'July pay'!F2\n");
  expect(stdout).toContain(`3 cells marked in ${out}.`);
  const [before, after] = [await open(path), await open(out)];
  expect(after.sheets.map(({ name }) => name)).toEqual(['Problems', 'About', 'July pay', 'Rates']);
  const [own, copy] = [sheetOf(before, 'July pay'), sheetOf(after, 'July pay')];
  expect(copy.rows).toEqual(own.rows);
  expect(copy.columns?.[0]?.width).toBe(33);
  expect(copy.pageSetup?.printArea ?? after.namedRanges?.[0]?.range).toMatch(/\$A\$1:\$H\$4$/);
  for (const key of ['0,0', '1,1', '1,7', '2,1']) expect(copy.cells?.get(key)).toEqual(own.cells?.get(key));
  expect(copy.cells?.get('1,5')).toMatchObject({
    value: 13_006,
    type: 'number',
    style: { numFmt: '@', fill: { fgColor: { rgb: 'FFC8CE' } } },
    comment: { text: expect.stringMatching(/^asked the bank\n\npayrun: error\. The BSB has 5 digits/) },
  });
  expect(copy.cells?.get('3,4')).toMatchObject({ value: null, style: { numFmt: '@' } });
  const link = [...(sheetOf(after, 'Problems').cells?.values() ?? [])].find(({ value }) => value === "'July pay'!F2");
  expect(link?.hyperlink?.location).toBe("'July pay'!F2");
});

test('a mended annotation is accepted, and a second annotation does not pile upon the first', async () => {
  const { folder, path } = await ownWorkbook();
  const out = join(folder, 'mend.xlsx');
  await payrun(['check', path, '--annotate', out]);
  const half = await openXlsx(readFileSync(out), { readStyles: true });
  const sheet = sheetOf(half, 'July pay');
  for (const [row, column, text] of [
    [1, 5, '013006'],
    [3, 4, '00012346'],
  ] as const) {
    sheet.cells?.set(`${row},${column}`, { ...sheet.cells.get(`${row},${column}`), value: text, type: 'string' });
    (sheet.rows[row] ?? [])[column] = text;
  }
  const mended = join(folder, 'half.xlsx');
  writeFileSync(mended, await saveXlsx(half));
  const again = join(folder, 'again.xlsx');
  expect((await payrun(['check', mended, '--annotate', again])).exit).toBe(3);
  const second = await open(again);
  expect(second.sheets.map(({ name }) => name)).toEqual(['Problems', 'About', 'July pay', 'Rates']);
  expect(commentsOf(second)).toEqual([
    'one payee a row',
    'asked the bank',
    expect.stringMatching(/^payrun: error\. The reference has characters/),
  ]);
  expect(sheetOf(second, 'July pay').cells?.get('3,4')?.style?.fill).toBeUndefined();
  const fixed = join(folder, 'fixed.xlsx');
  await payrun(['check', again, '--fix', fixed]);
  const { exit, stdout } = await payrun(['check', fixed, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 3, payouts: 3, problems: [] });
  expect(exit).toBe(0);
});

test('check --fix of a workbook changes the cell and no other value', async () => {
  const { folder, path } = await ownWorkbook();
  const out = join(folder, 'fixed.xlsx');
  const { exit, stdout } = await payrun(['check', path, '--fix', out, '--json']);
  expect(exit).toBe(3);
  expect(JSON.parse(stdout).fixed).toMatchObject({
    changes: [{ sheet: 'July pay', cell: 'G3', old: 'Nómina', new: 'Nomina' }],
    remaining: { errors: 2 },
  });
  const [before, after] = [await open(path), await open(out)];
  const expected = before.sheets.map(({ rows }) =>
    rows.map((row) => row.map((cell) => (cell === 'Nómina' ? 'Nomina' : cell))),
  );
  expect(after.sheets.map(({ rows }) => rows)).toEqual(expected);
  expect(sheetOf(after, 'July pay').cells?.get('2,1')?.formula).toBe('600+50');
});

test('a template that is filled in as a workbook passes, and as it comes has no payouts', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'template.xlsx');
  await payrun(['template', 'AUD_NPP', '--out', path]);
  const empty = await payrun(['check', path, '--json']);
  expect(JSON.parse(empty.stdout)).toMatchObject({
    rows: 0,
    groups: [{ code: 'example_row' }, { code: 'no_payouts' }],
  });
  const workbook = await openXlsx(readFileSync(path), { readStyles: true });
  const [sheet] = workbook.sheets;
  const own = ['E-1', 'Ana', 1234.5, 'AUD', 'AUD_NPP', '00012345', '013-006'];
  for (const [column, value] of own.entries()) {
    const type = typeof value === 'number' ? 'number' : 'string';
    sheet?.cells?.set(`2,${column}`, { ...sheet.cells.get(`2,${column}`), value, type });
  }
  sheet?.rows.splice(2, 1, own);
  writeFileSync(path, await saveXlsx(workbook));
  const { exit, stdout } = await payrun(['check', path, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 1, payouts: 1, problems: [{ code: 'example_row' }] });
  expect(exit).toBe(0);
});
