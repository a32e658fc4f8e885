import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvPart, type Delimiter, RECORD_LENGTH_MAX, readRecords } from '../../src/input/source/csv.ts';
import { decodedText } from '../../src/input/source/sniff.ts';
import { sourceOf } from './reading.ts';

type Read = { rows: [number, string[]][]; fault: Extract<CsvPart, { kind: 'fault' }> | null };

function textOf(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  return decodedText(chunks, { encoding: 'utf-8', markBytes: 0 });
}

async function read(text: string | Uint8Array, delimiter: Delimiter = ',', chunkBytes?: number): Promise<Read> {
  const result: Read = { rows: [], fault: null };
  for await (const part of readRecords(textOf(sourceOf(text, chunkBytes).open()), delimiter)) {
    if (part.kind === 'fault') result.fault = part;
    else result.rows.push(...part.records.map((cells, at): [number, string[]] => [part.firstRow + at, cells]));
  }
  return result;
}

describe('rows are numbered as a spreadsheet program numbers them', () => {
  it.each<[string, string, [number, string[]][]]>([
    [
      'lines',
      'a,b\n1,2\n3,4\n',
      [
        [1, ['a', 'b']],
        [2, ['1', '2']],
        [3, ['3', '4']],
      ],
    ],
    [
      'no line break at the end',
      'a,b\n1,2',
      [
        [1, ['a', 'b']],
        [2, ['1', '2']],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        [1, ['a', 'b']],
        [2, ['1', '2']],
      ],
    ],
    [
      'CR',
      'a,b\r1,2\r',
      [
        [1, ['a', 'b']],
        [2, ['1', '2']],
      ],
    ],
    [
      'CRLF and LF in one file',
      'a\r\nb\nc\r\n',
      [
        [1, ['a']],
        [2, ['b']],
        [3, ['c']],
      ],
    ],
    [
      'blank lines count',
      'a\n\n\nb\n',
      [
        [1, ['a']],
        [2, ['']],
        [3, ['']],
        [4, ['b']],
      ],
    ],
    [
      'blank CRLF lines count',
      'a\r\n\r\nb\r\n',
      [
        [1, ['a']],
        [2, ['']],
        [3, ['b']],
      ],
    ],
    [
      'a cell of three lines is one row',
      'a,b\n"1\n2\r\n3",x\nc,d',
      [
        [1, ['a', 'b']],
        [2, ['1\n2\r\n3', 'x']],
        [3, ['c', 'd']],
      ],
    ],
    [
      'ragged rows',
      'a,b\n1\n1,2,3',
      [
        [1, ['a', 'b']],
        [2, ['1']],
        [3, ['1', '2', '3']],
      ],
    ],
    ['doubled quotes', '"a ""b"" c",""""\n', [[1, ['a "b" c', '"']]]],
    [
      'an empty quoted cell is no blank line',
      'a\n""\nb',
      [
        [1, ['a']],
        [2, ['']],
        [3, ['b']],
      ],
    ],
    [
      'a quote inside a bare cell',
      `36'37.8"N,5" pipe\nx,y`,
      [
        [1, [`36'37.8"N`, '5" pipe']],
        [2, ['x', 'y']],
      ],
    ],
    ['the delimiter inside quotes', '"a,b",c', [[1, ['a,b', 'c']]]],
  ])('%s', async (_, text, rows) => {
    for (const chunkBytes of [1, 2, 3, 7, 1_000])
      expect(await read(text, ',', chunkBytes)).toEqual({ rows, fault: null });
  });
});

describe('a file that cannot be divided into rows', () => {
  it.each<[string, string, string]>([
    ['a quote that opens at the very end', 'a\n"', 'quote_not_closed'],
    ['a quoted cell of one character at the end', 'a\n"x', 'quote_not_closed'],
    ['text behind an empty quoted cell at the end', 'a\n""x', 'text_after_quote'],
  ])('has its rows read up to %s', async (_, text, code) => {
    for (const chunkBytes of [1, 2, 3, 1_000])
      expect(await read(text, ',', chunkBytes)).toEqual({ rows: [[1, ['a']]], fault: { kind: 'fault', code, row: 2 } });
  });

  it.each<[string, string, Read]>([
    [
      'a quote that is never closed',
      'a,b\n1,2\n"3,4\n5,6\n',
      {
        rows: [
          [1, ['a', 'b']],
          [2, ['1', '2']],
        ],
        fault: { kind: 'fault', code: 'quote_not_closed', row: 3 },
      },
    ],
    [
      'the same in the first row',
      '"a,b\n1,2\n',
      { rows: [], fault: { kind: 'fault', code: 'quote_not_closed', row: 1 } },
    ],
    [
      'an open quote that swallows rows up to the next one',
      'a,b\n1,2\n"3,4\n5,"6"\n7,8\n',
      {
        rows: [
          [1, ['a', 'b']],
          [2, ['1', '2']],
        ],
        fault: { kind: 'fault', code: 'text_after_quote', row: 3 },
      },
    ],
    [
      'text behind a closing quote',
      'a\n"b"x\nc\n',
      { rows: [[1, ['a']]], fault: { kind: 'fault', code: 'text_after_quote', row: 2 } },
    ],
    [
      'a NUL behind a closing quote',
      'a\n"b"\0\nc\n',
      { rows: [[1, ['a']]], fault: { kind: 'fault', code: 'text_after_quote', row: 2 } },
    ],
    [
      'a blank behind a closing quote',
      'a\n"b" ,c\n',
      { rows: [[1, ['a']]], fault: { kind: 'fault', code: 'text_after_quote', row: 2 } },
    ],
  ])('%s', async (_, text, expected) => {
    for (const chunkBytes of [1, 2, 3, 7, 1_000]) expect(await read(text, ',', chunkBytes)).toEqual(expected);
  });

  it.each([
    ['letters', 'x'],
    ['delimiters', ','],
    ['quotes and delimiters', '"",'],
  ])('ends a line of 48 MiB of %s soon after a mebibyte', async (_, unit) => {
    // A multiple of three, so that no unit is cut where the next one begins.
    const chunk = Buffer.alloc(768 * 1024, unit);
    let served = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a,b\n1,2\n');
      for (; served < 64; served++) yield chunk;
    }
    const parts: CsvPart[] = [];
    for await (const part of readRecords(textOf(endless()), ',')) parts.push(part);
    expect(parts.at(-1)).toEqual({ kind: 'fault', code: 'record_too_long', row: 3 });
    expect(parts.slice(0, -1).flatMap((part) => (part.kind === 'records' ? part.records : []))).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(served).toBeLessThanOrEqual(2);
  });

  it('reads a row just under the limit', async () => {
    const cell = 'x'.repeat(RECORD_LENGTH_MAX - 40_000);
    expect((await read(`a,b\n${cell},2\n`)).rows[1]).toEqual([2, [cell, '2']]);
  });

  it('ends a quoted cell that goes on for more than a mebibyte as a quote that is not closed', async () => {
    const text = `a\n"${'x\n'.repeat(RECORD_LENGTH_MAX)}`;
    expect((await read(text)).fault).toEqual({ kind: 'fault', code: 'quote_not_closed', row: 2 });
  });
});

const DELIMITERS: Delimiter[] = [',', ';', '\t', '|'];

function write(records: string[][], delimiter: Delimiter, lineBreak: string, quotesAll: boolean): string {
  const cell = (text: string) =>
    quotesAll || /[",;\t|\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
  return records.map((record) => record.map(cell).join(delimiter) + lineBreak).join('');
}

describe('written and read again', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', '|', 'a', 'é', '\ufeff') }),
  );
  const records = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });

  it('every cell is what it was, for each delimiter and line break, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.constantFrom(...DELIMITERS),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (written, delimiter, lineBreak, quotesAll, chunkBytes) => {
          const text = write(written, delimiter, lineBreak, quotesAll);
          const { rows, fault } = await read(text, delimiter, chunkBytes);
          expect(fault).toBeNull();
          expect(rows).toEqual(written.map((record, at) => [at + 1, record]));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('any text at all gives the same rows or the same fault, however its bytes are cut', async () => {
    const anything = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', 'é', ' '), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(anything, fc.integer({ min: 1, max: 40 }), async (text, chunkBytes) => {
        expect(await read(text, ',', chunkBytes)).toEqual(await read(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('any text without a fault gives what csv-parse alone makes of it, with broken UTF-8 too', async () => {
    const anything = fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.constantFrom(...['"', '""', '"a"', ',', ',"', '",', '\n', '\r', '\r\n', 'a', 'é', ' ', 'Ł']),
        },
        { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 3 }) },
      ),
      { maxLength: 40 },
    );
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(anything, fc.integer({ min: 1, max: 40 }), async (units, chunkBytes) => {
        const bytes = Buffer.concat(units.map((unit) => Buffer.from(unit as string)));
        const { rows, fault } = await read(bytes, ',', chunkBytes);
        if (fault !== null) return;
        whole++;
        const options = { relax_column_count: true, relax_quotes: true };
        const records = parse(bytes, { ...options, record_delimiter: ['\r\n', '\n', '\r'] });
        expect(rows.map(([, cells]) => cells)).toEqual(records);
      }),
      { numRuns: 3_000 },
    );
    expect(whole).toBeGreaterThan(500);
  });
});
