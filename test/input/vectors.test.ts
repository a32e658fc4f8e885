import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../src/input/source/csv.ts';
import { sniffDelimiter } from '../../src/input/source/csv-table.ts';
import { openTable } from '../../src/input/source/open-table.ts';
import { decodedText, headText, surveyBytes } from '../../src/input/source/sniff.ts';
import { cases } from '../support/cases.ts';
import { HEADER, readAll, sourceOf } from './reading.ts';

/** Test data that others wrote; it is not part of this repository. */
const VECTORS = join(import.meta.dirname, '../../../shared/vectors');
const isThere = existsSync(VECTORS);
if (!isThere)
  console.warn('SKIPPED: ../shared/vectors is not here, so csv-spectrum and the naughty strings were not run');

/** The list's own answer; that of `location_coordinates` names another phone number than its CSV, and is no list. */
async function expectedOf(name: string): Promise<unknown> {
  const answer: unknown = JSON.parse(await readFile(join(VECTORS, 'csv-spectrum/json', `${name}.json`), 'utf8'));
  return Array.isArray(answer) ? answer : [{ ...(answer as object), 'Contact Phone Number': '2095257564' }];
}

describe.skipIf(!isThere)('csv-spectrum', () => {
  const names = isThere ? readdirSync(join(VECTORS, 'csv-spectrum/csvs')).map((name) => name.replace('.csv', '')) : [];

  it('has its twelve files', () => {
    expect(names).toHaveLength(12);
  });

  it.each(names)('%s', async (name) => {
    const text = readFileSync(join(VECTORS, 'csv-spectrum/csvs', `${name}.csv`), 'utf8');
    // Checkouts of the list lose the carriage returns that these files are about.
    const bytes = Buffer.from(name.endsWith('_crlf') ? text.replace(/\r?\n/g, '\r\n') : text);
    const expected = await expectedOf(name);
    for (const chunkBytes of [1, 7, 100_000]) {
      const source = sourceOf(bytes, chunkBytes);
      const survey = await surveyBytes(() => source.open());
      const { delimiter } = sniffDelimiter(headText(survey));
      const records: string[][] = [];
      for await (const part of readRecords(decodedText(source.open(), survey), delimiter))
        if (part.kind === 'records') records.push(...part.records);
      const [header = [], ...rows] = records;
      expect(rows.map((row) => Object.fromEntries(header.map((key, at) => [key, row[at]])))).toEqual(expected);
    }
  });
});

describe.skipIf(!isThere)('the big list of naughty strings', () => {
  const strings: string[] = isThere ? JSON.parse(readFileSync(join(VECTORS, 'naughty-strings.json'), 'utf8')) : [];
  const text = strings.filter((string) => string.trim() !== '');
  const quoted = (string: string) => `"${string.replaceAll('"', '""')}"`;
  const header = 'name,amount,currency,rail,account_number,national_clearing_code,description';
  const file = [
    header,
    ...text.map((string, at) => `${quoted(string)},${at + 1},AUD,AUD_NPP,${10_000_000 + at},062-000,${quoted(string)}`),
  ].join('\n');

  it('comes through as names and descriptions, or is refused with a clear problem, and is never changed', async () => {
    const { runRows, problems } = await readAll(file);
    expect(text.length).toBeGreaterThan(500);
    expect(runRows.map((row) => row.cells[0])).toEqual(text);
    const refused = new Set(problems.filter((problem) => problem.severity === 'error').map((problem) => problem.row));
    for (const [at, row] of runRows.entries()) {
      expect(row.order === null).toBe(refused.has(row.row));
      if (row.order === null) continue;
      expect(row.order.payee.name).toBe(text[at]?.trim());
      expect(row.order.description).toBe(text[at]?.trim());
    }
    expect([...new Set(problems.map((problem) => problem.code))].sort()).toEqual([
      'control_character',
      'letters_doubtful',
      'name_like_placeholder',
      'name_mixed_alphabets',
      'name_only_digits',
      'name_placeholder',
      'name_too_long',
      'name_without_letters',
    ]);
    // More than half of them are signs without a letter, which are no names.
    expect(refused.size).toBeLessThan(70);
  });
});

/** Excel writes `_x0041_` so that it does not come back as the letter it stands for; the library does not. */
function escaped(text: string): string {
  return text.replace(/_(?=x[0-9A-F]{4}_)/gi, '_x005F_');
}

/** Writes rows of text as a workbook, and gives the texts that the table of it has. Rows without text are left out. */
async function throughWorkbook(rows: string[][]): Promise<string[][]> {
  const written = [HEADER.split(','), ...rows.map((texts) => texts.map(escaped))];
  const bytes = await writeXlsx({ sheets: [{ name: 'Pay', rows: written }] });
  const table = await openTable({ ...sourceOf(bytes, 1_000), name: 'pay.xlsx' });
  const read: string[][] = [];
  for await (const part of table.parts()) {
    if (part.kind === 'fault') throw new Error(part.code);
    for (const texts of part.records) read.push(withoutEnd(texts));
  }
  return read.slice(1).filter((texts) => texts.length > 0);
}

/** Without the empty cells at its end, which a sheet does not keep. */
function withoutEnd(texts: readonly string[]): string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
}

describe('texts through a workbook', () => {
  it('come back as they were written, whatever they are', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      // XML has no halves of characters and none of these two.
      fc.string({ unit: 'binary', maxLength: 20 }).map((any) => any.toWellFormed().replace(/[\ufffe\uffff]/g, '')),
      fc.constantFrom(
        '007',
        '=1+1',
        "'062000",
        ' Ann ',
        '_x0041_',
        '&lt;b&gt;',
        ']]>',
        'a\r\nb',
        '1.50',
        'TRUE',
        '#N/A',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text, { maxLength: 6 }), { minLength: 1, maxLength: 20 }), async (rows) => {
        expect(await throughWorkbook(rows)).toEqual(rows.map(withoutEnd).filter((texts) => texts.length > 0));
      }),
      { numRuns: cases(20, 60) },
    );
  });

  it.skipIf(!isThere)('come back as they were written: the naughty strings', async () => {
    const strings: string[] = JSON.parse(readFileSync(join(VECTORS, 'naughty-strings.json'), 'utf8'));
    // Halves of characters, and what XML cannot have, no spreadsheet program can write either.
    const rows = strings.filter((each) => each !== '' && !/[\ufffe\uffff]/.test(each)).map((each) => [each, 'x']);
    expect(rows.length).toBeGreaterThan(500);
    expect(await throughWorkbook(rows)).toEqual(rows);
  });
});
