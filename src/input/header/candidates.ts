import { fiat, isCrypto } from '../../domain/currencies.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { type ColumnIndex, columnOf, columnsOf, type GivenHeader, indexOf, isLetters } from './columns.ts';
import { isCommentLine } from './comment-line.ts';
import { isComplete } from './header.ts';
import type { ColumnName } from './synonyms.ts';

/** The header is one of so many first rows: spreadsheet programs show about as many at once. */
export const HEADER_ROWS = 20;

/** A row that is not blank, numbered as a spreadsheet program numbers it. */
export type NumberedRow = { row: number; cells: string[] };

/** What is given beside a row's cells, were it the header. */
export type ColumnMapper = (cells: readonly string[]) => GivenHeader;

/** A row that may be the header. `known` is how many of our columns it names. */
export type Candidate = NumberedRow & {
  known: number;
  isComplete: boolean;
  columns: (ColumnName | null)[];
  given: GivenHeader;
  isComment: boolean;
  /** What is given and a line above it contradict each other about the currency; null where they do not. */
  conflict: Problem | null;
};

type CurrencyLine = { row: number; code: string };

/**
 * The first rows as headers. A line above one that names a currency is what its rows are in, unless that is given. A row
 * with an amount under the amount of a complete header is a payout: what its cells mean as headers is not looked for, which
 * takes the words of all languages.
 */
export function candidatesOf(rows: readonly NumberedRow[], mapper: ColumnMapper): Candidate[] {
  const above: CurrencyLine[] = [];
  let amountAt = -1;
  return rows
    .filter(({ row }) => row <= HEADER_ROWS || row === rows[0]?.row)
    .map((row) => {
      if (isNumberLike(row.cells[amountAt] ?? '')) return payoutRow(row);
      const candidate = candidateOf(row, mapper(row.cells), above);
      if (candidate.isComplete && amountAt === -1) amountAt = candidate.columns.indexOf('amount');
      const code = labelledCurrency(row.cells);
      if (code !== null) above.push({ row: row.row, code });
      return candidate;
    });
}

function payoutRow({ row, cells }: NumberedRow): Candidate {
  const given = { columns: [], currency: null };
  return {
    row,
    cells,
    given,
    columns: cells.map(() => null),
    known: 0,
    isComplete: false,
    isComment: false,
    conflict: null,
  };
}

/** `above`: the lines above the row that name a currency. */
export function candidateOf(
  { row, cells }: NumberedRow,
  { columns: explicit, currency }: GivenHeader,
  above: readonly CurrencyLine[],
): Candidate {
  const [line] = above;
  // What this file says counts before what was given with an earlier one.
  const isEarlier = currency === null || currency.source === 'remembered';
  const ofFile = line === undefined ? null : ({ code: line.code, source: 'file' } as const);
  const given = { columns: explicit, currency: isEarlier ? (ofFile ?? currency) : currency };
  const isComment = isCommentLine(cells);
  // Letters fit every row, and show none to be the header.
  const shown = explicit.filter(({ header }) => !isLetters(header, cells));
  const columns = isComment ? cells.map(() => null) : columnsOf(cells, shown).columns;
  const known = new Set(columns.filter((column) => column !== null)).size;
  const conflict = currencyConflict(given.currency, above);
  return { row, cells, given, columns, known, isComplete: isComplete(columns, given.currency), isComment, conflict };
}

function currencyConflict(given: GivenHeader['currency'], above: readonly CurrencyLine[]): Problem | null {
  const [line] = above;
  if (line === undefined || given === null) return null;
  const other = above.find(({ code }) => code !== line.code);
  if (other === undefined && given.code === line.code) return null;
  const found =
    other === undefined
      ? { row: line.row, code: line.code, other: given.code, source: given.source, otherRow: null }
      : { row: other.row, code: other.code, other: line.code, source: 'file' as const, otherRow: line.row };
  const { row, ...params } = found;
  return problemAt('error', fault('given_currencies_differ', params), { row, value: found.code });
}

/** The currency of a line above the header such as `Currency: | AUD` or `Currency: AUD`. */
function labelledCurrency(cells: readonly string[]): string | null {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const [label = '', code = '', other] = filled.length === 1 ? (filled[0]?.split(/\s*[:=]\s*/) ?? []) : filled;
  return other === undefined && columnOf(label) === 'currency' && isCurrency(code) ? code.toUpperCase() : null;
}

export function isCurrency(text: string): boolean {
  const code = text.toUpperCase();
  return fiat(code) !== null || isCrypto(code);
}

/** Digits with what may stand in and beside an amount; no date. */
export function isNumberLike(text: string): boolean {
  if (!/\d/.test(text) || /\p{L}{4}/u.test(text)) return false;
  return !/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(text.trim());
}

/** So many rows under a header show whether they fit it. */
const FITTING_ROWS = 5;

/** Whether the rows under a candidate are those of its columns: one has an amount where its header is. */
export function fits(candidate: Candidate, rows: readonly NumberedRow[]): boolean {
  const index: ColumnIndex = indexOf(candidate.columns);
  const below = rows.filter(({ row }) => row > candidate.row).slice(0, FITTING_ROWS);
  if (index.amount !== -1) return below.some(({ cells }) => isNumberLike(cells[index.amount] ?? ''));
  const places = [...candidate.columns.keys()].filter((at) => candidate.columns[at] !== null);
  return below.some(({ cells }) => places.filter((at) => (cells[at] ?? '').trim() !== '').length > 1);
}
