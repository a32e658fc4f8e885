import { fiat, isCrypto } from '../../domain/currencies.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import {
  type ColumnIndex,
  columnOf,
  columnsOf,
  type GivenCurrency,
  type GivenHeader,
  type Header,
  indexOf,
  isLetters,
} from './columns.ts';
import { firstErrorOf, isComplete, likelyHeaders, readHeader } from './header.ts';
import type { ColumnName } from './synonyms.ts';

/** The header is one of so many first rows: spreadsheet programs show about as many at once. */
export const HEADER_ROWS = 20;

/** A row that is not blank, numbered as a spreadsheet program numbers it. */
export type NumberedRow = { row: number; cells: string[] };

/** What is given beside a row's cells, were it the header. */
export type ColumnMapper = (cells: readonly string[]) => GivenHeader;

/** A row that may be the header. `known` is how many of our columns it names. */
type Candidate = NumberedRow & {
  known: number;
  isComplete: boolean;
  columns: (ColumnName | null)[];
  given: GivenHeader;
};

/** So many columns of ours in a row above the header make it a second header, and not a line of a title. */
const SECOND_HEADER_COLUMNS = 3;

/** Name, amount, currency, and where to. */
const PAYOUT_CELLS_MIN = 4;

/** Of a row with one column of ours only, so many cells must be filled to be a header and not a line of a title. */
const POOR_HEADER_CELLS_MIN = 3;

/** So many columns misspelt at once are a header: no title and no payout has them. */
const MISSPELT_MIN = 3;

/** Cells of the likeliest row that are shown where none is a header. */
const HEADERS_SHOWN = 4;

const NOTHING_GIVEN: GivenHeader = { columns: [], currency: null };

/**
 * Finds the header among the first rows of a table that are not blank, and reads it. It is the first row that has all that
 * a payout needs; else the one with the most columns that we know. Rows above it are titles, which is a warning;
 * where a row above looks like a payout or like another header, it is unclear what is to be paid, which is an error.
 * Null where there is no row.
 */
export function findHeader(rows: readonly NumberedRow[], mapper: ColumnMapper = () => NOTHING_GIVEN): Header | null {
  const candidates = candidatesOf(rows, mapper);
  const known = bestOf(candidates);
  if (known === null) return null;
  const best = isNoHeader(known, rows[0]) ? (misspeltHeader(candidates) ?? known) : known;
  const below = rows.filter(({ row }) => row > best.row).map(({ cells }) => cells);
  const header = readHeader(best.cells, best.row, { ...best.given, below });
  const problems =
    best === known && isNoHeader(best, rows[0])
      ? [notFound(header)]
      : [...problemsAround(best, candidates), ...header.problems];
  return { ...header, problems, firstError: firstErrorOf(problems) };
}

function candidatesOf(rows: readonly NumberedRow[], mapper: ColumnMapper): Candidate[] {
  let above: GivenCurrency | null = null;
  return rows
    .filter(({ row }) => row <= HEADER_ROWS || row === rows[0]?.row)
    .map(({ row, cells }) => {
      const { columns: explicit, currency } = mapper(cells);
      // What this file says counts before what was given with an earlier one.
      const isEarlier = currency === null || currency.source === 'remembered';
      const given = { columns: explicit, currency: isEarlier ? (above ?? currency) : currency };
      above ??= labelledCurrency(cells);
      // Letters fit every row, and show none to be the header.
      const { columns } = columnsOf(
        cells,
        explicit.filter(({ header }) => !isLetters(header, cells)),
      );
      const known = new Set(columns.filter((column) => column !== null)).size;
      return { row, cells, given, columns, known, isComplete: isComplete(columns, given.currency) };
    });
}

/** The currency of a line above the header such as `Currency: | AUD`. */
function labelledCurrency(cells: readonly string[]): GivenCurrency | null {
  const [label = '', code = '', other] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (other !== undefined || columnOf(label) !== 'currency' || !isCurrency(code)) return null;
  return { code: code.toUpperCase(), source: 'file' };
}

function bestOf(candidates: readonly Candidate[]): Candidate | null {
  const complete = candidates.find((candidate) => candidate.isComplete);
  if (complete !== undefined) return complete;
  let best: Candidate | null = null;
  for (const candidate of candidates) if (best === null || candidate.known > best.known) best = candidate;
  return best;
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
function problemsAround(best: Candidate, candidates: readonly Candidate[]): Problem[] {
  const before = candidates.filter(({ row }) => row < best.row);
  const index = indexOf(best.columns);
  const problems: Problem[] = [];
  const second =
    before.find(({ known }) => best.isComplete && known >= SECOND_HEADER_COLUMNS) ??
    candidates.find((other) => other.isComplete && other.row > best.row && !hasSameCells(other, best));
  if (second !== undefined) problems.push(twoHeaders(best, second));
  const payouts = before.filter((other) => other !== second && looksLikePayout(other.cells, best.cells, index));
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

function isCurrency(text: string): boolean {
  const code = text.toUpperCase();
  return fiat(code) !== null || isCrypto(code);
}

/** Labels and figures in turn. */
function isLabelled(filled: readonly string[]): boolean {
  return filled.length % 2 === 0 && filled.every((cell, at) => (at % 2 === 0 ? hasLetter(cell) : /\d/.test(cell)));
}

function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** Digits with what may stand in and beside an amount; no date. */
function isNumberLike(text: string): boolean {
  if (!/\d/.test(text) || /\p{L}{4}/u.test(text)) return false;
  return !/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(text.trim());
}

function notFound({ row, cells }: Header): Problem {
  const headers = cells.filter((cell) => cell.trim() !== '').slice(0, HEADERS_SHOWN);
  return problemAt('error', fault('header_not_found', { rows: HEADER_ROWS, likeliest: row, headers }), { row });
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
