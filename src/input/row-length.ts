import type { ColumnName } from './synonyms.ts';

/** What says who gets how much and where. A row without the cells of any of these may have lost one in its middle. */
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
  // What stands beside the table of a sheet, under no header, is none of it.
  if (!isSheet && !isSafe) return;
  while (cells.length < columns.length) cells.push('');
  cells.length = columns.length;
}

/** Blank rows and rows of empty cells are what people leave between blocks; they are counted and skipped. */
export function isBlank(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell.trim() !== '') return false;
  return true;
}
