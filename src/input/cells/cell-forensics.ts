import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import type { Header } from '../header/columns.ts';
import type { ColumnName } from '../header/synonyms.ts';
import type { Table } from '../source/table.ts';
import { type CellFacts, isIdentifier, type RowFacts } from './cell-facts.ts';
import type { RowCells } from './row-cells.ts';

/** Spreadsheet programs keep 15 digits of a number. One that has so many may have had more. */
const DIGITS_MAX = 15;

/** Columns of free text, in which a date or a TRUE is odd and no mistake on its own. */
const TEXT_COLUMNS: ReadonlySet<ColumnName> = new Set<ColumnName>(['reference', 'description']);

/** A payout that is struck through is so in one of these at least. */
const PAYING_COLUMNS: readonly ColumnName[] = ['name', 'amount'];

/**
 * Notes what the texts of a workbook's cells do not show: numbers where digits are names, dates and errors where text
 * belongs, formulas without a result, rows that are hidden or struck through.
 */
export function examineCells(cells: RowCells, columns: readonly ColumnName[]): void {
  if (cells.isHidden) cells.error(null, fault('row_hidden'));
  warnOfStruck(cells);
  for (const column of columns) {
    if (cells.isCovered(column)) cells.condemn(column, fault('cell_covered'));
    const facts = cells.facts(column);
    if (facts !== null) examineCell(cells, column, facts);
  }
}

function warnOfStruck(cells: RowCells): void {
  for (const column of PAYING_COLUMNS)
    if (cells.isStruck(column)) {
      cells.warn(column, fault('row_struck_through'));
      return;
    }
}

function examineCell(cells: RowCells, column: ColumnName, { kind, shown }: CellFacts): void {
  switch (kind) {
    case 'number': {
      const digits = wholeDigits(cells.text(column));
      if (isIdentifier(column) && digits >= DIGITS_MAX)
        cells.condemn(column, fault('identifier_digits_lost', { digits }));
      else if (column === 'amount' && digits > DIGITS_MAX)
        cells.condemn(column, fault('amount_digits_lost', { digits }));
      break;
    }
    case 'date': {
      const text = cells.text(column);
      const date = { shown: shown === text ? null : shown, isAmount: column === 'amount' };
      if (TEXT_COLUMNS.has(column)) cells.warn(column, fault('cell_is_date', { ...date, readAs: text }));
      else cells.condemn(column, fault('cell_is_date', { ...date, readAs: null }));
      break;
    }
    case 'boolean':
      if (!TEXT_COLUMNS.has(column)) cells.condemn(column, fault('cell_is_boolean'));
      break;
    case 'error':
      cells.condemn(column, fault('cell_error'));
      break;
    case 'formula_without_value':
      cells.warn(column, fault('formula_without_value', { isTotal: false }));
  }
}

/** The digits before the decimal point, zeros in front left out. Short texts, which nearly all are, are not counted. */
function wholeDigits(text: string): number {
  if (text.length < DIGITS_MAX) return 0;
  const [whole = ''] = text.split('.');
  return whole.replace(/\D/g, '').replace(/^0+/, '').length;
}

/** Columns that feed payouts and are hidden, or whose headers are covered. */
export function hiddenColumnProblems(
  header: Header,
  { sheet, hiddenColumns }: Table,
  rows: readonly { row: number; facts: RowFacts | null }[],
): Problem[] {
  const covered = rows.find(({ row }) => row === header.row)?.facts?.covered ?? [];
  const row = header.isByLetters ? header.row + 1 : header.row;
  return header.columns.flatMap((column, at): Problem[] => {
    if (column === null) return [];
    const place = { sheet, row, column, cell: cellName(at, row), value: header.cells[at] ?? null };
    const found: Problem[] = [];
    if (covered.includes(at)) found.push(problemAt('error', fault('header_covered'), place));
    if (hiddenColumns.has(at)) found.push(problemAt('warning', fault('column_hidden'), place));
    return found;
  });
}

/** Whether any cell has a formula without a result: such a row is not blank. */
export function hasUnknownResult(cells: readonly (CellFacts | undefined)[] | null | undefined): boolean {
  return cells?.some((facts) => facts?.kind === 'formula_without_value') === true;
}
