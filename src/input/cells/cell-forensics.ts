import type { Problem } from '../../domain/problem.ts';
import { cellName, type Header } from '../header/columns.ts';
import type { ColumnName } from '../header/synonyms.ts';
import type { Table } from '../source/table.ts';
import { CELL_ERROR, type CellFacts, type Fault, isIdentifier, type RowFacts } from './cell-facts.ts';
import type { RowCells } from './row-cells.ts';

/** Spreadsheet programs keep 15 digits of a number. One that has so many may have had more. */
const DIGITS_MAX = 15;

/** Columns of free text, in which a date or a TRUE is odd and no mistake by itself. */
const TEXT_COLUMNS: ReadonlySet<ColumnName> = new Set<ColumnName>(['reference', 'description']);

/** Whoever strikes a payout through does so to one of these at least. */
const PAYING_COLUMNS: readonly ColumnName[] = ['name', 'amount'];

const COVERED: Fault = {
  code: 'cell_covered',
  message: 'The cell is merged with another one that covers it, so nobody sees what it holds, and that would be paid.',
  remedy: 'Unmerge the cells; then look whether each has the value that it should have.',
};

/**
 * Notes what a workbook says of a row's cells that their texts do not tell: numbers where digits are names, dates and
 * errors where text belongs, formulas without a result, rows that nobody sees or
 * that are struck through.
 */
export function examineCells(cells: RowCells, columns: readonly ColumnName[]): void {
  if (cells.isHidden)
    cells.error(null, {
      code: 'row_hidden',
      message: 'The row is hidden, by hand or by a filter, so whoever looks at the sheet does not see it.',
      remedy: 'Unhide it (clear the filter), or delete it if it is not to be paid.',
    });
  const struck = PAYING_COLUMNS.find((column) => cells.isStruck(column));
  if (struck !== undefined)
    cells.warn(struck, {
      code: 'row_struck_through',
      message: 'The row is struck through, as people do with what is not to be paid, and is paid all the same.',
      remedy: 'Delete the row if it is not to be paid; else remove the strikethrough.',
    });
  for (const column of columns) {
    if (cells.isCovered(column)) cells.condemn(column, COVERED);
    const facts = cells.facts(column);
    if (facts !== null) examineCell(cells, column, facts);
  }
}

function examineCell(cells: RowCells, column: ColumnName, facts: CellFacts): void {
  switch (facts.kind) {
    case 'number':
      examineNumber(cells, column);
      break;
    case 'date':
      examineDate(cells, column, facts.shown);
      break;
    case 'boolean':
      if (TEXT_COLUMNS.has(column)) break;
      cells.condemn(column, {
        code: 'cell_is_boolean',
        message: 'The cell holds a yes or no, which means nothing here.',
        remedy: 'Write the value that belongs there.',
      });
      break;
    case 'error':
      cells.condemn(column, CELL_ERROR);
      break;
    case 'formula_without_value':
      cells.warn(column, {
        code: 'formula_without_value',
        message: 'The cell has a formula, and the file does not hold its result, so the cell is read as empty.',
        remedy: 'Open the file in your spreadsheet program, save it there, and check it again.',
      });
  }
}

function examineNumber(cells: RowCells, column: ColumnName): void {
  const digits = wholeDigits(cells.text(column));
  if (isIdentifier(column) && digits >= DIGITS_MAX)
    cells.condemn(column, {
      code: 'identifier_digits_lost',
      message: `The cell holds a number of ${digits} digits. Spreadsheets keep 15 of a number, so the others are lost, even where a check digit fits.`,
      remedy: 'Format the column as text, then type it again from its source.',
    });
  else if (column === 'amount' && digits > DIGITS_MAX)
    cells.condemn(column, {
      code: 'amount_digits_lost',
      message: `The amount has ${digits} digits. Spreadsheets keep 15 of a number, so the others are lost.`,
      remedy: 'Format the cell as text and write the amount again.',
    });
}

function examineDate(cells: RowCells, column: ColumnName, shown: string | null): void {
  const as = shown === null || shown === cells.text(column) ? '' : `, shown as ${shown}`;
  if (TEXT_COLUMNS.has(column))
    cells.warn(column, {
      code: 'cell_is_date',
      message: `The cell holds a date${as}; it is read as ${cells.text(column)}.`,
      remedy: 'If that is not what you mean, format the cell as text and write it again.',
    });
  else
    cells.condemn(column, {
      code: 'cell_is_date',
      message: `The cell holds a date${as}: a spreadsheet may have taken what was typed for one.`,
      remedy: `Format the column as ${column === 'amount' ? 'a number' : 'text'}, then write the value again from its source.`,
    });
}

/** The digits before the decimal point, zeros in front left out. Short texts, which nearly all are, are not counted. */
function wholeDigits(text: string): number {
  if (text.length < DIGITS_MAX) return 0;
  const [whole = ''] = text.split('.');
  return whole.replace(/\D/g, '').replace(/^0+/, '').length;
}

/** Columns that feed payouts and that whoever looks at the sheet does not see, or whose headers are not seen. */
export function hiddenColumnProblems(
  header: Header,
  { sheet, hiddenColumns }: Table,
  rows: readonly { row: number; facts: RowFacts | null }[],
): Problem[] {
  const covered = rows.find(({ row }) => row === header.row)?.facts?.covered ?? [];
  return header.columns.flatMap((column, at): Problem[] => {
    if (column === null) return [];
    const place = { sheet, row: header.row, column, cell: cellName(at, header.row), value: header.cells[at] ?? null };
    const found: Problem[] = [];
    if (covered.includes(at)) found.push({ severity: 'error', ...place, ...HEADER_COVERED });
    if (hiddenColumns.has(at)) found.push({ severity: 'warning', ...place, ...COLUMN_HIDDEN });
    return found;
  });
}

const COLUMN_HIDDEN: Fault = {
  code: 'column_hidden',
  message: 'The column is hidden and is read all the same, so what is paid is not what the sheet shows.',
  remedy: 'Unhide the column and look through it, or delete it.',
};

const HEADER_COVERED: Fault = {
  code: 'header_covered',
  message: 'The header is merged with another one that covers it, so nobody sees what its column is read as.',
  remedy: 'Unmerge the headers; then look whether each is right for its column.',
};

/** Whether the workbook says of any cell that it has a formula without a result: such a row is not blank. */
export function hasUnknownResult(cells: readonly (CellFacts | undefined)[] | null | undefined): boolean {
  return cells?.some((facts) => facts?.kind === 'formula_without_value') === true;
}
