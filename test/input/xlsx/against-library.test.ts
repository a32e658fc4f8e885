import fc from 'fast-check';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { openTable } from '../../../src/input/source/open-table.ts';
import { numberText } from '../../../src/input/source/xlsx/number-format.ts';
import { cases } from '../../support/cases.ts';
import { HEADER, sourceOf } from '../reading.ts';

// Rows are scanned by ourselves, because the library's own reading of a large sheet takes too much memory: the two must
// agree on every workbook.

type Value = string | number | boolean | Date | null;

const FORMATS = ['General', '00000000', '0.00', '#,##0.00', '@', '0%'];

const day = fc.date({ min: new Date('1901-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
const value = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed().replace(/[\ufffe\uffff]/g, '')),
  fc.constantFrom('', ' 007 ', '_x000D_', '_x005F_', '&amp;', '<c r="A1"/>', ']]>', "'123", 'a\nb', 'a\r\nb', '\t'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  day.map((date) => new Date(Math.floor(date.getTime() / 86_400_000) * 86_400_000)),
  fc.constant(null),
) as fc.Arbitrary<Value>;
const cell = fc.record({ value, numFmt: fc.constantFrom(...FORMATS) });

function textOf(read: unknown): string {
  if (read === null || read === undefined) return '';
  if (read instanceof Date) return read.toISOString().replace(/T00:00:00\.000Z$/, '');
  if (typeof read === 'boolean') return read ? 'TRUE' : 'FALSE';
  if (typeof read === 'number') return numberText(String(read)) ?? String(read);
  return String(read);
}

function withoutEnd(texts: readonly string[]): string[] {
  let length = texts.length;
  while (length > 0 && texts[length - 1] === '') length--;
  return texts.slice(0, length);
}

test('a workbook is read as the library reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(cell, { maxLength: 8 }), { minLength: 1, maxLength: 12 }), async (sheet) => {
      const rows = [HEADER.split(','), ...sheet.map((cells) => cells.map((one) => one.value))];
      const cells = new Map(
        sheet.flatMap((row, at) =>
          row.map((one, column) => [
            `${at + 1},${column}`,
            { value: one.value, style: { numFmt: one.value instanceof Date ? 'yyyy-mm-dd' : one.numFmt } },
          ]),
        ),
      );
      const bytes = await writeXlsx({ sheets: [{ name: 'Pay', rows, cells }] });
      const library = await readXlsx(bytes, { readStyles: true });
      const expected = library.sheets[0]?.rows.map((row) => withoutEnd(row.map(textOf))) ?? [];
      const table = await openTable({ ...sourceOf(bytes, 1_000), name: 'pay.xlsx' });
      const read: string[][] = [];
      for await (const part of table.parts()) {
        if (part.kind === 'fault') throw new Error(part.code);
        for (const [at, texts] of part.records.entries()) read[part.firstRow - 1 + at] = withoutEnd(texts);
      }
      const end = Math.max(read.length, expected.length);
      expect(Array.from({ length: end }, (_, at) => read[at] ?? [])).toEqual(
        Array.from({ length: end }, (_, at) => expected[at] ?? []),
      );
    }),
    { numRuns: cases(50, 150) },
  );
});
