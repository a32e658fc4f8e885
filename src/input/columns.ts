import type { Problem } from '../domain/problem.ts';
import { COLUMN_NAMES, type ColumnName, SYNONYMS } from './synonyms.ts';

/** The header of an input, understood. */
export type Header = {
  row: number;
  cells: string[];
  /** For each cell the column it feeds, or null where it is only carried to the report. */
  columns: (ColumnName | null)[];
  /** Where each column is, or -1. */
  index: Readonly<Record<ColumnName, number>>;
  problems: Problem[];
};

const BY_KEY: ReadonlyMap<string, ColumnName> = new Map(
  COLUMN_NAMES.flatMap((column) => [column, ...SYNONYMS[column]].map((word) => [headerKey(word), column] as const)),
);

/** The column that a header names, or null for one that we do not know. */
export function columnOf(header: string): ColumnName | null {
  return BY_KEY.get(headerKey(header)) ?? null;
}

/** Reads the header record. A missing required column and two headers for one column are a problem each. */
export function readHeader(cells: string[], row: number): Header {
  const index = Object.fromEntries(COLUMN_NAMES.map((column) => [column, -1])) as Record<ColumnName, number>;
  const columns = cells.map(columnOf);
  const problems: Problem[] = [];
  for (const [at, column] of columns.entries()) {
    if (column === null) continue;
    if (index[column] === -1) index[column] = at;
    else problems.push(twiceProblem(cells, row, column, index[column], at));
  }
  const missing = requiredColumns(index).filter((column) => index[column] === -1);
  for (const column of missing)
    problems.push(
      missingProblem(
        column,
        row,
        columns.every((known) => known === null),
      ),
    );
  return { row, cells, columns, index, problems };
}

/** `F17` of a column index (0 is A) and a row. */
export function cellName(columnIndex: number, row: number): string {
  let letters = '';
  for (let rest = columnIndex + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters + row;
}

/** A row may name an account that exists at the service instead of a rail, or give the fields that tell its rail. */
function requiredColumns(index: Readonly<Record<ColumnName, number>>): ColumnName[] {
  const required: ColumnName[] = ['name', 'amount', 'currency'];
  const telling: ColumnName[] = ['external_account_id', 'account_number', 'wallet_address'];
  if (telling.every((column) => index[column] === -1)) required.push('rail');
  return required;
}

function headerKey(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function missingProblem(column: ColumnName, row: number, isNothingKnown: boolean): Problem {
  const words = SYNONYMS[column].slice(0, 3).join(', ');
  return {
    severity: 'error',
    code: 'column_missing',
    sheet: null,
    row,
    column,
    cell: null,
    value: null,
    message: isNothingKnown
      ? `There is no column ${column}, and no header that payrun knows: is the first row the header?`
      : `There is no column ${column}.`,
    remedy: `Add a column with the header ${column}${words === '' ? '' : ` (or ${words})`}.`,
  };
}

function twiceProblem(cells: string[], row: number, column: ColumnName, firstAt: number, at: number): Problem {
  return {
    severity: 'error',
    code: 'column_twice',
    sheet: null,
    row,
    column,
    cell: cellName(at, row),
    value: cells[at] ?? null,
    message: `The headers in ${cellName(firstAt, row)} and ${cellName(at, row)} both name the column ${column}.`,
    remedy: 'Put the values into one of the two columns and remove or rename the other.',
  };
}
