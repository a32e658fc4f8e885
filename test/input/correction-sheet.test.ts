import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CORRECTS, runToCorrect } from '../../src/input/corrections/correction-sheet.ts';
import { writeWorkbook } from '../../src/platform/xlsx/workbook-writer.ts';
import {
  nameRecord,
  namesOf,
  oldWorkbookOf,
  openDocumentOf,
  tableOf,
  withRecords,
} from '../support/foreign-spreadsheets.ts';
import { temporaryFolder } from '../support/payrun.ts';

const RUN = 'R20261125-7K3M9QZ2';
const ROWS = [
  ['name', 'amount'],
  ['Ana', '12.50'],
];

const old = oldWorkbookOf([{ name: 'Payouts', rows: ROWS }]);
const sheet = {
  name: 'Payouts',
  columns: [{ width: 8, isText: true }],
  rows: ROWS.map((cells) => cells.map((text) => ({ text }))),
  frozenRows: 1,
};

async function runIn(name: string, content: Uint8Array | string): Promise<string | null> {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return runToCorrect({ name, path });
}

test.each<[string, string, () => Promise<Uint8Array> | Uint8Array | string]>([
  ['a workbook', 'mended.xlsx', () => writeWorkbook([sheet], { [CORRECTS]: RUN })],
  ['a workbook with the name of another kind', 'mended.csv', () => writeWorkbook([sheet], { [CORRECTS]: RUN })],
  ['a workbook of LibreOffice', 'mended.ods', () => openDocumentOf(tableOf('Payouts', ROWS) + namesOf(CORRECTS, RUN))],
  ['a workbook of Excel 97', 'mended.xls', () => withRecords(old, [nameRecord(CORRECTS, RUN)])],
  ['a workbook of LibreOffice named .xls', 'a.xls', () => openDocumentOf(tableOf('P', ROWS) + namesOf(CORRECTS, RUN))],
  ['text, by its name', `${RUN}-to-correct (1).csv`, () => 'name,amount\n'],
])('%s holds the run whose rows it corrects', async (_, name, content) => {
  expect(await runIn(name, await content())).toBe(RUN);
});

test.each<[string, string, () => Uint8Array | string]>([
  ['text that names it in a cell', 'a.csv', () => `name,amount\n${CORRECTS},${RUN}\n`],
  ['another name', 'a.ods', () => openDocumentOf(tableOf('P', [[CORRECTS, RUN]]) + namesOf('other', RUN))],
  ['a record of another name', 'a.xls', () => withRecords(old, [nameRecord('other', RUN)])],
  ['no run', 'a.ods', () => openDocumentOf(tableOf('P', ROWS) + namesOf(CORRECTS, 'R1'))],
  ['a damaged document', 'a.ods', () => openDocumentOf(tableOf('P', ROWS) + namesOf(CORRECTS, RUN)).subarray(0, 600)],
  ['an empty file', 'a.xls', () => ''],
])('%s holds none', async (_, name, content) => {
  expect(await runIn(name, content())).toBeNull();
});
