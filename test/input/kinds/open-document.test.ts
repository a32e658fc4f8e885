import { describe, expect, it } from 'vitest';
import { openDocumentToXlsx } from '../../../src/platform/xlsx/conversion/open-document.ts';
import { numberOf, openDocumentOf, rowOf, tableOf } from '../../support/foreign-spreadsheets.ts';
import { HEADER, placesOf } from '../reading.ts';
import { faultOf, readConverted } from './converted.ts';

const COLUMNS = HEADER.split(',');
const row = (name: string, amount: string | number = 12.5, account: string | number = '12345678') => [
  name,
  amount,
  'AUD',
  'AUD_NPP',
  account,
  '062-000',
];

const read = (rows: readonly (readonly (string | number)[])[], before = '') =>
  readConverted(openDocumentToXlsx(openDocumentOf(tableOf('Pay', [COLUMNS, ...rows], before))));

const cell = (attributes: string, text = '') =>
  `<table:table-cell ${attributes}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`;

describe('a spreadsheet of LibreOffice', () => {
  it('is read with its texts and amounts', async () => {
    const result = await read([
      row('Zoë &amp; Söhne <text:span>株式</text:span>', numberOf(1234.5, '1,234.50', 'currency')),
      row('A<text:s text:c="1"/>B<office:annotation><text:p>call her</text:p></office:annotation>', 1),
    ]);
    expect(placesOf(result)).toEqual(['A3 account_name_differs']);
    expect(result.runRows.map(({ order }) => [order?.payee.name, order?.amount_minor])).toEqual([
      ['Zoë & Söhne 株式', '123450'],
      ['A B', '100'],
    ]);
  });

  it('is read with the zeros that it shows', async () => {
    const result = await read([row('Ana', 1, numberOf(1234567, '01234567'))]);
    expect(placesOf(result)).toEqual([]);
    expect(result.runRows[0]?.order?.destination).toMatchObject({ fields: { account_number: '01234567' } });
  });

  it.each<[string, string, string]>([
    ['rounded', numberOf(12.34, '12.3'), 'amount_shown_rounded'],
    ['in thousands', numberOf(12_345_000, '12,345'), 'amount_shown_rounded'],
    ['with another sign', numberOf(12, '€ 12.00', 'currency'), 'amount_shown_in_other_currency'],
    ['as a percentage', numberOf(0.5, '50%', 'percentage'), 'amount_is_percentage'],
    ['a date', cell('office:value-type="date" office:date-value="2026-11-25"', '25.11.26'), 'cell_is_date'],
    ['a time', cell('office:value-type="time" office:time-value="PT12H30M00S"', '12:30'), 'cell_is_date'],
    ['true', cell('office:value-type="boolean" office:boolean-value="true"', 'TRUE'), 'cell_is_boolean'],
    ['an error', cell('office:value-type="string" calcext:value-type="error"', '#N/A'), 'cell_error'],
    ['a formula without a result', cell('table:formula="of:=1"'), 'formula_without_value'],
  ])('an amount %s', async (_, amount, code) => {
    const found = placesOf(await read([row('Ana', amount)]));
    expect(found).toContain(`B2 ${code}`);
  });

  it('is read with its hidden rows, columns and sheets, and merged cells', async () => {
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>' +
      '<style:style style:name="ro0" style:family="table-row"><style:table-row-properties style:row-height="0in"/></style:style>';
    const covered =
      '<table:covered-table-cell office:value-type="string"><text:p>Eve</text:p></table:covered-table-cell>';
    const spanned =
      '<table:table-cell table:number-rows-spanned="2" table:number-columns-spanned="1" office:value-type="string"><text:p>Dan</text:p></table:table-cell>';
    const rows = [
      rowOf(COLUMNS),
      rowOf(row('Ana'), ' table:visibility="collapse"'),
      rowOf(row('Bob'), ' table:visibility="filter"'),
      `<table:table-row-group table:display="false">${rowOf(row('Cy'))}</table:table-row-group>`,
      rowOf([spanned, ...row('').slice(1)]),
      rowOf([covered, ...row('').slice(1)]),
      rowOf(row('Fay'), ' table:style-name="ro0"'),
    ];
    const columns =
      '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>';
    const hidden = `<table:table table:name="Old" table:style-name="ta2">${rowOf(COLUMNS)}${rowOf(row('Ghost'))}</table:table>`;
    const bytes = openDocumentOf(`<table:table table:name="Pay">${columns}${rows.join('')}</table:table>${hidden}`, {
      styles,
    });
    expect(placesOf(await readConverted(openDocumentToXlsx(bytes))).sort()).toEqual(
      [
        'file other_sheets',
        'C1 column_hidden',
        'row 2 row_hidden',
        'row 3 row_hidden',
        'row 4 row_hidden',
        'A5 cells_merged',
        'A6 cell_covered',
        'row 7 row_hidden',
      ].sort(),
    );
  });

  it('is read with rows and cells that it repeats, as often as they stand there', async () => {
    const gap = '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>';
    const twice = rowOf(row('Ana'), ' table:number-rows-repeated="2"');
    const result = await readConverted(
      openDocumentToXlsx(openDocumentOf(`<table:table table:name="Pay">${rowOf(COLUMNS)}${gap}${twice}</table:table>`)),
    );
    expect(result.runRows.map((read) => read.row)).toEqual([5, 6]);
  });
});

describe('a spreadsheet of LibreOffice is refused', () => {
  const repeated = (times: string) => rowOf(row('Ana'), ` table:number-rows-repeated="${times}"`);
  const billion =
    '<table:table-row><table:table-cell table:number-columns-repeated="999999999" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>';
  const ofRows = (rows: string) =>
    openDocumentOf(`<table:table table:name="Pay">${rowOf(COLUMNS)}${rows}</table:table>`);
  const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">]><office:document-content>&a;</office:document-content>`;

  it.each<[string, () => Buffer, string]>([
    ['with a password', () => openDocumentOf('', { manifest: '<manifest:encryption-data/>' }), 'workbook_encrypted'],
    ['with a billion rows', () => ofRows(repeated('1000000000')), 'workbook_damaged'],
    ['with a million rows of one', () => ofRows(repeated('1000000')), 'spreadsheet_too_large'],
    ['with a billion cells', () => ofRows(billion), 'workbook_damaged'],
    ['with a count that is none', () => ofRows(repeated('-1')), 'workbook_damaged'],
    [
      'with entities',
      () => openDocumentOf('', { content: { name: 'content.xml', content: laughs } }),
      'workbook_damaged',
    ],
    [
      'that is cut',
      () => openDocumentOf('', { content: { name: 'content.xml', content: '<office:document-content>' } }),
      'workbook_damaged',
    ],
    [
      'that unpacks to gigabytes',
      () => openDocumentOf('', { content: { name: 'content.xml', content: 'x', says: { unpacked: 3_000_000_000 } } }),
      'spreadsheet_too_large',
    ],
    [
      'whose size lies',
      () =>
        openDocumentOf('', { content: { name: 'content.xml', content: 'x'.repeat(100_000), says: { unpacked: 10 } } }),
      'workbook_damaged',
    ],
    [
      'with a table in a table',
      () => ofRows(rowOf([`<table:table-cell><table:table table:name="b"/></table:table-cell>`])),
      'workbook_damaged',
    ],
  ])('%s', async (_, bytes, code) => {
    expect(await faultOf(() => openDocumentToXlsx(bytes()))).toBe(code);
  });
});
