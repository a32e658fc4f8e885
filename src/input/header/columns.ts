import type { Fault, Problem } from '../../domain/problem.ts';
import { headerIdentity, headerKey, keysOf } from './header-key.ts';
import { COLUMN_NAMES, type ColumnName, synonymsOf } from './synonyms.ts';

/** What a person maps a header to: a column, or null for one that is to be ignored. */
export type ExplicitColumn = { header: string; column: ColumnName | null };

/** The mapping of a header of this file, and its source: this command, the job, or an earlier command. */
export type MappedColumn = ExplicitColumn & { source: 'option' | 'job' | 'remembered' };

/** Where each column is (0 is A), or -1. */
export type ColumnIndex = Readonly<Record<ColumnName, number>>;

/** The header of an input, understood. */
export type Header = {
  row: number;
  cells: string[];
  /** For each cell the column it feeds, or null where it is only carried to the report. */
  columns: (ColumnName | null)[];
  index: ColumnIndex;
  problems: Problem[];
  /** Why no row under it can be paid, or null. */
  firstError: Fault | null;
  /** The explicit mappings that apply to its cells. */
  mapping: MappedColumn[];
};

const BY_KEY: ReadonlyMap<string, ColumnName> = new Map(
  COLUMN_NAMES.flatMap((column) =>
    [column, ...synonymsOf(column)].flatMap((word) => keysOf(word).map((key) => [key, column] as const)),
  ),
);

/** The column that a header names, or null for one that we do not know. */
export function columnOf(header: string): ColumnName | null {
  return BY_KEY.get(headerKey(header)) ?? null;
}

/**
 * The columns without which there is no payout. A row may name an account that exists at the service instead of a rail, or
 * give the fields from which its rail follows.
 */
export function requiredColumns(index: ColumnIndex): ColumnName[] {
  const required: ColumnName[] = ['name', 'amount', 'currency'];
  if (ACCOUNT_COLUMNS.every((column) => index[column] === -1)) required.push('rail');
  return required;
}

/** Columns with one of which the rail need not be named. */
export const ACCOUNT_COLUMNS: readonly ColumnName[] = ['account_number', 'wallet_address', 'external_account_id'];

/** Where each column is; the first of several. */
export function indexOf(columns: readonly (ColumnName | null)[]): ColumnIndex {
  const index = Object.fromEntries(COLUMN_NAMES.map((column) => [column, -1])) as Record<ColumnName, number>;
  for (const [at, column] of columns.entries()) if (column !== null && index[column] === -1) index[column] = at;
  return index;
}

/** The columns that a row's cells name. Explicit mappings go first. */
export function columnsOf(cells: readonly string[], explicit: readonly ExplicitColumn[]): (ColumnName | null)[] {
  if (explicit.length === 0) return cells.map(columnOf);
  const byHeader = new Map(explicit.map(({ header, column }) => [headerIdentity(header), column]));
  return cells.map((cell) => {
    const column = byHeader.get(headerIdentity(cell));
    return column === undefined ? columnOf(cell) : column;
  });
}
