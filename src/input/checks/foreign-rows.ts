import { fault } from '../../domain/problem.ts';
import type { RowCells } from '../cells/row-cells.ts';
import type { Header } from '../header/columns.ts';
import { isCommentLine } from '../header/comment-line.ts';

/** What the column payee_id of a template's example rows holds. No payee has such a number. */
export const EXAMPLE_PAYEE_ID = 'EXAMPLE - not paid';

/** What the names of a template's example rows begin with; the name of the rail follows. */
export const EXAMPLE_NAME = 'Example payee by ';

const CAPITAL_E = 69;

/**
 * Whether the row is one of a template's examples, which is never paid and no payout. Only a row with both marks is
 * passed over. With one of them it may be a payee who was written over an example, or an example whose marks were
 * removed: that is an error, so that no payee is forgotten and no example is paid.
 */
export function isExampleRow(cells: RowCells): boolean {
  const payeeId = cells.text('payee_id');
  const name = cells.text('name');
  if (payeeId.charCodeAt(0) !== CAPITAL_E && name.charCodeAt(0) !== CAPITAL_E) return false;
  const hasId = payeeId === EXAMPLE_PAYEE_ID;
  const hasName = name.startsWith(EXAMPLE_NAME);
  if (hasId && hasName) cells.warn('payee_id', fault('example_row'));
  else if (hasId) cells.error('payee_id', fault('example_row_changed', { isName: false }));
  else if (hasName) cells.error('name', fault('example_row_changed', { isName: true }));
  return hasId && hasName;
}

/** Printed lists have their header on each page: that is noted, and the row is no payout. */
export function isHeaderAgain(row: RowCells, { cells: headers, index }: Header, cells: readonly string[]): boolean {
  if (cells[index.amount] !== headers[index.amount] || !headers.every((header, at) => cells[at] === header))
    return false;
  row.warn(null, fault('header_repeated'));
  return true;
}

/**
 * Whether the row right under the header describes its columns further, such as `(AUD)` for the amount: it names no payee
 * and has no digit.
 */
export function isSecondHeader({ row: headerRow, index }: Header, row: number, cells: readonly string[]): boolean {
  if (row !== headerRow + 1) return false;
  const isFilled = (at: number) => (cells[at] ?? '').trim() !== '';
  const saysMore = isFilled(index.amount) || isFilled(index.account_number);
  return saysMore && !isFilled(index.name) && !cells.some((cell) => /\d/.test(cell));
}

/** Whether the row is a comment: such a row is no payout. */
export function isComment({ index }: Header, cells: readonly string[]): boolean {
  return isCommentLine(cells) && (cells[index.amount] ?? '').trim() === '';
}

/** Whether the row may be a payout that somebody put out of use, or one whose name begins with `#`. */
export function mayBeComment({ index }: Header, cells: readonly string[]): boolean {
  return index.name === 0 && isCommentLine(cells);
}
