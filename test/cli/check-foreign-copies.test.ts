import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { oldWorkbookOf, openDocumentOf, tableOf } from '../support/foreign-spreadsheets.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { rowsOf, workbookOf } from '../support/workbook.ts';

const ROWS = [
  ['name', 'amount', 'currency', 'rail', 'account_number'],
  ['Ana', '1.5', 'EUR', 'EUR_SEPA', 'DE89.3704.0044.0532.0130.00'],
];
const FIXED = 'DE89370400440532013000';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function withMacros(): Buffer {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/><Override PartName="/xl/workbook.xml" ContentType="${MAIN.replace('vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'vnd.ms-excel.sheet.macroEnabled')}.main+xml"/></Types>`;
  const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rId1', `${RELATIONS}/worksheet`, 'worksheets/sheet1.xml')}${relation('rId9', 'http://schemas.microsoft.com/office/2006/relationships/vbaProject', 'vbaProject.bin')}</Relationships>`;
  return workbookOf({
    sheets: [{ name: 'Pay', rows: rowsOf(ROWS) }],
    entries: [
      { name: '[Content_Types].xml', content: types },
      { name: 'xl/_rels/workbook.xml.rels', content: relations },
      { name: 'xl/vbaProject.bin', content: 'macro' },
    ],
  });
}

describe('the fixed copy', () => {
  it.each<[name: string, bytes: () => Buffer]>([
    ['pay.xls', () => oldWorkbookOf([{ name: 'Pay', rows: ROWS }])],
    ['pay.ods', () => openDocumentOf(tableOf('Pay', ROWS))],
    ['pay.xlsm', withMacros],
  ])('of %s is an .xlsx without macros', async (name, bytes) => {
    const folder = temporaryFolder();
    const [path, out] = [join(folder, name), join(folder, 'fixed.xlsx')];
    writeFileSync(path, bytes());
    const { exit, stdout } = await payrun(['check', path, '--fix', out]);
    expect([exit, stdout.includes('1 cell changed')]).toEqual([3, true]);
    expect((await payrun(['check', out])).exit).toBe(0);
    const copy = readFileSync(out);
    const book = await readXlsx(copy);
    expect(book.sheets.find((sheet) => sheet.name === 'Pay')?.rows[1]?.[4]).toBe(FIXED);
    expect([copy.includes('vbaProject'), copy.includes('macroEnabled')]).toEqual([false, false]);
    const wrong = await payrun(['check', path, '--fix', join(folder, `fixed${name.slice(3)}`)]);
    expect([wrong.exit, wrong.stderr.includes('Give a name that ends in .xlsx.')]).toEqual([2, true]);
  });

  it('of text that is named .xls is text', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'pay.xls');
    writeFileSync(path, ROWS.map((row) => row.join('\t')).join('\n'));
    const { exit } = await payrun(['check', path, '--fix', join(folder, 'fixed.txt')]);
    expect(exit).toBe(3);
    expect(readFileSync(join(folder, 'fixed.txt'), 'utf8')).toContain(`\t${FIXED}`);
  });

  it('shows a name that can be written', async () => {
    const path = join(temporaryFolder(), 'pay.ods');
    writeFileSync(path, openDocumentOf(tableOf('Pay', ROWS)));
    expect((await payrun(['check', path])).stdout).toContain('--fix mended.xlsx');
  });
});
