import { fiat, isCrypto } from '../../domain/currencies.ts';
import type { Problem } from '../../domain/problem.ts';
import { type ColumnIndex, columnsOf, type Header, indexOf, type MappedColumn } from './columns.ts';
import { firstErrorOf, isComplete, readHeader } from './header.ts';
import { likelyHeaders, problemAt, shown } from './header-problems.ts';
import type { ColumnName } from './synonyms.ts';

/** The header is one of so many first rows: spreadsheet programs show about as many at once. */
export const HEADER_ROWS = 20;

/** A row that is not blank, numbered as a spreadsheet program numbers it. */
export type NumberedRow = { row: number; cells: string[] };

/** What a person says that a row's cells mean, were it the header. */
export type Sayings = (cells: readonly string[]) => readonly MappedColumn[];

/** A row that may be the header. `known` is how many of our columns it names. */
type Candidate = NumberedRow & {
  known: number;
  isComplete: boolean;
  columns: (ColumnName | null)[];
  said: readonly MappedColumn[];
};

/** So many columns of ours in a row above the header make it a second header, and not a line of a title. */
const SECOND_HEADER_COLUMNS = 3;

/** Name, amount, currency, and where to. */
const PAYOUT_CELLS_MIN = 4;

/** Of a row with one column of ours only, so many cells must be filled to be a header and not a line of a title. */
const POOR_HEADER_CELLS_MIN = 3;

/** So many columns misspelt at once are a header: no title and no payout has them. */
const MISSPELT_MIN = 3;

const NOTHING_SAID: Sayings = () => [];

/**
 * Finds the header among the first rows of a table that are not blank, and reads it. It is the first row that has all that
 * a payout needs; else the one with the most columns that we know. What stands above it are titles, and a warning says so;
 * where a row above looks like a payout or like another header, nobody can tell what is to be paid, and that is an error.
 * Null where there is no row.
 */
export function findHeader(rows: readonly NumberedRow[], sayings: Sayings = NOTHING_SAID): Header | null {
  const candidates = candidatesOf(rows, sayings);
  const known = bestOf(candidates);
  if (known === null) return null;
  const best = isNoHeader(known, rows[0]) ? (misspeltHeader(candidates) ?? known) : known;
  const header = readHeader(best.cells, best.row, best.said);
  const problems =
    best === known && isNoHeader(best, rows[0])
      ? [notFound(header)]
      : [...problemsAround(best, candidates), ...header.problems];
  return { ...header, problems, firstError: firstErrorOf(problems) };
}

function candidatesOf(rows: readonly NumberedRow[], sayings: Sayings): Candidate[] {
  return rows
    .filter(({ row }) => row <= HEADER_ROWS || row === rows[0]?.row)
    .map(({ row, cells }) => {
      const said = sayings(cells);
      const columns = columnsOf(cells, said);
      const known = new Set(columns.filter((column) => column !== null)).size;
      return { row, cells, said, columns, known, isComplete: isComplete(columns) };
    });
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

function misspeltColumns({ row, cells, columns, said }: Candidate): Set<ColumnName> {
  const likely = likelyHeaders({ row, cells, columns, index: indexOf(columns) }, said);
  return new Set(likely.filter(({ likeness }) => likeness === 'misspelt').map(({ column }) => column));
}

function isNoHeader({ row, cells, known }: Candidate, first: NumberedRow | undefined): boolean {
  if (known !== 1) return known === 0;
  return row !== first?.row || cells.filter((cell) => cell.trim() !== '').length < POOR_HEADER_CELLS_MIN;
}

/** What is to be said of the other rows among the first ones. */
function problemsAround(best: Candidate, candidates: readonly Candidate[]): Problem[] {
  const above = candidates.filter(({ row }) => row < best.row);
  const index = indexOf(best.columns);
  const problems: Problem[] = [];
  const second =
    above.find(({ known }) => best.isComplete && known >= SECOND_HEADER_COLUMNS) ??
    candidates.find((other) => other.isComplete && other.row > best.row && !hasSameCells(other, best));
  if (second !== undefined) problems.push(twoHeaders(best, second));
  const payouts = above.filter((other) => other !== second && looksLikePayout(other.cells, best.cells, index));
  if (payouts.length > 0) problems.push(payoutsAbove(best, payouts));
  const titles = above.filter((other) => other !== second && !payouts.includes(other));
  if (titles.length > 0) problems.push(titlesAbove(best, titles));
  return problems;
}

function hasSameCells(a: NumberedRow, b: NumberedRow): boolean {
  return a.cells.length === b.cells.length && a.cells.every((cell, at) => cell === b.cells[at]);
}

/**
 * Whether a row above the header could be a payout: a name and a currency stand where the header says, or as many cells
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

function notFound(best: Header): Problem {
  const cells = best.cells.filter((cell) => cell.trim() !== '').slice(0, 4);
  return {
    ...problemAt(best.row, null),
    code: 'header_not_found',
    message: `None of the first ${HEADER_ROWS} rows is a header: none has the columns name, amount, currency and so on, or what else they are called. The likeliest, row ${best.row}, begins with ${cells.map(shown).join(', ')}.`,
    remedy: { code: 'name_or_map_headers' },
  };
}

function twoHeaders(best: Candidate, second: Candidate): Problem {
  const [first, other] = [best.row, second.row].sort((a, b) => a - b);
  return {
    ...problemAt(best.row, null),
    code: 'header_ambiguous',
    message: `Rows ${first} and ${other} both look like the header, so it is not clear which rows are payouts.`,
    remedy: 'Leave one header and the payouts under it in the sheet, and remove the other rows.',
  };
}

function payoutsAbove(best: Candidate, rows: readonly Candidate[]): Problem {
  const first = rows[0]?.row ?? best.row;
  return {
    ...problemAt(first, null),
    code: 'payout_above_header',
    message: `${rowsText(rows)} above the header in row ${best.row} and ${rows.length === 1 ? 'looks' : 'look'} like a payout; nothing above the header is paid.`,
    remedy: `Move it under the header if it is a payout, or remove it.`,
  };
}

function titlesAbove(best: Candidate, rows: readonly Candidate[]): Problem {
  const first = rows[0];
  return {
    ...problemAt(first?.row ?? best.row, null),
    severity: 'warning',
    code: 'rows_above_header',
    value: first?.cells.find((cell) => cell.trim() !== '')?.trim() ?? null,
    message: `The header is row ${best.row}; ${rowsText(rows)} above it and ${rows.length === 1 ? 'is' : 'are'} taken for ${rows.length === 1 ? 'a title' : 'titles'}, not for ${rows.length === 1 ? 'a payout' : 'payouts'}.`,
    remedy: 'Nothing is to be done if that is so.',
  };
}

/** `row 2 stands`, `rows 1 to 3 stand`. */
function rowsText(rows: readonly NumberedRow[]): string {
  const [first, last] = [rows[0]?.row, rows.at(-1)?.row];
  return rows.length === 1 ? `row ${first} stands` : `rows ${first} to ${last} stand`;
}
