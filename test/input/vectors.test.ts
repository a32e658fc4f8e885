import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../src/input/csv.ts';
import { sniffDelimiter } from '../../src/input/delimiter.ts';
import { decodedToUtf8, headText, surveyBytes } from '../../src/input/sniff.ts';
import { readAll, sourceOf } from './reading.ts';

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
      const survey = await surveyBytes(source.open());
      const { delimiter } = sniffDelimiter(headText(survey));
      const records: string[][] = [];
      for await (const part of readRecords(decodedToUtf8(source.open(), survey), {
        delimiter,
        hasCarriageReturn: survey.hasCarriageReturn,
      }))
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
    ...text.map((string, at) => `${quoted(string)},${at + 1},AUD,AUD_NPP,12345678,062-000,${quoted(string)}`),
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
      'name_too_long',
    ]);
    expect(refused.size).toBeLessThan(30);
  });
});
