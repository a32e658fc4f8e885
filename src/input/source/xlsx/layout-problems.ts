import { fault, type Problem, problemAt } from '../../../domain/problem.ts';
import { cellName } from '../../../platform/xlsx/cell-names.ts';
import type { CellRange } from './cell-range.ts';
import type { SheetOutline } from './workbook.ts';

/** So many merged ranges of a sheet are told one by one. */
const MERGES_TOLD = 100;

/** Why no sheet was chosen. */
export function sheetChoiceProblem(kind: 'ambiguous' | 'only_hidden', sheets: readonly string[]): Problem {
  return problemAt('error', fault(kind === 'ambiguous' ? 'sheet_ambiguous' : 'sheet_hidden', { sheets }));
}

/** That other sheets look like payouts too, and are not read. */
export function otherSheetsProblem(chosen: string, sheets: readonly string[]): Problem[] {
  return sheets.length === 0 ? [] : [problemAt('warning', fault('other_sheets', { sheets }), { sheet: chosen })];
}

/**
 * What a sheet's layout hides. Of merged cells only the first shows; titles above the header may be merged. Rows that are
 * hidden by default: Excel shows those with cells all the same, and other programs need not.
 */
export function layoutProblems(sheet: SheetOutline, headerRow: number | null): Problem[] {
  if (headerRow === null) return [];
  const found: Problem[] = sheet.hidesRows
    ? [problemAt('warning', fault('rows_hidden_by_default'), { sheet: sheet.name, row: headerRow })]
    : [];
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

function mergeProblem(sheet: string, merge: CellRange, isHeader: boolean): Problem {
  const row = merge.firstRow + 1;
  const first = cellName(merge.firstColumn, row);
  const range = `${first}:${cellName(merge.lastColumn, merge.lastRow + 1)}`;
  const merged = isHeader ? fault('header_merged', { range }) : fault('cells_merged', { range, first });
  return problemAt('warning', merged, { sheet, row, cell: first });
}
