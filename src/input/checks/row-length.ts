import { fault } from '../../domain/problem.ts';
import type { Beside, RowCells } from '../cells/row-cells.ts';
import type { ColumnName } from '../header/synonyms.ts';

/** Columns that decide who gets how much and where. A row without the cells of any of these may have lost one in its middle. */
const DECIDING_COLUMNS: ReadonlySet<ColumnName> = new Set<ColumnName>([
  'name',
  'amount',
  'currency',
  'rail',
  'account_number',
  'national_clearing_code',
  'bic',
  'account_type',
  'account_name',
  'wallet_address',
  'chain',
  'payee_id',
  'source_currency',
  'recipient_id',
  'external_account_id',
]);

/**
 * Makes a row as long as the header where that is safe: sheets leave out empty cells at the end of a row, and programs
 * that write text leave out delimiters there or write more than there are headers.
 */
export function fitLength(cells: string[], columns: readonly (ColumnName | null)[], isSheet: boolean): void {
  const isSafe =
    cells.length > columns.length
      ? cells.every((cell, at) => at < columns.length || cell.trim() === '')
      : columns.every((column, at) => at < cells.length || column === null || !DECIDING_COLUMNS.has(column));
  // `besideTable` reports what stands beside the table of a sheet, under no header.
  if (!isSheet && !isSafe) return;
  while (cells.length < columns.length) cells.push('');
  cells.length = columns.length;
}

/** Warns of the columns that a row of text leaves out at its end, by their headers. */
export function noteLeftOut(cells: RowCells, leftOut: readonly string[]): void {
  const headers = leftOut.map((header) => header.trim()).filter((header) => header !== '');
  if (headers.length === 0) return;
  cells.warn(null, fault('row_cells_left_out', { headers }));
}

/**
 * The first cell to the right of a sheet's table, or null. Right beside the last column it may be the end of a row whose
 * cells stand too far to the right, as they do where a text with a comma too many was opened; behind an empty column it
 * is a note, unless the sheet is the copy of a text file.
 */
export function besideTable(cells: readonly string[], width: number, isCopyOfText: boolean): Beside | null {
  for (let column = width; column < cells.length; column++) {
    const text = cells[column] ?? '';
    if (text.trim() === '') continue;
    return column === width || isCopyOfText
      ? { column, text, severity: 'error', fault: fault('row_too_many_cells', { cells: null, headers: null }) }
      : { column, text, severity: 'warning', fault: fault('cells_beside_table') };
  }
  return null;
}

/** No sheet of payouts has so many: exports of large payroll programs have some hundreds. */
export const COLUMNS_MAX = 1_000;

/** Whether a row reaches beyond them. Empty cells at its end are no columns. */
export function isTooWide(cells: readonly string[]): boolean {
  return cells.length > COLUMNS_MAX && !isBlank(cells.slice(COLUMNS_MAX));
}

/** Blank rows and rows of empty cells are what people leave between blocks; they are counted and skipped. */
export function isBlank(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell.trim() !== '') return false;
  return true;
}
