import * as sheetjs from '@e965/xlsx';
import { encodeEscapes } from '../xml-text.ts';
import { ConversionError } from './kinds.ts';

/** Rows and columns of any sheet, and more cells than a sheet of payouts has. */
export const ROWS_MAX = 1_048_576;
export const COLUMNS_MAX = 16_384;
const CELLS_MAX = 4_000_000;

/** Merged areas of a sheet; one with more is refused. */
const MERGES_MAX = 10_000;

export type Cell = sheetjs.CellObject;

/** A sheet that is filled cell by cell, and written as one of an XLSX workbook. Rows and columns count from 0. */
export class SheetBuilder {
  readonly name: string;
  isHidden = false;
  readonly #rows: Cell[][] = [];
  readonly #merges: sheetjs.Range[] = [];
  readonly #hiddenRows: sheetjs.RowInfo[] = [];
  readonly #hiddenColumns: sheetjs.ColInfo[] = [];
  #cells = 0;

  constructor(name: string) {
    this.name = name;
  }

  set(row: number, column: number, cell: Cell): void {
    if (row >= ROWS_MAX || column >= COLUMNS_MAX) throw new ConversionError('workbook_damaged');
    if (++this.#cells > CELLS_MAX) throw new ConversionError('spreadsheet_too_large');
    let cells = this.#rows[row];
    if (cells === undefined) this.#rows[row] = cells = [];
    cells[column] = cell;
  }

  hideRow(row: number): void {
    this.#hiddenRows[row] = { hidden: true };
  }

  hideColumn(column: number): void {
    if (column < COLUMNS_MAX) this.#hiddenColumns[column] = { hidden: true };
  }

  merge(row: number, column: number, rows: number, columns: number): void {
    if (this.#merges.length === MERGES_MAX) throw new ConversionError('spreadsheet_too_large');
    const last = { r: Math.min(row + rows, ROWS_MAX) - 1, c: Math.min(column + columns, COLUMNS_MAX) - 1 };
    this.#merges.push({ s: { r: row, c: column }, e: last });
  }

  toSheet(): sheetjs.WorkSheet {
    return {
      '!data': this.#rows,
      '!merges': this.#merges,
      '!rows': this.#hiddenRows,
      '!cols': this.#hiddenColumns,
    };
  }
}

const SHEET_NAME_MAX = 31;

/** A workbook of these sheets. Names that XLSX does not take are written as near as it does. */
export function workbookOf(sheets: readonly SheetBuilder[]): Uint8Array {
  const book = sheetjs.utils.book_new();
  const hidden: sheetjs.SheetProps[] = [];
  for (const sheet of sheets) {
    const plain = sheet.name.replace(/[[\]:*?/\\\p{Cc}]/gu, ' ').replace(/^'+|'+$/g, '');
    sheetjs.utils.book_append_sheet(book, sheet.toSheet(), freeName(plain, book.SheetNames));
    hidden.push({ Hidden: sheet.isHidden ? 1 : 0 });
  }
  book.Workbook = { Sheets: hidden };
  return writeXlsx(book);
}

function freeName(name: string, taken: readonly string[]): string {
  const isTaken = (wanted: string) => taken.some((other) => other.toLowerCase() === wanted.toLowerCase());
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` (${number})`;
    const free = `${name.trim().slice(0, SHEET_NAME_MAX - end.length) || 'Sheet'}${end}`;
    if (!isTaken(free)) return free;
  }
}

/** Writes a workbook of dense sheets. What a file says of their size does not count. */
export function writeXlsx(book: sheetjs.WorkBook): Uint8Array {
  for (const sheet of Object.values(book.Sheets)) measure(sheet);
  return sheetjs.write(book, { type: 'buffer', bookType: 'xlsx', cellStyles: true, compression: false });
}

/** The library writes every cell of the range, and needs every row of it. Some texts look like its escapes. */
function measure(sheet: sheetjs.WorkSheet): void {
  const rows = sheet['!data'] ?? [];
  let width = 1;
  for (let row = 0; row < rows.length; row++) {
    const cells = rows[row] ?? [];
    rows[row] = cells;
    width = Math.max(width, cells.length);
    for (const cell of cells) if (typeof cell?.v === 'string') cell.v = encodeEscapes(cell.v);
  }
  const last = { r: Math.max(0, rows.length - 1), c: width - 1 };
  sheet['!data'] = rows;
  sheet['!ref'] = sheetjs.utils.encode_range({ s: { r: 0, c: 0 }, e: last });
}
