import { fiat, isCrypto } from '../../domain/currencies.ts';
import { type Fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { HeaderCell } from '../../domain/problems/input-problems.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { amountTextOf } from '../cells/amounts/amount.ts';
import { ACCOUNT_COLUMNS, type Header, type MappedColumn, placesOf } from '../header/columns.ts';
import { headerIdentity, headerKey } from '../header/header-key.ts';
import type { NumberedRow } from '../header/header-search.ts';
import type { ColumnName } from '../header/synonyms.ts';
import type { HeaderKeys } from './words/header-keys.ts';

/** What a list is, and where the header is that shows it best; null where none does. */
export type Kind = { what: Fault; at: number | null };

/** A row as a header, and the first rows under it. */
export class TableSample {
  readonly row: number;
  readonly headers: readonly string[];
  /** The rows under it that are not blank. */
  readonly rows: readonly (readonly string[])[];
  readonly #keys: readonly (readonly [string, string])[];

  constructor({ row, cells }: NumberedRow, first: readonly NumberedRow[], keys?: TableSample) {
    this.row = row;
    this.headers = cells;
    this.rows = first.filter((below) => below.row > row).map((below) => below.cells);
    this.#keys = keys === undefined ? cells.map((cell) => [headerKey(cell), bareKey(cell)]) : keys.#keys;
  }

  /** The same header over one row, that of a row further down. */
  over(cells: readonly string[]): TableSample {
    const below = { row: this.row + 1, cells: [...cells] };
    return new TableSample({ row: this.row, cells: [...this.headers] }, [below], this);
  }

  /** Where the first header is that is one of these words, or -1. */
  find(words: HeaderKeys): number {
    return this.#keys.findIndex((keys) => keys.some((key) => words.has(key)));
  }

  /** Where all of them are. */
  all(words: HeaderKeys): number[] {
    return [...this.#keys.keys()].filter((at) => this.is(at, words));
  }

  is(at: number, words: HeaderKeys): boolean {
    return this.#keys[at]?.some((key) => words.has(key)) === true;
  }

  cell(row: readonly string[], at: number): string {
    return row[at]?.trim() ?? '';
  }

  /** What stands under a header, without empty cells. */
  filled(at: number): string[] {
    return this.rows.map((row) => this.cell(row, at)).filter((cell) => cell !== '');
  }

  /** Whether something stands under the header and all of it passes. */
  every(at: number, passes: (cell: string) => boolean): boolean {
    const filled = this.filled(at);
    return filled.length > 0 && filled.every(passes);
  }

  header(at: number): HeaderCell {
    return { header: this.headers[at]?.trim() ?? '', cell: cellName(at, this.row) };
  }
}

/** The header without what is in brackets and without a currency at its end: `Umsatz in EUR`, `#Saldo (zł)`. */
function bareKey(header: string): string {
  const words = header
    .replace(/[([{].*?[)\]}]/gu, ' ')
    .split(/[\s:.,_]+/u)
    .filter((word) => word !== '' && word !== '#');
  while (words.length > 1 && isOfCurrency(words.at(-1) ?? '')) words.pop();
  return headerKey(words.join(' ').replace(/^#/, ''));
}

function isOfCurrency(word: string): boolean {
  const code = word.toUpperCase();
  return fiat(code) !== null || isCrypto(code) || /^(?:\p{Sc}|in|en|em|w|euros?|kč|zł)$/iu.test(word);
}

/** Where the columns are that a person, the job or memory maps, by header or by letters (0 is A). */
export function mappedPlaces(
  { cells, mapping }: Header,
  isMeant: (column: MappedColumn['column']) => boolean,
): Set<number> {
  const meant = mapping.filter(({ column }) => isMeant(column));
  const headers = new Set(meant.map(({ header }) => headerIdentity(header)));
  const equal = [...cells.keys()].filter((at) => headers.has(headerIdentity(cells[at] ?? '')));
  return new Set([...equal, ...meant.flatMap(({ header }) => placesOf(header, cells))]);
}

/** The columns that have no meaning, and that nobody ignores. */
export function freeColumns(header: Header): number[] {
  const ignored = mappedPlaces(header, (column) => column === null);
  return [...header.cells.keys()].filter((at) => header.columns[at] === null && !ignored.has(at));
}

/** An error at the header of a column. */
export function problemAtHeader(column: ColumnName, what: Fault, { cells, row }: Header, at: number): Problem {
  return problemAt('error', what, { row, column, cell: cellName(at, row), value: cells[at] ?? null });
}

/** Whether a column is filled with what can be an account. A `Recipient wallet` that holds PAYPAL is none. */
export function hasAccounts(sample: TableSample, { index, cells }: Header): boolean {
  const isOwn = cells === sample.headers;
  return isOwn && ACCOUNT_COLUMNS.some((column) => index[column] !== -1 && isOfAccounts(sample, index[column], column));
}

const WALLET_LENGTH_MIN = 20;

function isOfAccounts(sample: TableSample, at: number, column: string): boolean {
  if (column !== 'wallet_address' || sample.filled(at).length === 0) return true;
  return sample.filled(at).some((cell) => cell.length >= WALLET_LENGTH_MIN);
}

/** An amount in hundredths, roughly read: to compare cells with each other, never to pay it. */
export function roughAmount(cell: string): number | null {
  const amount = amountTextOf(cell);
  if (amount === null) return null;
  const [, whole = '', cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(amount.number) ?? [];
  const value = Number(whole.replace(/\D/g, '')) * 100 + Number(cents.padEnd(2, '0'));
  return amount.isNegative ? -value : value;
}

export function isAmount(cell: string): boolean {
  return roughAmount(cell) !== null;
}

/** Whether a column has an amount that is not zero. */
export function hasAmount(sample: TableSample, at: number): boolean {
  return sample.filled(at).some((cell) => (roughAmount(cell) ?? 0) !== 0);
}

/** The amounts of a row in some columns; zero where there is none. */
export function amountsOf(sample: TableSample, row: readonly string[], places: readonly number[]): number[] {
  return places.map((at) => roughAmount(sample.cell(row, at)) ?? 0);
}
