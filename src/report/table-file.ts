import { isoUtc } from '../domain/time.ts';
import { messages } from '../messages/messages.ts';
import { cellName } from '../platform/xlsx/cell-names.ts';
import { CONTENT, contentTypesXml, LAST_ROW, MAIN, RELATIONS, relationsXml } from '../platform/xlsx/workbook-writer.ts';
import { xmlAttribute } from '../platform/xlsx/xml-text.ts';
import { ZipWriter } from '../platform/xlsx/zip-writer.ts';
import { csvCell } from './csv.ts';
import { CellWriter, sheetEnd, sheetStart } from './workbook/xlsx-sheet.ts';
import { XlsxStyles } from './workbook/xlsx-styles.ts';

/**
 * A column of a table that people take with them. What it holds: text, a plain decimal, or a time (Unix ms). Null is an
 * empty cell.
 */
export type FileColumn<Row> =
  | { name: string; kind: 'text' | 'amount'; of(row: Row): string | null }
  /** `words`: shown in workbooks instead of the code. */
  | { name: string; kind: 'code'; of(row: Row): string; words(row: Row): string }
  | { name: string; kind: 'count' | 'moment'; of(row: Row): number | null };

const BYTE_ORDER_MARK = '\uFEFF';

/** Of a workbook's columns, in characters. */
const WIDTHS: Readonly<Record<FileColumn<unknown>['kind'], number>> = {
  ...{ text: 26, code: 16, amount: 16, count: 10, moment: 24 },
};

/** As CSV: UTF-8 with a byte order mark, RFC 4180 quoting, CRLF, and no cell that a spreadsheet takes for a formula. */
export function tableCsv<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => csvCell(textOf(column, row))).join(','));
  const header = columns.map(({ name }) => csvCell(name)).join(',');
  return `${BYTE_ORDER_MARK}${[header, ...lines].join('\r\n')}\r\n`;
}

function textOf<Row>(column: FileColumn<Row>, row: Row): string {
  const value = column.of(row);
  if (value === null) return '';
  return column.kind === 'moment' ? isoUtc(Number(value)) : String(value);
}

/**
 * As a workbook of one sheet, its header in view and filtered: amounts are numbers, times are times, all else is text. Rows
 * that a sheet has no room for are left out. `pause` is awaited now and then.
 */
export async function tableXlsx<Row>(
  sheet: string,
  columns: readonly FileColumn<Row>[],
  rows: readonly Row[],
  pause: () => Promise<void>,
): Promise<Buffer> {
  const styles = new XlsxStyles();
  const part = 'xl/worksheets/sheet1.xml';
  const zip = new ZipWriter();
  await zip.add(part, sheetXml(columns, rows.slice(0, LAST_ROW - 1), new CellWriter(styles), pause));
  await zip.add('xl/styles.xml', styles.toString());
  const sheets = `<sheets><sheet name="${xmlAttribute(sheet)}" sheetId="1" r:id="rId1"/></sheets>`;
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  await zip.add('xl/workbook.xml', `${head}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${sheets}</workbook>`);
  const relations = [
    ['rId1', `${RELATIONS}/worksheet`, `/${part}`],
    ['rId2', `${RELATIONS}/styles`, '/xl/styles.xml'],
  ] as const;
  await zip.add('xl/_rels/workbook.xml.rels', relationsXml(relations));
  await zip.add('_rels/.rels', relationsXml([['rId1', `${RELATIONS}/officeDocument`, '/xl/workbook.xml']]));
  const types: [string, string][] = [
    [part, CONTENT.worksheet],
    ['xl/workbook.xml', CONTENT.workbook],
    ['xl/styles.xml', CONTENT.styles],
  ];
  await zip.add('[Content_Types].xml', contentTypesXml(types));
  return zip.finish('[Content_Types].xml');
}

async function* sheetXml<Row>(
  columns: readonly FileColumn<Row>[],
  rows: readonly Row[],
  cells: CellWriter,
  pause: () => Promise<void>,
): AsyncIterable<string> {
  yield sheetStart({ widths: columns.map(({ kind }) => WIDTHS[kind]), frozenRows: 1, isSelected: true });
  const isRight = (kind: string) => kind === 'amount' || kind === 'count';
  const header = columns.map(({ name, kind }, at) => {
    const align = isRight(kind) ? ({ align: 'right' } as const) : {};
    return cells.text(cellName(at, 1), messages.headings.headingText(name), { isBold: true, fill: 'sunken', ...align });
  });
  yield `<row r="1">${header.join('')}</row>`;
  for (const [at, row] of rows.entries()) {
    await pause();
    const number = at + 2;
    yield `<row r="${number}">${columns.map((column, place) => cellOf(cells, cellName(place, number), column, row)).join('')}</row>`;
  }
  yield sheetEnd(columns.length, rows.length + 1);
}

function cellOf<Row>(cells: CellWriter, reference: string, column: FileColumn<Row>, row: Row): string {
  switch (column.kind) {
    case 'text':
      return cells.text(reference, column.of(row) ?? '');
    case 'code':
      return cells.text(reference, column.words(row));
    case 'amount':
      return cells.amount(reference, column.of(row) ?? '');
    case 'count':
    case 'moment': {
      const value = column.of(row);
      if (value === null) return '';
      return column.kind === 'count' ? cells.count(reference, value) : cells.moment(reference, isoUtc(value));
    }
  }
}
