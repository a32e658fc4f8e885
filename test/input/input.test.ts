import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInput } from '../../src/input/input.ts';
import { PROBLEMS_KEPT } from '../../src/input/problem-log.ts';
import { HEADER, npp, placesOf, readAll, sourceOf } from './reading.ts';

const CORPUS = join(import.meta.dirname, 'corpus');

/** How every file of LibreOffice Calc begins. */
const OPEN_DOCUMENT = Buffer.from(
  'PK\x03\x04\x14\0\0\x08\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK',
  'latin1',
);

describe('a file that is not one', () => {
  it.each<[string, string | Uint8Array, string[]]>([
    ['empty', '', ['file file_empty']],
    ['only a byte order mark', '\ufeff', ['file file_empty']],
    ['only blank lines', '\n\r\n ,,\n', ['file file_empty']],
    ['a header only', `${HEADER}\n`, ['row 1 no_payouts']],
    ['a header and blank rows', `${HEADER}\n\n,,,,,\n`, ['row 1 no_payouts']],
    ['not text', Buffer.from('PK\x03\x04\0\0\0\0\0\0\0\0'), ['file not_text']],
    ['a workbook with a password', readFileSync(join(CORPUS, 'excel-password.xlsx')), ['file workbook_encrypted']],
    ['a cut OpenDocument spreadsheet', OPEN_DOCUMENT, ['file workbook_damaged']],
    [
      'an XML spreadsheet',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?><Workbook/>',
      ['file xml_spreadsheet'],
    ],
    ['a web archive', 'MIME-Version: 1.0\nContent-Type: multipart/related\n', ['file web_archive']],
    ['a PDF', '%PDF-1.7\nname,amount,currency,rail\n', ['file pdf_named_text']],
    [
      'UTF-16 that is cut',
      Buffer.from(`\ufeff${HEADER}\n${npp('Ana', '1')}\n`, 'utf16le').subarray(0, -1),
      ['file undecodable'],
    ],
    [
      'a missing column',
      `${HEADER.replace('amount', 'sum')}\n${npp('Ana', '1')}\n${npp('Bob', '2')}\n`,
      ['B1 column_missing'],
    ],
    ['two headers for one column', `${HEADER.replace('rail', 'Payee')}\n${npp('Ana', '1')}\n`, ['D1 column_twice']],
    [
      'an IBAN beside the account number',
      `${HEADER},IBAN\n${npp('Ana', '1')},DE89370400440532013000\n`,
      ['G1 column_twice'],
    ],
    ['a quote that is not closed', `${HEADER}\n${npp('Ana', '1')}\n"Bob,2\n`, ['row 3 quote_not_closed']],
    ['text behind a quote', `${HEADER}\n${npp('"Ana" B', '1')}\n`, ['row 2 text_after_quote']],
  ])('%s', async (_, content, expected) => {
    const result = await readAll(content);
    expect(placesOf(result)).toEqual(expected);
    expect(result.isWhole).toBe(false);
    for (const row of result.runRows) if (row.order !== null) expect(result.problems[0]?.row).toBeGreaterThan(row.row);
  });

  it('tells mixed encodings, and where a name is unreadable', async () => {
    const good = Buffer.from(`${HEADER}\n${npp('Müller', '1')}\n`);
    const bad = Buffer.from(`${npp('Zo?', '2', '87654321')}\n`.replace('?', '\xeb'), 'latin1');
    const result = await readAll(Buffer.concat([good, bad]));
    expect(placesOf(result)).toEqual(['file mixed_encodings', 'A3 unreadable_character']);
  });

  it('still reads the rows before an unclosed quote and reports theirs', async () => {
    const result = await readAll(`${HEADER}\n${npp('', '1')}\n${npp('Bob', 'x')}\n"Cy,3\n`);
    expect(placesOf(result)).toEqual(['A2 name_missing', 'B3 amount_not_a_number', 'row 4 quote_not_closed']);
  });
});

describe('a file that changes while it is read', () => {
  it('is refused', async () => {
    let opened = 0;
    const open = () => sourceOf(`${HEADER}\n${npp('Ana', String(++opened))}\n`).open();
    await expect(readInput({ name: 'pay.csv', path: 'pay.csv', open })).rejects.toMatchObject({
      kind: 'input',
      reason: { code: 'file_changed', name: 'pay.csv' },
    });
  });
});

describe('the result', () => {
  it('describes the input', async () => {
    const text = `${HEADER},Team\n${npp('Ana', '1')},Blue\n`;
    const { input, encoding, delimiter, isWhole } = await readAll(text);
    expect(input).toEqual({
      name: 'test.csv',
      path: 'test.csv',
      sha256: createHash('sha256').update(text).digest('hex'),
      bytes: Buffer.byteLength(text),
      header: [...HEADER.split(','), 'Team'],
      columns: ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code', null],
    });
    expect([encoding, delimiter, isWhole]).toEqual(['utf-8', ',', true]);
  });

  it('keeps a thousand problems and counts all, errors before warnings', async () => {
    const wrong = Array.from({ length: PROBLEMS_KEPT + 500 }, () => npp('', '1'));
    const repeated = Array.from({ length: 50 }, () => npp('Ana', '1'));
    const result = await readAll([HEADER, ...repeated, ...wrong].join('\n'));
    expect(result.problems).toHaveLength(PROBLEMS_KEPT);
    expect(new Set(result.problems.map((problem) => problem.severity))).toEqual(new Set(['error']));
    expect(result.problemCounts).toEqual({ errors: PROBLEMS_KEPT + 500, warnings: 49 });
    expect(result.problemGroups).toMatchObject([
      { code: 'possible_duplicate', severity: 'warning', column: 'account_number', count: 49 },
      { code: 'name_missing', severity: 'error', column: 'name', count: PROBLEMS_KEPT + 500 },
    ]);
  });

  it('has examples of a group that begins behind the thousandth problem, and groups by column', async () => {
    const wrong = Array.from({ length: PROBLEMS_KEPT + 7 }, () => npp('', '1'));
    const late = ['a\u0007,1,AUD,AUD_NPP,12345678,062-000,', 'Ana,1,AUD,AUD_NPP,12345678,062-000,b\u0007'];
    const result = await readAll([`${HEADER},city`, ...wrong.map((row) => `${row},`), ...late].join('\n'));
    const groups = result.problemGroups.filter(({ code }) => code === 'control_character');
    expect(groups).toMatchObject([
      { column: 'name', count: 1, first: [{ cell: 'A1009' }] },
      { column: 'city', count: 1, first: [{ cell: 'G1010' }] },
    ]);
    expect(result.problems.some(({ code }) => code === 'control_character')).toBe(false);
  });

  it('tells every problem to whoever asks, the value uncut', async () => {
    const told: string[] = [];
    const rows = Array.from({ length: PROBLEMS_KEPT + 5 }, () => npp('x'.repeat(200), '1'));
    await readInput(sourceOf([HEADER, ...rows].join('\n')), {
      onProblem: ({ code, value }) => {
        if (code === 'name_too_long') told.push(value ?? '');
      },
    });
    expect(told).toHaveLength(PROBLEMS_KEPT + 5);
    expect(told.at(-1)).toBe('x'.repeat(200));
  });

  it('cuts the long text of a cell', async () => {
    const { problems } = await readAll(`${HEADER}\n${npp('x'.repeat(100_000), '1')}\n`);
    expect(problems[0]?.value).toHaveLength(121);
  });

  it('is the same without a sink', async () => {
    const text = `${HEADER}\n${npp('Ana', '1')}\n${npp('', '2')}\n`;
    const { runRows: _, ...withSink } = await readAll(text);
    expect(await readInput(sourceOf(text))).toMatchObject({ ...withSink, problems: [{ code: 'name_missing' }] });
  });

  it('has a harmless __proto__ column', async () => {
    const { problems, runRows } = await readAll(`${HEADER},__proto__\n${npp('Ana', '1')},polluted\n`);
    expect(problems).toEqual([]);
    expect(runRows[0]?.cells.at(-1)).toBe('polluted');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('numbers rows without the sep= line that Excel hides', async () => {
    const text = `sep=;\r\n${HEADER.replaceAll(',', ';')}\r\n${npp('', '1').replaceAll(',', ';')}\r\n`;
    expect(placesOf(await readAll(text))).toEqual(['A2 name_missing']);
  });
});

describe('the sink', () => {
  it('gets the next row only when it has taken the one before', async () => {
    const text = [HEADER, npp('Ana', '1'), npp('Bob', '2'), npp('Cy', '3')].join('\n');
    let isBusy = false;
    const taken: number[] = [];
    const onRow = async (row: { row: number }) => {
      expect(isBusy).toBe(false);
      isBusy = true;
      await new Promise((resolve) => setImmediate(resolve));
      taken.push(row.row);
      isBusy = false;
    };
    await readInput(sourceOf(text), { onRow });
    expect(taken).toEqual([2, 3, 4]);
  });

  it('that fails ends the reading', async () => {
    const onRow = () => Promise.reject(new Error('disk full'));
    await expect(readInput(sourceOf(`${HEADER}\n${npp('Ana', '1')}\n`), { onRow })).rejects.toThrow('disk full');
  });
});

describe('the same rows', () => {
  const name = fc
    .string({
      unit: fc.constantFrom('a', 'z', 'é', 'ü', ' ', ',', ';', '"', '|', "'", '='),
      minLength: 1,
      maxLength: 20,
    })
    .map((text) => `A${text}Z`);
  const encode: Record<string, (text: string) => Uint8Array> = {
    'utf-8': (text) => Buffer.from(text),
    'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
    'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'utf-16le without a mark': (text) => Buffer.from(text, 'utf16le'),
    'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    'windows-1252': (text) => Buffer.from(text, 'latin1'),
  };

  it('come out of every encoding, delimiter and way of cutting the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom(...Object.keys(encode)),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 40 }),
        async (names, delimiter, encoding, lineBreak, chunkBytes) => {
          const quoted = (text: string) => (/[",;\t|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
          const rows = names.map((text, at) => [
            'é',
            text,
            `${at + 1}.25`,
            'AUD',
            'AUD_NPP',
            `1234567${at}`,
            '062-000',
          ]);
          const lines = [`Team,${HEADER}`.split(','), ...rows].map(
            (row) => row.map(quoted).join(delimiter) + lineBreak,
          );
          const bytes = encode[encoding]?.(lines.join('')) ?? Buffer.of();
          const told = encoding === 'windows-1252' ? ({ encoding: 'windows-1252' } as const) : {};
          const result = await readAll(bytes, told, chunkBytes);
          expect(result.problems).toEqual([]);
          expect(result.runRows.map((row) => row.cells)).toEqual(rows);
          expect(result.runRows.map((row) => row.order?.payee.name)).toEqual(names);
        },
      ),
      { numRuns: 300 },
    );
  });
});
