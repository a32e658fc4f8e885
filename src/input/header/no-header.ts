import { fault, problemAt } from '../../domain/problem.ts';
import { cellName, columnLetters } from '../../platform/xlsx/cell-names.ts';
import { type Candidate, type ColumnMapper, isCurrency, isNumberLike, type NumberedRow } from './candidates.ts';
import { columnsOf, type Header, indexOf } from './columns.ts';
import { isCommentLine } from './comment-line.ts';
import { isComplete, readHeader } from './header.ts';

const LETTERS = /^\s*[A-Z]{1,3}\s*$/;

/**
 * The header of a table that has none, whose columns a person names by their letters, so that its first row is a payout.
 * Null where letters do not name all that a payout needs, and where a row is the header all the same: `known`, if there is
 * no amount in it, or else the row over the first amount. A row that may be either is an error.
 */
export function headerByLetters(
  rows: readonly NumberedRow[],
  mapper: ColumnMapper,
  known: Candidate | null,
): { header: Header } | { headerRow: NumberedRow } | null {
  const table = rows.filter(({ cells }) => !isCommentLine(cells));
  const [first] = table;
  if (first === undefined) return null;
  const { columns: explicit, currency } = mapper(first.cells);
  const byLetters = explicit.filter(({ header }) => header.split(/[+|]/).every((part) => LETTERS.test(part)));
  if (byLetters.length === 0) return null;
  const width = Math.max(...table.map(({ cells }) => cells.length));
  const letters = Array.from({ length: width }, (_, at) => columnLetters(at));
  const { columns } = columnsOf(letters, byLetters);
  const at = indexOf(columns);
  if (!isComplete(columns, currency) || at.amount === -1) return null;
  const hasAmount = ({ cells }: NumberedRow) => isNumberLike(cells[at.amount] ?? '');
  if (known !== null && !hasAmount(known)) return null;
  const firstPayout = table.findIndex(hasAmount);
  const above = table[firstPayout - 1];
  const isHeader = ({ cells }: NumberedRow) =>
    columns.every((column, place) => column === null || isHeaderText(cells[place] ?? ''));
  if (firstPayout > 0 && above !== undefined && isHeader(above)) return { headerRow: above };
  const row = first.row - 1;
  const below = table.map(({ cells }) => cells);
  const read = readHeader(letters, row, { columns: byLetters, currency, below });
  // There is no row of headers in which they could be shown.
  const problems = read.problems.map((problem) => ({ ...problem, row: first.row, cell: null }));
  const header = { ...read, problems, isByLetters: true };
  if (firstPayout === 0) return { header };
  const place = { row: first.row, column: 'amount', cell: cellName(at.amount, first.row) };
  const undecided = problemAt('error', fault('header_undecided'), { ...place, value: first.cells[at.amount] ?? null });
  return { header: { ...header, problems: [undecided], firstError: undecided } };
}

/** Words, and nothing that a payout has: no figure, and no code of a currency. */
function isHeaderText(text: string): boolean {
  return /^\P{N}*\p{L}\P{N}*$/u.test(text) && !isCurrency(text.trim());
}
