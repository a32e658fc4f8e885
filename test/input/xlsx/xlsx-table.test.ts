import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { CellFacts } from '../../../src/input/cells/cell-facts.ts';
import { openTable } from '../../../src/input/source/open-table.ts';
import type { Table, TablePart } from '../../../src/input/source/table.ts';
import { SharedTexts } from '../../../src/input/source/xlsx/shared-texts.ts';
import { rowOf, rowsOf, type WorkbookXml, workbookOf } from '../../support/workbook.ts';
import { HEADER, sourceOf } from '../reading.ts';

const HEADERS = HEADER.split(',');

function open(bytes: Uint8Array): Promise<Table> {
  return openTable({ ...sourceOf(bytes, 64 * 1024), name: 'pay.xlsx', path: 'pay.xlsx' });
}

type ReadRow = { row: number; texts: string[]; facts: Record<number, CellFacts>; isHidden: boolean };

async function rowsOfTable(table: Table): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  for await (const part of table.parts()) {
    if (part.kind === 'fault') throw new Error(`${part.code} at ${part.row}`);
    for (const [at, texts] of part.records.entries()) {
      const facts = part.facts?.[at];
      rows.push({
        row: part.firstRow + at,
        texts,
        facts: { ...facts?.cells?.filter((cell) => cell !== undefined) },
        isHidden: facts?.isHidden === true,
      });
    }
  }
  return rows;
}

/** The cells of the first row under a header. */
async function cellsOf(cells: readonly (string | number | null)[], rest: Partial<WorkbookXml> = {}): Promise<ReadRow> {
  const rows = rowsOf([HEADERS, cells]);
  const [, read] = await rowsOfTable(await open(workbookOf({ sheets: [{ name: 'Pay', rows }], ...rest })));
  if (read === undefined) throw new Error('the row is missing');
  return read;
}

async function textsOf(cells: readonly (string | number | null)[], rest: Partial<WorkbookXml> = {}): Promise<string[]> {
  return (await cellsOf(cells, rest)).texts;
}

describe('the table of a workbook', () => {
  it('is of the bytes of the file, and gives the same rows again', async () => {
    const bytes = workbookOf({ sheets: [{ name: 'Pay', rows: rowsOf([HEADERS, ['Ana', 1.5]]) }] });
    const table = await open(bytes);
    expect(table).toMatchObject({
      sheet: 'Pay',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
      encoding: null,
      delimiter: null,
      faults: [],
      problems: [],
      isReadable: true,
    });
    expect(await rowsOfTable(table)).toEqual(await rowsOfTable(table));
  });

  it('reads what hucre writes: texts, numbers, dates, yes and no, formulas, errors', async () => {
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Pay',
          rows: [HEADERS, ['Zoë & <Co>', 1234.5, new Date('2026-11-25T00:00:00Z'), true, null, 'x']],
          cells: new Map([
            ['2,0', { value: '#N/A', type: 'error' as const }],
            ['2,1', { value: 7, type: 'formula' as const, formula: 'SUM(B2:B3)', formulaResult: 7 }],
            ['1,2', { value: new Date('2026-11-25T00:00:00Z'), style: { numFmt: 'yyyy-mm-dd' } }],
          ]),
        },
      ],
    });
    const [, second, third] = await rowsOfTable(await open(bytes));
    expect(second?.texts).toEqual(['Zoë & <Co>', '1234.5', '2026-11-25', 'TRUE', '', 'x']);
    expect(third?.texts.slice(0, 2)).toEqual(['#N/A', '7']);
  });
});

describe('texts', () => {
  it('are shared, inline, or of a formula; in runs, with blanks, entities and escapes', async () => {
    const sharedStrings = [
      '<si><t>plain</t></si>',
      '<si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh sb="0" eb="1"><t>SPOKEN</t></rPh></si>',
      '<si><t xml:space="preserve"> a &amp; b&#10;_x000D_ </t></si>',
      '<si><t/></si>',
      '<si><t><![CDATA[a & <b>]]></t></si>',
    ];
    const shared = (at: number) => `<c t="s"><v>${at}</v></c>`;
    expect(await textsOf([shared(0), shared(1), shared(2), shared(4)], { sharedStrings })).toEqual([
      'plain',
      'rich',
      ' a & b\n\r ',
      'a & <b>',
    ]);
    const runs =
      '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh sb="0" eb="1"><t>SPOKEN</t></rPh></is></c>';
    expect(await textsOf([runs, '<c t="str"><f>A1&amp;"x"</f><v>of a formula</v></c>'])).toEqual([
      'inline',
      'of a formula',
    ]);
  });

  it('are found under prefixes, in UTF-16, with an apostrophe that is only shown as one, and long', async () => {
    const long = 'ä'.repeat(32_767);
    const rows = rowsOf([HEADERS, [long, 12]]);
    const xml = `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>${rows.replace(/<(\/?)(\w)/g, '<$1x:$2')}</x:sheetData></x:worksheet>`;
    const entries = [{ name: 'xl/worksheets/sheet1.xml', content: Buffer.from(`\ufeff${xml}`, 'utf16le') }];
    const table = await open(workbookOf({ sheets: [{ name: 'Pay', rows: '' }], entries }));
    const [, read] = await rowsOfTable(table);
    expect(read?.texts).toEqual([long, '12']);
  });

  it('are held as they are, however many there are and in whatever order cells ask for them', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('GBP', '', 'ä'.repeat(2_000), 'half \ud800'));
    const asked = fc.array(fc.nat(), { maxLength: 50 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.constantFrom(1, 100, 600), asked, (some, times, places) => {
        const texts = Array.from({ length: times }, () => some).flat();
        const held = new SharedTexts();
        for (const each of texts) held.push(each);
        for (const place of places) {
          const at = place % texts.length;
          expect([held.at(at), held.at(at)]).toEqual([texts[at], texts[at]]);
        }
        for (const none of [-1, texts.length, 0.5, Number.NaN]) expect(held.at(none)).toBeUndefined();
      }),
      // One that needs more bytes than letters, where the room for bytes ends.
      { examples: [[['a'.repeat(64 * 1024 - 1), 'ä'], 1, [1]]] },
    );
  });

  it('that the workbook does not have are damage, not blanks', async () => {
    const bytes = workbookOf({ sheets: [{ name: 'Pay', rows: rowsOf([HEADERS, ['<c t="s"><v>3</v></c>']]) }] });
    expect((await open(bytes)).faults).toEqual(['workbook_damaged']);
  });
});

describe('numbers', () => {
  const general: CellFacts = { kind: 'number', format: null, shown: null };

  it.each([
    ['12345678', '12345678'],
    ['12345678.0', '12345678'],
    ['1.2345678E7', '12345678'],
    ['1234.5', '1234.5'],
    ['0.1', '0.1'],
    ['0.30000000000000004', '0.3'],
    ['646180110400000007', '646180110400000000'],
    ['6.4618011040000000E+17', '646180110400000000'],
    ['1E-7', '0.0000001'],
    ['-5', '-5'],
    ['-0', '0'],
    ['007', '7'],
    ['1E+21', '1000000000000000000000'],
  ])('%s is %s', async (written, text) => {
    const row = await cellsOf([`<c><v>${written}</v></c>`]);
    expect(row.texts).toEqual([text]);
    expect(row.facts[0]).toEqual(general);
  });

  it.each<[format: string, value: number, shown: string | null]>([
    ['00000000', 1234567, '01234567'],
    ['000000', 1234567, null],
    ['00-00-00', 40004, '04-00-04'],
    ['00\\-00\\-00', 40004, '04-00-04'],
    ['000" "000', 62000, '062 000'],
    ['[$-409]000000;@', 62, '000062'],
    ['0000000000;-0000000000', 62, '0000000062'],
    ['#,##0.00', 62, null],
    ['0.00', 62, null],
    ['0', 62, null],
    ['000000', 62.5, null],
    // A format of its own, and not the date format with the number 14.
    ['0014', 46351, null],
  ])('in the format %s, %s is shown as %s', async (format, value, shown) => {
    const row = await cellsOf([`<c s="1"><v>${value}</v></c>`], { formats: [format] });
    expect(row.facts[0]).toEqual({ kind: 'number', format, shown });
    expect(row.texts).toEqual([String(value)]);
  });
});

describe('dates', () => {
  it.each<[format: string, serial: number, text: string, shown: string | null]>([
    ['yyyy-mm-dd', 46351, '2026-11-25', '2026-11-25'],
    ['dd/mm/yy', 46351, '2026-11-25', '25/11/26'],
    ['d-mmm-yy', 46351, '2026-11-25', '25-Nov-26'],
    ['[$-809]dddd, d mmmm yyyy;@', 46351, '2026-11-25', 'Wednesday, 25 November 2026'],
    ['m/d/yyyy', 46351, '2026-11-25', null],
    ['dd.mm.yyyy hh:mm', 46351.75, '2026-11-25T18:00:00', '25.11.2026 18:00'],
    ['yyyy-mm-dd', 1, '1900-01-01', '1900-01-01'],
    ['yyyy-mm-dd', 59, '1900-02-28', '1900-02-28'],
    ['yyyy-mm-dd', 61, '1900-03-01', '1900-03-01'],
    ['yyyy-mm-dd', 2958465, '9999-12-31', '9999-12-31'],
  ])('%s of %s is %s, shown as %s', async (format, serial, text, shown) => {
    const row = await cellsOf([`<c s="1"><v>${serial}</v></c>`], { formats: [format] });
    expect(row.texts).toEqual([text]);
    expect(row.facts[0]).toEqual({ kind: 'date', format, shown });
  });

  it('count from 1904 where the workbook does', async () => {
    const cells = ['<c s="1"><v>44889</v></c>'];
    expect(await textsOf(cells, { formats: ['yyyy-mm-dd'], is1904: true })).toEqual(['2026-11-25']);
  });

  it('that no calendar has are numbers', async () => {
    const row = await cellsOf(['<c s="1"><v>99999999</v></c>'], { formats: ['yyyy-mm-dd'] });
    expect(row.texts).toEqual(['99999999']);
    expect(row.facts[0]?.kind).toBe('number');
  });

  it('may be written as ISO 8601', async () => {
    const row = await cellsOf(['<c t="d"><v>2026-11-25T00:00:00</v></c>']);
    expect([row.texts, row.facts[0]?.kind]).toEqual([['2026-11-25'], 'date']);
  });
});

describe('formulas', () => {
  it.each<[what: string, cell: string, text: string, kind: string | undefined]>([
    ['a number', '<c><f>B1*2</f><v>12.5</v></c>', '12.5', 'number'],
    ['a text', '<c t="str"><f>A1</f><v>Ana</v></c>', 'Ana', undefined],
    ['an empty text', '<c t="str"><f>IF(1,"","")</f><v></v></c>', '', undefined],
    ['an error', '<c t="e"><f>VLOOKUP(1,A:B,2)</f><v>#N/A</v></c>', '#N/A', 'error'],
    ['no result, as openpyxl writes it', '<c><f>SUM(B1:B2)</f><v></v></c>', '', 'formula_without_value'],
    ['no result at all', '<c t="str"><f>A1</f></c>', '', 'formula_without_value'],
    ['no result of a shared formula', '<c><f t="shared" si="0"/></c>', '', 'formula_without_value'],
  ])('have their cached value: %s', async (_, cell, text, kind) => {
    const row = await cellsOf([cell, 'behind']);
    expect(row.texts).toEqual([text, 'behind']);
    expect(row.facts[0]?.kind).toBe(kind);
  });
});

describe('rows and columns', () => {
  it('keep their numbers over gaps, also where nothing is numbered', async () => {
    const gaps = rowOf(3, HEADERS) + rowOf(7, [null, 'x', null, 'y']) + rowOf(1_048_576, ['last']);
    const read = await rowsOfTable(await open(workbookOf({ sheets: [{ name: 'Pay', rows: gaps }] })));
    expect(read.map(({ row, texts }) => [row, texts])).toEqual([
      [3, HEADERS],
      [7, ['', 'x', '', 'y']],
      [1_048_576, ['last']],
    ]);
    const bare = rowsOf([HEADERS, ['a', 5]]).replaceAll(/ r="[^"]*"/g, '');
    const again = await rowsOfTable(await open(workbookOf({ sheets: [{ name: 'Pay', rows: bare }] })));
    expect(again.map(({ row, texts }) => [row, texts])).toEqual([
      [1, HEADERS],
      [2, ['a', '5']],
    ]);
  });

  it('are found between comments and instructions, and behind a `>` that is a value', async () => {
    const row = rowOf(3, HEADERS).replace('<row ', `<row x='a > b' y="'/>" `);
    const rows = `<!-- <row r="9"> --><?x <row?>${row}`;
    const [read, ...others] = await rowsOfTable(await open(workbookOf({ sheets: [{ name: 'Pay', rows }] })));
    expect([read?.row, read?.texts, others]).toEqual([3, HEADERS, []]);
  });

  it('have the kind and the style that each cell names, in whatever order and quotes', async () => {
    const cells = [
      '<c r="A2" s="1"><v>46351</v></c>',
      '<c s="1" r="A3"><v>46351</v></c>',
      `<c r='A4' s='1'><v>46351</v></c>`,
      '<c r="A5" t="b" s="1"><v>1</v></c>',
      '<c r="A6" t="str" s="1"><v>46351</v></c>',
      '<c r="A7" s="0"><v>46351</v></c>',
      '<c r="A8"><v>46351</v></c>',
      '<c\n r="A9"\n s="1"><v>46351</v></c>',
    ];
    const rows = rowOf(1, HEADERS) + cells.map((cell, at) => `<row r="${at + 2}">${cell}</row>`).join('');
    const formats = ['yyyy-mm-dd'];
    const [, ...read] = await rowsOfTable(await open(workbookOf({ sheets: [{ name: 'Pay', rows }], formats })));
    const date = '2026-11-25';
    expect(read.flatMap(({ texts }) => texts)).toEqual([date, date, date, 'TRUE', '46351', '46351', '46351', date]);
  });

  it('that have only a format are empty', async () => {
    expect(await textsOf(['a', '<c s="1"/>', '<c s="1"></c>'])).toEqual(['a']);
  });

  it('are hidden by hand, by a filter, or by a height or width of nothing', async () => {
    const rows = [
      rowOf(1, HEADERS),
      rowOf(2, ['by hand'], ' hidden="1"'),
      rowOf(3, ['flat'], ' ht="0" customHeight="1"'),
      rowOf(4, ['seen'], ' ht="15"'),
    ].join('');
    const before =
      '<cols><col min="2" max="3" width="9" hidden="1"/><col min="5" max="5" width="0" customWidth="1"/></cols>';
    const table = await open(workbookOf({ sheets: [{ name: 'Pay', rows, before }] }));
    expect((await rowsOfTable(table)).map(({ isHidden }) => isHidden)).toEqual([false, true, true, false]);
    expect([...table.hiddenColumns]).toEqual([1, 2, 4]);
  });

  it('are hidden where their group is folded, and not by what a sheet says of rows that it does not write', async () => {
    // What Excel and LibreOffice do: `zeroHeight` is for the rows below, which people hide so that a form ends there.
    const before = '<sheetFormatPr defaultRowHeight="15" zeroHeight="1" outlineLevelRow="1"/>';
    const rows = [
      rowOf(1, HEADERS),
      rowOf(2, ['in an open group'], ' outlineLevel="1"'),
      rowOf(3, ['in a folded group'], ' hidden="1" outlineLevel="1"'),
      rowOf(4, ['the sum of a folded group'], ' collapsed="1"'),
      rowOf(7, ['behind rows that are not written'], ' ht="15" customHeight="1"'),
    ].join('');
    const table = await open(workbookOf({ sheets: [{ name: 'Pay', rows, before }] }));
    const read = await rowsOfTable(table);
    expect(read.map(({ row, isHidden }) => [row, isHidden])).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, false],
      [7, false],
    ]);
  });

  it('of merged cells: what only the first of them has is said, titles left out', async () => {
    const rows = rowsOf([['Payroll'], HEADERS, ['Ana', 1], ['Bob', 2]]);
    const behind = '<mergeCells><mergeCell ref="A1:F1"/><mergeCell ref="C2:D2"/><mergeCell ref="A3:A4"/></mergeCells>';
    const { problems } = await open(workbookOf({ sheets: [{ name: 'Pay', rows, behind }] }));
    expect(problems.map(({ code, cell, severity }) => [code, cell, severity])).toEqual([
      ['header_merged', 'C2', 'warning'],
      ['cells_merged', 'A3', 'warning'],
    ]);
  });

  it.each([
    ['soon behind many rows', '', ''],
    ['before a comment in which the rows end again', '', `<!-- </row></sheetData> ${'x'.repeat(40_000)} -->`],
    ['before a long comment that begins far away', '', `<!-- ${'x'.repeat(90_000)} </row></sheetData> -->`],
    ['far behind the rows', `<!-- ${'x'.repeat(200_000)} -->`, ''],
  ])('of merged cells %s', async (_where, before, after) => {
    const many = Array.from({ length: 3_000 }, (_, at) => [`Ana ${at}`, at]);
    const behind = `${before}<mergeCells><mergeCell ref="A3:A4"/></mergeCells>${after}`;
    const { problems } = await open(
      workbookOf({ sheets: [{ name: 'Pay', rows: rowsOf([HEADERS, ...many]), behind }] }),
    );
    expect(problems.map(({ code, cell }) => [code, cell])).toEqual([['cells_merged', 'A3']]);
  });
});

describe('damage', () => {
  const good = rowsOf([HEADERS, ['Ana', 1]]);

  it.each<[what: string, rows: string, faults: string[]]>([
    ['a tag that is cut', `${good}<row r="3"><c`, ['workbook_damaged']],
    ['a row of no sheet', `${good}<row r="1048577"><c r="A1"><v>1</v></c></row>`, ['workbook_damaged']],
    ['a column of no sheet', `${good}<row r="3"><c r="XFE3"><v>1</v></c></row>`, ['workbook_damaged']],
    ['a row that comes twice', `${good}<row r="2"><c r="A2"><v>1</v></c></row>`, ['workbook_damaged']],
    ['a cell that comes twice', `${good}<row r="3"><c r="B3"/><c r="B3"><v>1</v></c></row>`, ['workbook_damaged']],
    ['a text without an end', `${good}${rowOf(3, ['x'.repeat(2 ** 21)])}`, ['workbook_damaged']],
    ['a declaration', `<!DOCTYPE x [<!ENTITY a "b">]>${good}`, ['workbook_damaged']],
  ])('%s', async (_, rows, faults) => {
    const table = await open(workbookOf({ sheets: [{ name: 'Pay', rows }] }));
    expect([table.faults, table.isReadable]).toEqual([faults, false]);
  });

  it('that has the shared texts twice', async () => {
    const entries = [{ name: 'xl/other.xml', content: '<sst><si><t>other</t></si></sst>' }];
    const table = await open(workbookOf({ sheets: [{ name: 'Pay', rows: good }], entries }));
    expect(table.faults).toEqual(['workbook_damaged']);
  });

  it('far behind the begin is told when it comes', async () => {
    const many = rowsOf([HEADERS, ...Array.from({ length: 5_000 }, (_, at) => [`Payee ${at * 7919}`, at])]);
    const table = await open(workbookOf({ sheets: [{ name: 'Pay', rows: `${many}<row r="1"/>` }] }));
    const parts: TablePart[] = [];
    for await (const part of table.parts()) parts.push(part);
    expect(parts.at(-1)).toEqual({ kind: 'fault', code: 'workbook_damaged', row: expect.any(Number) });
    expect(table.faults).toEqual([]);
  });

  it('of a part whose checksum is wrong is told, though it unpacks', async () => {
    const rows = rowsOf([HEADERS, ['Ana', 1]]);
    const content = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    const says = { checksum: 1 };
    const entries = [{ name: 'xl/worksheets/sheet1.xml', content, says }];
    const table = await open(workbookOf({ sheets: [{ name: 'Pay', rows }], entries }));
    expect(table.faults).toEqual(['workbook_damaged']);
  });
});
