import { fault, type Problem, problemAt } from '../../../domain/problem.ts';
import { cellName } from '../../../platform/xlsx/cell-names.ts';
import { type ColumnMapper, findHeader, type NumberedRow } from '../../header/header-search.ts';
import type { ColumnName } from '../../header/synonyms.ts';
import type { CellRange } from './cell-range.ts';
import type { SheetOutline } from './workbook.ts';

/** What the first rows of a sheet show: where its header seems to be, and how much it looks like payouts. */
export type SheetLook = {
  /** From 1; null where there is no row. */
  headerRow: number | null;
  /** How many of our columns the header has. */
  columns: number;
  /** Whether it has what a payout needs: a name, an amount, and where or in what it is paid. */
  isPayouts: boolean;
};

/** The look of a sheet by its first rows that are not blank. */
export function lookAtRows(rows: readonly NumberedRow[], mapper: ColumnMapper): SheetLook {
  const header = findHeader(rows, mapper);
  const columns = new Set(header?.columns.filter((column) => column !== null));
  return { headerRow: header?.row ?? null, columns: columns.size, isPayouts: hasPayouts(columns) };
}

function hasPayouts(columns: ReadonlySet<ColumnName>): boolean {
  const where: ColumnName[] = ['account_number', 'wallet_address', 'external_account_id', 'currency', 'rail'];
  return columns.has('name') && columns.has('amount') && where.some((column) => columns.has(column));
}

export type Candidate = { name: string; isHidden: boolean; look: SheetLook; isEmpty: boolean };

export type SheetChoice =
  | { kind: 'chosen'; index: number; others: string[] }
  | { kind: 'ambiguous'; names: string[] }
  | { kind: 'only_hidden'; names: string[] }
  | { kind: 'unknown'; names: string[] }
  | { kind: 'none' };

/**
 * Which sheet is read: the one that is asked for; else the visible one with payouts, if there is only one; else, where no
 * sheet has any, the visible one with the most of our columns, so that its problems can be shown. A hidden sheet is never
 * paid unless it is asked for. `others` are the other sheets with payouts.
 */
export function chooseSheet(candidates: readonly Candidate[], wanted: string | null): SheetChoice {
  const names = candidates.map(({ name }) => name);
  const withPayouts = names.filter((_, at) => candidates[at]?.look.isPayouts);
  const choose = (index: number): SheetChoice => ({
    kind: 'chosen',
    index,
    others: withPayouts.filter((name) => name !== names[index]),
  });
  if (wanted !== null) {
    const index = indexOfName(names, wanted);
    return index === -1 ? { kind: 'unknown', names } : choose(index);
  }
  const visible = [...candidates.keys()].filter((at) => candidates[at]?.isHidden === false);
  const payouts = visible.filter((at) => candidates[at]?.look.isPayouts);
  const [only] = payouts;
  if (only !== undefined && payouts.length === 1) return choose(only);
  if (payouts.length > 1) return { kind: 'ambiguous', names: payouts.map((at) => names[at] ?? '') };
  if (withPayouts.length > 0) return { kind: 'only_hidden', names: withPayouts };
  const columns = (at: number) => candidates[at]?.look.columns ?? 0;
  const [best] = visible.filter((at) => !candidates[at]?.isEmpty).sort((a, b) => columns(b) - columns(a) || a - b);
  return best === undefined ? { kind: 'none' } : choose(best);
}

/** By the exact name; else without regard to case and blanks around, where that is one sheet only. */
function indexOfName(names: readonly string[], wanted: string): number {
  const exact = names.indexOf(wanted);
  if (exact !== -1) return exact;
  const plain = (name: string) => name.trim().toLowerCase();
  const alike = [...names.keys()].filter((at) => plain(names[at] ?? '') === plain(wanted));
  return alike.length === 1 ? (alike[0] ?? -1) : -1;
}

/** So many merged ranges of a sheet get a problem each. */
const MERGES_SHOWN = 100;

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
    ? [problemAt('error', fault('rows_hidden_by_default'), { sheet: sheet.name, row: headerRow })]
    : [];
  for (const merge of sheet.merges) {
    if (found.length === MERGES_SHOWN) break;
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
