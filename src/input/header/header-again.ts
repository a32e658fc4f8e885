import { fault } from '../../domain/problem.ts';
import type { RowCells } from '../cells/row-cells.ts';
import type { Header } from './columns.ts';

/** Printed lists have their header on each page: that is noted, and the row is no payout. */
export function isHeaderAgain(row: RowCells, { cells: headers, index }: Header, cells: readonly string[]): boolean {
  if (cells[index.amount] !== headers[index.amount] || !headers.every((header, at) => cells[at] === header))
    return false;
  row.warn(null, fault('header_repeated'));
  return true;
}

/**
 * Whether the row right under the header says more of its columns, such as `(AUD)` of the amount, and is no payout: it
 * names no payee and has no digit.
 */
export function isSecondHeader({ row: headerRow, index }: Header, row: number, cells: readonly string[]): boolean {
  if (row !== headerRow + 1) return false;
  const isFilled = (at: number) => (cells[at] ?? '').trim() !== '';
  const saysMore = isFilled(index.amount) || isFilled(index.account_number);
  return saysMore && !isFilled(index.name) && !cells.some((cell) => /\d/.test(cell));
}
