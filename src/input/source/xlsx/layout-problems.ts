import type { Problem } from '../../../domain/problem.ts';
import { cellName } from '../../header/columns.ts';
import type { CellRange } from './cell-range.ts';
import type { SheetOutline } from './workbook.ts';

/** So many merged ranges of a sheet are told one by one. */
const MERGES_TOLD = 100;

const OF_FILE = { sheet: null, row: null, column: null, cell: null, value: null } as const;

/** Why no sheet was chosen. */
export function sheetChoiceProblem(kind: 'ambiguous' | 'only_hidden', names: readonly string[]): Problem {
  const list = quoted(names);
  return {
    ...OF_FILE,
    severity: 'error',
    code: kind === 'ambiguous' ? 'sheet_ambiguous' : 'sheet_hidden',
    message:
      kind === 'ambiguous'
        ? `${names.length} sheets look like payouts: ${list}.`
        : `The payouts seem to be on a hidden sheet: ${list}.`,
    remedy: { code: 'choose_sheet', sheets: [...names] },
  };
}

/** That other sheets look like payouts too, and are not read. */
export function otherSheetsProblem(chosen: string, others: readonly string[]): Problem[] {
  if (others.length === 0) return [];
  return [
    {
      ...OF_FILE,
      severity: 'warning',
      code: 'other_sheets',
      sheet: chosen,
      message: `Only this sheet is read, and ${quoted(others)} ${others.length === 1 ? 'looks' : 'look'} like payouts too.`,
      remedy: { code: 'read_each_sheet', sheets: [...others] },
    },
  ];
}

/**
 * What a sheet's layout hides. Of merged cells only the first shows; titles above the header may be merged. Rows that are
 * hidden by default: Excel shows those with cells all the same, and other programs need not.
 */
export function layoutProblems(sheet: SheetOutline, headerRow: number | null): Problem[] {
  if (headerRow === null) return [];
  const found: Problem[] = sheet.hidesRows ? [rowsHidden(sheet.name, headerRow)] : [];
  for (const merge of sheet.merges) {
    if (found.length === MERGES_TOLD) break;
    if (merge.lastRow + 1 < headerRow) continue;
    const isHeader = merge.firstRow + 1 <= headerRow;
    const isWide = merge.lastColumn > merge.firstColumn;
    // A header of two rows is merged downwards, and reads as it should.
    if (isHeader && !isWide) continue;
    found.push(mergeProblem(sheet.name, merge, isHeader));
  }
  return found;
}

function rowsHidden(sheet: string, row: number): Problem {
  return {
    ...OF_FILE,
    severity: 'warning',
    code: 'rows_hidden_by_default',
    sheet,
    row,
    message:
      'The sheet hides every row that does not say otherwise, so not every program shows the rows that are paid.',
    remedy: 'Nothing needs to be done if you see every row that is to be paid; else select all rows and unhide them.',
  };
}

function mergeProblem(sheet: string, merge: CellRange, isHeader: boolean): Problem {
  const row = merge.firstRow + 1;
  const first = cellName(merge.firstColumn, row);
  const range = `${first}:${cellName(merge.lastColumn, merge.lastRow + 1)}`;
  const place = { severity: 'warning' as const, sheet, row, column: null, cell: first, value: null };
  if (isHeader)
    return {
      ...place,
      code: 'header_merged',
      message: `The header cells ${range} are merged, so they name the first of their columns only.`,
      remedy: 'Unmerge them and give each column its own header.',
    };
  return {
    ...place,
    code: 'cells_merged',
    message: `The cells ${range} are merged: only ${first} shows what it holds.`,
    remedy: 'Unmerge them and write the value into each cell that needs it.',
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
