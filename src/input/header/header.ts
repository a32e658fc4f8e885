import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import {
  ACCOUNT_COLUMNS,
  columnsOf,
  currenciesInHeader,
  type GivenCurrency,
  type GivenHeader,
  type Header,
  indexOf,
  isOneWordName,
  type MappedColumn,
  meaningOf,
  placesOf,
  requiredColumns,
} from './columns.ts';
import { headerIdentity, headerKey } from './header-key.ts';
import { type NearMiss, nearMisses } from './near-miss.ts';
import { paidCurrencies, proposedCurrency } from './proposed-currency.ts';
import { settleByCells } from './shown-columns.ts';
import type { ColumnName } from './synonyms.ts';
import { partKeys, synonymsOf, taxKeys } from './vocabulary.ts';

/**
 * Reads the header record. A missing required column and two headers for one column are a problem each; a header that is
 * nearly that of a column is one too, because what is under it would be ignored. What is `explicit` goes before what
 * headers mean by themselves. `below` are the first rows under it, which may show the currency.
 */
export function readHeader(
  cells: string[],
  row: number,
  { columns: explicit = [], currency = null, below = [] }: Partial<GivenHeader & { below: readonly string[][] }> = {},
): Header {
  const { columns, joined, mapped } = columnsOf(cells, explicit);
  const settled = settleByCells({ row, cells, columns, joined }, below, (at) => !mapped.has(at));
  const index = indexOf(columns);
  const place = { cells, row, columns, index };
  const likely = likelyHeaders(place, explicit);
  const missing = requiredColumns(index, currency)
    .filter((column) => index[column] === -1)
    .map((column) => (column === 'rail' ? railOrDistinctive(likely) : column));
  const problems: Problem[] = [];
  for (const [at, column] of columns.entries())
    if (column !== null && index[column] !== at && joined.get(column)?.places.includes(at) !== true)
      problems.push(twiceProblem(place, column, at));
  const other = otherAmount(place, (at) => !mapped.has(at));
  if (other !== -1) problems.push(twiceProblem(place, 'amount', other));
  problems.push(...missing.map((column) => missingProblem(place, column, likely, below)));
  problems.push(...absentProblems(place, explicit), ...settled);
  problems.push(...nearMissProblems(place, likely, missing), ...namePartProblems(place), ...taxProblems(place));
  const mapping = explicit.filter(({ header }) => placesOf(header, cells).length > 0);
  return {
    row,
    cells,
    columns,
    index,
    joined,
    problems,
    firstError: firstErrorOf(problems),
    mapping,
    currency,
    isByLetters: false,
  };
}

/** Where an amount in another currency than the column of amounts is (`Tutar TL`, `Tutar USD (net)`), or -1. */
function otherAmount({ cells, columns, index }: HeaderRow, isFree: (at: number) => boolean): number {
  const codes = index.amount === -1 || !isFree(index.amount) ? [] : currenciesInHeader(cells[index.amount] ?? '');
  if (codes.length === 0) return -1;
  return cells.findIndex((cell, at) => {
    if (columns[at] !== null || !isFree(at)) return false;
    const others = currenciesInHeader(cell);
    const isOther = others.length > 0 && !others.some((code) => codes.includes(code));
    return isOther && meaningOf(`${cell.replace(/[([{（].*$/u, '')} ${others[0]}`) === 'amount';
  });
}

/** Without a rail, what is missing may be the misspelt column from which it would follow. */
function railOrDistinctive(likely: readonly LikelyHeader[]): ColumnName {
  const isLikely = (column: ColumnName) => likely.some((miss) => miss.column === column);
  return ACCOUNT_COLUMNS.find((column) => !isLikely('rail') && isLikely(column)) ?? 'rail';
}

/** Whether the columns are all that a payout needs. */
export function isComplete(columns: readonly (ColumnName | null)[], currency: GivenCurrency | null): boolean {
  const index = indexOf(columns);
  return requiredColumns(index, currency).every((column) => index[column] !== -1);
}

/** Why no row can be paid, or null where the problems are warnings. */
export function firstErrorOf(problems: readonly Problem[]): Header['firstError'] {
  return problems.find(({ severity }) => severity === 'error') ?? null;
}

/** A header row whose problems are still to be found. */
export type HeaderRow = Pick<Header, 'row' | 'cells' | 'columns' | 'index'>;

/** A header that may mean a column which the file has not. */
export type LikelyHeader = NearMiss & { at: number; header: string };

/** Of more headers that we do not know, the rest is not compared with our words: a sheet may have thousands. */
const HEADERS_COMPARED = 64;

/** Which headers, of those that name no column, may mean one that the file has not. */
export function likelyHeaders({ cells, columns, index }: HeaderRow, explicit: readonly MappedColumn[]): LikelyHeader[] {
  const ignored = new Set(explicit.map(({ header }) => headerIdentity(header)));
  const unknown = [...cells.entries()].filter(
    ([at, cell]) => columns[at] === null && cell.trim() !== '' && !ignored.has(headerIdentity(cell)),
  );
  return unknown.slice(0, HEADERS_COMPARED).flatMap(([at, cell]) =>
    nearMisses(cell)
      .filter(({ column }) => index[column] === -1)
      .map((miss) => ({ ...miss, at, header: cell.trim() })),
  );
}

export function twiceProblem({ cells, row, index }: HeaderRow, column: ColumnName, at: number): Problem {
  const header = cells[at]?.trim() ?? '';
  const first = index[column];
  const isSameHeader = headerIdentity(header) === headerIdentity(cells[first] ?? '');
  const both = [cellName(first, row), cellName(at, row)] as const;
  const params = { column, cells: both, first: cells[first]?.trim() ?? '', header, isSameHeader };
  return problemAt('error', fault('column_twice', params), { ...atHeader(row, at), column, value: cells[at] ?? null });
}

/** A required column is missing: with the header that may be it, where there is one. */
export function missingProblem(
  header: HeaderRow,
  column: ColumnName,
  likely: readonly LikelyHeader[],
  below: readonly string[][],
): Problem {
  const { row } = header;
  const [meant, other] = [...likely.filter((miss) => miss.column === column), ...companyAsName(header, column)];
  if (meant === undefined) {
    const currency = column === 'currency' && { proposed: proposedCurrency(header, below), paid: paidCurrencies() };
    const params = { column, ...insteadOf(header, column), ...currency };
    return problemAt('error', fault('column_missing', params), { row, column });
  }
  const like = {
    header: meant.header,
    isUnsure: meant.likeness === 'unsure',
    other: other === undefined ? null : { header: other.header, cell: cellName(other.at, row) },
  };
  const place = { ...atHeader(row, meant.at), column, value: meant.header };
  const problem = problemAt('error', fault('column_missing', { column, like }), place);
  return other === undefined && meant.likeness === 'misspelt' ? { ...problem, suggestion: column } : problem;
}

/** A column of companies may be that of the payees, or of the one who pays. */
function companyAsName({ cells, index }: HeaderRow, column: ColumnName): LikelyHeader[] {
  const at = column === 'name' ? index.entity_name : -1;
  return at === -1 ? [] : [{ column, likeness: 'unsure', at, header: cells[at]?.trim() ?? '' }];
}

/** What the file has in place of a column, or what else the column is called. */
function insteadOf({ cells, columns }: HeaderRow, column: ColumnName) {
  const parts = cells.filter((cell, at) => columns[at] === null && partKeys().has(headerKey(cell)));
  if (column === 'name' && parts.length > 0) return { parts };
  return { synonyms: synonymsOf(column).slice(0, 3), ...(column === 'rail' && { instead: ACCOUNT_COLUMNS }) };
}

/** Explicit columns whose headers are not there. To ignore what is not there does no harm. */
export function absentProblems({ cells, row }: HeaderRow, explicit: readonly MappedColumn[]): Problem[] {
  return explicit
    .filter(({ header, source }) => source !== 'remembered' && placesOf(header, cells).length === 0)
    .map(({ header, column, source }) => {
      const absent = fault('mapped_header_absent', { header, column, row, isOfJob: source === 'job' });
      return problemAt(column === null ? 'warning' : 'error', absent, { row, column, value: header });
    });
}

/** Headers that may mean an optional column. A required one that is missing is an error of its own. */
export function nearMissProblems(
  { row }: HeaderRow,
  likely: readonly LikelyHeader[],
  missing: readonly ColumnName[],
): Problem[] {
  const optional = likely.filter(({ column, likeness }) => {
    const isWorthAsking = likeness !== 'unsure' || column === 'account_number';
    return isWorthAsking && !missing.includes(column);
  });
  return optional.map((miss) => {
    const { at, header, column, likeness } = miss;
    const near = fault('column_near_miss', { header, column, isUnsure: likeness === 'unsure' });
    const problem = problemAt('warning', near, { ...atHeader(row, at), column, value: header });
    return isOnlyOne(miss, optional) && likeness === 'misspelt' ? { ...problem, suggestion: column } : problem;
  });
}

/** Beside a column for first or last names, the column of names may hold the other part only. */
export function namePartProblems(header: HeaderRow): Problem[] {
  return isOneWordName(header.cells[header.index.name] ?? '')
    ? besideProblems(header, 'name', partKeys, 'name_in_parts')
    : [];
}

/** Beside a column for a tax, the column of amounts may hold the sums without it, or may not. */
export function taxProblems(header: HeaderRow): Problem[] {
  return besideProblems(header, 'amount', taxKeys, 'amount_beside_tax');
}

/** A warning about a column that is there, where a header with one of these keys names no column. */
function besideProblems(
  { cells, row, columns, index }: HeaderRow,
  column: ColumnName,
  keys: () => ReadonlySet<string>,
  code: 'name_in_parts' | 'amount_beside_tax',
): Problem[] {
  const at = cells.findIndex((cell, at) => columns[at] === null && keys().has(headerKey(cell)));
  if (at === -1 || index[column] === -1) return [];
  const header = cells[index[column]] ?? '';
  const beside = { header: cells[at] ?? '', cell: cellName(at, row) };
  const place = { ...atHeader(row, index[column]), column, value: header };
  return [problemAt('warning', fault(code, { header, beside }), place)];
}

function isOnlyOne(miss: LikelyHeader, among: readonly LikelyHeader[]): boolean {
  return among.every((other) => other === miss || (other.column !== miss.column && other.at !== miss.at));
}

function atHeader(row: number, at: number): Pick<Problem, 'row' | 'cell'> {
  return { row, cell: cellName(at, row) };
}
