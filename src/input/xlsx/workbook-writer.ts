import { type Cell, type CellStyle, colToLetter, type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { encodeEscapes } from './xml-scanner.ts';

/** A sheet as payrun makes it, of text cells only: what looks like a number or a formula stays the text that it is. */
export type NewSheet = {
  name: string;
  columns: readonly NewColumn[];
  rows: readonly (readonly NewCell[])[];
  /** Rows under the others that are empty and formatted as their columns are. */
  emptyRows?: number;
  /** Rows at the top that stay in view. */
  frozenRows: number;
};

export type NewColumn = {
  /** In characters. */
  width: number;
  /** Whether what is typed there stays as it is typed: a number would lose the zeros at its begin. */
  isText: boolean;
  /** The texts that the column's cells can be chosen from; empty where anything may be written. */
  choices?: readonly string[];
};

export type NewCell = {
  text: string;
  look?: CellLook;
  note?: string;
  /** Where a click leads, such as `'July'!F17`. */
  link?: string;
};

export type CellLook = 'header' | 'example' | 'error' | 'warning';

/** Who a workbook of ours says has saved it last. Every spreadsheet program writes its own user there. */
export const SAVED_BY = 'payrun';

/** What spreadsheet programs have at most. */
const LAST_ROW = 1_048_576;

/** What is typed into a cell of this format stays as it is typed. */
export const TEXT_FORMAT = '@';

export const LOOKS: Readonly<Record<CellLook, CellStyle>> = {
  header: { font: { bold: true }, fill: solid('DDEBF7') },
  example: { font: { italic: true, color: { rgb: '7F7F7F' } } },
  error: { fill: solid('FFC7CE') },
  warning: { fill: solid('FFEB9C') },
};

/** A workbook of these sheets. */
export async function writeWorkbook(sheets: readonly NewSheet[]): Promise<Uint8Array> {
  const written = sheets.map(writeSheetOf);
  for (const sheet of written) escapeTexts(sheet);
  return writeXlsx({ sheets: written, properties: { lastModifiedBy: SAVED_BY } });
}

/** Has texts that look like an escape of workbooks (`_x0041_`) written so that they stay what they are. */
export function escapeTexts({ rows, cells }: Pick<WriteSheet, 'rows' | 'cells'>): void {
  for (const row of rows ?? [])
    for (const [at, value] of row.entries())
      if (typeof value === 'string' && value.includes('_x')) row[at] = encodeEscapes(value);
  for (const cell of cells?.values() ?? []) if (typeof cell.value === 'string') cell.value = encodeEscapes(cell.value);
}

/** A sheet in the library's terms. */
export function writeSheetOf({ name, columns, rows, emptyRows = 0, frozenRows }: NewSheet): WriteSheet {
  const cells = new Map<string, Partial<Cell>>();
  for (const [row, line] of rows.entries())
    for (const [column, cell] of line.entries()) {
      const isText = columns[column]?.isText ?? false;
      if (isText || isMore(cell)) cells.set(`${row},${column}`, cellOf(cell, isText));
    }
  // The library writes no formats of whole columns, so empty cells carry them.
  for (let row = rows.length; row < rows.length + emptyRows; row++)
    for (const [column, { isText }] of columns.entries())
      if (isText) cells.set(`${row},${column}`, { value: null, type: 'empty', style: { numFmt: TEXT_FORMAT } });
  return {
    name,
    rows: rows.map((line) => line.map(({ text }) => (text === '' ? null : text))),
    cells,
    columns: columns.map(({ width }) => ({ width })),
    freezePane: { rows: frozenRows },
    dataValidations: columns.flatMap(({ choices = [] }, at) => (choices.length === 0 ? [] : [dropDown(choices, at)])),
  };
}

/** Whether a cell has more than its text, so that the library needs to be told more of it. */
function isMore({ look, note, link }: NewCell): boolean {
  return look !== undefined || note !== undefined || link !== undefined;
}

function cellOf({ text, look, note, link }: NewCell, isText: boolean): Partial<Cell> {
  return {
    value: text === '' ? null : text,
    type: text === '' ? 'empty' : 'string',
    style: { ...(isText && { numFmt: TEXT_FORMAT }), ...(look && LOOKS[look]) },
    ...(note !== undefined && { comment: { author: 'payrun', text: note } }),
    ...(link !== undefined && { hyperlink: { target: '', location: link } }),
  };
}

function dropDown(values: readonly string[], column: number) {
  const letter = colToLetter(column);
  return {
    type: 'list' as const,
    values: [...values],
    allowBlank: true,
    showErrorMessage: true,
    errorTitle: 'Not in the list',
    errorMessage: 'Choose one of the list.',
    range: `${letter}2:${letter}${LAST_ROW}`,
  };
}

function solid(rgb: string) {
  return { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb } };
}
