import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patchCsv } from '../../src/input/corrections/csv-patch.ts';
import { openCsvTable } from '../../src/input/source/csv-table.ts';
import { surveyBytes } from '../../src/input/source/sniff.ts';
import { encoded } from './encodings/encode.ts';
import { sourceOf } from './reading.ts';

async function patched(bytes: Buffer, row: number, column: number, text: string) {
  const survey = await surveyBytes(() => sourceOf(bytes).open());
  return patchCsv(bytes, survey, new Map([[row, new Map([[column, text]])]]));
}

async function recordsOf(bytes: Buffer): Promise<string[][]> {
  const records: string[][] = [];
  for await (const part of (await openCsvTable(sourceOf(bytes))).parts())
    if (part.kind === 'records') records.push(...part.records);
  return records;
}

describe('a text file with one cell replaced', () => {
  test('reads as before but for that cell, however it is written', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '=') });
    const written = fc.tuple(cell, fc.boolean()).map(([text, isQuoted]) => {
      const isBare = !isQuoted && !/[",\r\n]/.test(text);
      return isBare ? text : `"${text.replaceAll('"', '""')}"`;
    });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\n\n');
    const line = fc.tuple(fc.array(written, { minLength: 3, maxLength: 3 }), lineEnd);
    const lines = fc.array(line, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(), fc.nat(2), cell, async (rows, at, column, text) => {
        const bytes = Buffer.from(
          `name,amount,currency\n${rows.map(([cells, end]) => cells.join(',') + end).join('')}`,
        );
        const before = await recordsOf(bytes);
        const row = at % before.length;
        fc.pre((before[row]?.length ?? 0) > column);
        const result = await patched(bytes, row, column, text);
        expect(result.old).toEqual([{ row, column, text: before[row]?.[column] }]);
        const after = before.map((record) => [...record]);
        after[row]?.splice(column, 1, text);
        expect(await recordsOf(result.bytes)).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  test('writes letters in the encoding of the file', async () => {
    const windows = Buffer.from('name,amount\nM\xfcller,1\n', 'latin1');
    expect((await patched(windows, 1, 0, 'Mühle €')).bytes).toEqual(
      Buffer.from('name,amount\nM\xfchle \x80,1\n', 'latin1'),
    );
    const utf8 = Buffer.from('name,amount\nMüller,1\n');
    expect((await patched(utf8, 1, 0, 'Mühle €')).bytes).toEqual(Buffer.from('name,amount\nMühle €,1\n'));
  });

  test.each(['gb18030', 'shift_jis'] as const)('leaves characters of two bytes whole, in %s', async (encoding) => {
    // The second byte of these is that of a `|`.
    const text = encoding === 'gb18030' ? '寍|1|峾' : '竹|1|弓';
    const bytes = encoded(`name|amount|note\n${text}\n`, encoding) ?? Buffer.of();
    expect(bytes.toString('latin1').split('|')).toHaveLength(7);
    const survey = await surveyBytes(() => sourceOf(bytes).open(), encoding);
    const { bytes: copy, old } = patchCsv(bytes, survey, new Map([[1, new Map([[2, '山1']])]]));
    expect(old).toEqual([{ row: 1, column: 2, text: text.slice(-1) }]);
    expect(copy).toEqual(encoded(`name|amount|note\n${text.slice(0, -1)}山1\n`, encoding));
  });

  test('refuses a letter that the encoding of the file does not have', async () => {
    const windows = Buffer.from('name,amount\nM\xfcller,1\n', 'latin1');
    await expect(patched(windows, 1, 0, 'Łódź')).rejects.toMatchObject({ kind: 'usage' });
  });
});
