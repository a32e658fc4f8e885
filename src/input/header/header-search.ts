import { maskIdentifier } from '../../domain/mask.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import {
  type Candidate,
  type ColumnMapper,
  candidatesOf,
  fits,
  HEADER_ROWS,
  isCurrency,
  isNumberLike,
  type NumberedRow,
} from './candidates.ts';
import { type ColumnIndex, type GivenHeader, type Header, indexOf } from './columns.ts';
import { isCommentLine, uncommented } from './comment-line.ts';
import { firstErrorOf, likelyHeaders, readHeader } from './header.ts';
import { headerByLetters } from './no-header.ts';
import type { ColumnName } from './synonyms.ts';
import { twoLineHeader } from './two-line-header.ts';
import { looksLikeAccount } from './value-kinds.ts';

export type { ColumnMapper, NumberedRow };
export { HEADER_ROWS };

/** So many columns of ours in a row above the header make it a second header, and not a line of a title. */
const SECOND_HEADER_COLUMNS = 3;

/** Name, amount, currency, and where to. */
const PAYOUT_CELLS_MIN = 4;

/** Of a row with one column of ours only, so many cells must be filled to be a header and not a line of a title. */
const POOR_HEADER_CELLS_MIN = 3;

/** So many columns misspelt at once are a header: no title and no payout has them. */
const MISSPELT_MIN = 3;

/** Cells of the likeliest row that are shown where none is a header. */
const HEADERS_SHOWN = 6;

/** So many columns of ours, or more, show a row to be the header that the rows under it fit. */
const FITTING_COLUMNS_MIN = 2;

const NOTHING_GIVEN: GivenHeader = { columns: [], currency: null };

/**
 * Finds the header among the first rows of a table that are not blank, and reads it. It is the first row that has all that
 * a payout needs; else the one with the most columns that we know. Rows above it are titles, which is a warning;
 * where a row above looks like a payout or like another header, it is unclear what is to be paid, which is an error.
 * Null where there is no row.
 */
export function findHeader(rows: readonly NumberedRow[], mapper: ColumnMapper = () => NOTHING_GIVEN): Header | null {
  let candidates = candidatesOf(rows, mapper);
  let known = bestOf(candidates, rows);
  if (known === null) return null;
  let isUnknown = isNoHeader(known, rows[0]);
  if (isUnknown && rows.some(({ cells }) => isCommentLine(cells))) {
    const read = rows.map(({ row, cells }) => ({ row, cells: uncommented(cells) }));
    const others = candidatesOf(read, mapper);
    const other = bestOf(others, read);
    if (other?.isComplete === true) [candidates, known, isUnknown] = [others, other, false];
  }
  const byLetters = headerByLetters(rows, mapper, isUnknown || known.known < FITTING_COLUMNS_MIN ? null : known);
  if (byLetters !== null && 'header' in byLetters) return byLetters.header;
  const above = byLetters === null ? null : candidates.find(({ row }) => row === byLetters.headerRow.row);
  const likely = above ?? (isUnknown ? misspeltHeader(candidates) : known);
  const two = twoLineHeader(likely ?? known, candidates, mapper);
  const best = two?.candidate ?? likely ?? known;
  const below = rows.filter(({ row, cells }) => row > best.row && !isCommentLine(cells)).map(({ cells }) => cells);
  const header = readHeader(best.cells, best.row, { ...best.given, below });
  const others = candidates.filter((other) => other !== two?.top && other.row !== best.row);
  const isFound = two !== null || likely !== null;
  const problems = isFound
    ? [...problemsAround(best, others, two?.top.row ?? best.row), ...conflictOf(best), ...header.problems]
    : [notFound(header)];
  return { ...header, problems, firstError: firstErrorOf(problems) };
}

function conflictOf({ conflict }: Candidate): Problem[] {
  return conflict === null ? [] : [conflict];
}

/** The first that is complete, or else the one with the most columns, among those that the rows under them fit, if any. */
function bestOf(candidates: readonly Candidate[], rows: readonly NumberedRow[]): Candidate | null {
  const fitting = candidates.filter((candidate) => candidate.known >= FITTING_COLUMNS_MIN && fits(candidate, rows));
  const complete = fitting.find(isWhole) ?? candidates.find(isWhole);
  if (complete !== undefined) return complete;
  let best: Candidate | null = null;
  for (const candidate of fitting.length > 0 ? fitting : candidates)
    if (best === null || candidate.known > best.known) best = candidate;
  return best;
}

function isWhole(candidate: Candidate): boolean {
  return candidate.isComplete;
}

/** The row with the most headers that are a slip from our words, where there are enough of them to be a header. */
function misspeltHeader(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  let most = MISSPELT_MIN - 1;
  for (const candidate of candidates) {
    const meant = misspeltColumns(candidate).size;
    if (meant > most) [best, most] = [candidate, meant];
  }
  return best;
}

function misspeltColumns({ row, cells, columns, given }: Candidate): Set<ColumnName> {
  const likely = likelyHeaders({ row, cells, columns, index: indexOf(columns) }, given.columns);
  return new Set(likely.filter(({ likeness }) => likeness === 'misspelt').map(({ column }) => column));
}

function isNoHeader({ row, cells, known }: Candidate, first: NumberedRow | undefined): boolean {
  if (known !== 1) return known === 0;
  return row !== first?.row || cells.filter((cell) => cell.trim() !== '').length < POOR_HEADER_CELLS_MIN;
}

/** The problems of the other rows among the first ones. */
function problemsAround(best: Candidate, candidates: readonly Candidate[], firstRow: number): Problem[] {
  const before = candidates.filter(({ row }) => row < best.row);
  const index = indexOf(best.columns);
  const problems: Problem[] = firstRow === best.row ? [] : [twoLines(best, firstRow)];
  const second =
    before.find(({ known }) => best.isComplete && known >= SECOND_HEADER_COLUMNS) ??
    candidates.find((other) => other.isComplete && other.row > best.row && !hasSameCells(other, best));
  if (second !== undefined) problems.push(twoHeaders(best, second));
  const payouts = before.filter(
    (other) => other !== second && !other.isComment && looksLikePayout(other.cells, best.cells, index),
  );
  if (payouts.length > 0) problems.push(payoutsAbove(best, payouts));
  const titles = before.filter((other) => other !== second && !payouts.includes(other));
  if (titles.length > 0) problems.push(titlesAbove(best, titles));
  return problems;
}

function hasSameCells(a: NumberedRow, b: NumberedRow): boolean {
  return a.cells.length === b.cells.length && a.cells.every((cell, at) => cell === b.cells[at]);
}

/**
 * Whether a row above the header could be a payout: a name and a currency stand in their columns, or as many cells
 * are filled as the header has, with an amount among them. `Employees: | 45 | Total: | 1,234.50` is a title.
 */
function looksLikePayout(cells: readonly string[], header: readonly string[], index: ColumnIndex): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (filled.length < PAYOUT_CELLS_MIN) return false;
  const of = (column: ColumnName) => cells[index[column]]?.trim() ?? '';
  if (hasLetter(of('name')) && isCurrency(of('currency')) && of('amount') !== '') return true;
  const width = header.filter((cell) => cell.trim() !== '').length;
  return filled.length >= width - 1 && filled.some(isNumberLike) && filled.some(hasLetter) && !isLabelled(filled);
}

/** Labels and figures in turn. */
function isLabelled(filled: readonly string[]): boolean {
  return filled.length % 2 === 0 && filled.every((cell, at) => (at % 2 === 0 ? hasLetter(cell) : /\d/.test(cell)));
}

function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text);
}

function notFound({ row, cells }: Header): Problem {
  const filled = [...cells.entries()].filter(([, cell]) => cell.trim() !== '').slice(0, HEADERS_SHOWN);
  // Without a header these are the cells of a payout.
  const shown = (cell: string) => (looksLikeAccount(cell.trim()) ? maskIdentifier(cell) : cell);
  const headers = filled.map(([at, cell]) => ({ header: shown(cell), cell: cellName(at, row) }));
  return problemAt('error', fault('header_not_found', { rows: HEADER_ROWS, likeliest: row, headers }), { row });
}

/** The groups over the headers are a part of these. */
function twoLines({ row }: Candidate, firstRow: number): Problem {
  return problemAt('warning', fault('header_of_two_rows', { rows: [firstRow, row] }), { row: firstRow });
}

function twoHeaders({ row }: Candidate, second: Candidate): Problem {
  const rows = [Math.min(row, second.row), Math.max(row, second.row)] as const;
  return problemAt('error', fault('header_ambiguous', { rows }), { row });
}

/** The first and the last of some rows above the header. */
function above(best: Candidate, rows: readonly Candidate[]): { header: number; first: number; last: number } {
  return { header: best.row, first: rows[0]?.row ?? best.row, last: rows.at(-1)?.row ?? best.row };
}

function payoutsAbove(best: Candidate, rows: readonly Candidate[]): Problem {
  const params = above(best, rows);
  return problemAt('error', fault('payout_above_header', params), { row: params.first });
}

function titlesAbove(best: Candidate, rows: readonly Candidate[]): Problem {
  const params = above(best, rows);
  const value = rows[0]?.cells.find((cell) => cell.trim() !== '')?.trim() ?? null;
  return problemAt('warning', fault('rows_above_header', params), { row: params.first, value });
}
