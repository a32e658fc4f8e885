import { onFirstUse } from '../../domain/lazy/on-first-use.ts';
import type { Fault, Problem } from '../../domain/problem.ts';
import { columnLetters } from '../../platform/xlsx/cell-names.ts';
import { currenciesOfMark, currenciesOfMarks } from '../cells/amounts/currency-signs.ts';
import type { LegacyEncoding } from '../source/encoding/encodings.ts';
import { headerIdentity, headerKey, headerWords } from './header-key.ts';
import { meaningIn } from './layout-of.ts';
import { COLUMN_NAMES, type ColumnName, NAME_PARTS, type NamePart } from './synonyms.ts';
import { columnWords, familyFirstKeys, namePartKeys } from './vocabulary.ts';

/** What a person maps a header to: a column, or null for one that is to be ignored. */
export type ExplicitColumn = { header: string; column: ColumnName | null };

/** The mapping of a header of this file, and its source: this command, the job, or an earlier command. */
export type MappedColumn = ExplicitColumn & { source: 'option' | 'job' | 'remembered' };

/** The currency of rows that name none, and its source: as of columns, or a line above the header. */
export type GivenCurrency = { code: string; source: MappedColumn['source'] | 'file' };

/** The encoding of a text that does not show it, and its source. */
export type GivenEncoding = { encoding: LegacyEncoding; source: MappedColumn['source'] };

/** What is given beside a header: what its cells mean, and the currency of rows that name none. */
export type GivenHeader = { columns: readonly MappedColumn[]; currency: GivenCurrency | null };

/**
 * Where the cells are that one column has together, in order, and how: `all` of them (`First name` and `Last name`), the
 * `first` that a row fills (`IBAN`, or else `Account number`), or all the `same` (two equal columns).
 */
export type JoinedColumn = { places: readonly number[]; how: 'all' | 'first' | 'same' };
export type JoinedColumns = ReadonlyMap<ColumnName, JoinedColumn>;

/** Where each column is (0 is A), or -1. */
export type ColumnIndex = Readonly<Record<ColumnName, number>>;

/** The header of an input, understood. */
export type Header = {
  row: number;
  cells: string[];
  /** For each cell the column it feeds, or null where it is only carried to the report. */
  columns: (ColumnName | null)[];
  index: ColumnIndex;
  joined: JoinedColumns;
  problems: Problem[];
  /** Why no row under it can be paid, or null. */
  firstError: Fault | null;
  /** The explicit mappings that apply to its cells. */
  mapping: MappedColumn[];
  /** The currency of rows that name none. */
  currency: GivenCurrency | null;
  /** Whether the table has none, and its cells are the letters by which a person names the columns. */
  isByLetters: boolean;
};

/** The columns' own names: a file that has them needs no other words. */
const BY_NAME: ReadonlyMap<string, ColumnName> = new Map(COLUMN_NAMES.map((column) => [headerKey(column), column]));

const byWord = onFirstUse(
  () => new Map(columnWords().flatMap(({ column, keys }) => keys.map((key) => [key, column] as const))),
);

/** The column that a header names, or null for one that we do not know. */
export function columnOf(header: string): ColumnName | null {
  const key = headerKey(header);
  return BY_NAME.get(key) ?? byWord().get(key) ?? byWord().get(spelledOut(header)) ?? null;
}

/** What banks and programs shorten in English headers: `BENE_ACC_NO`, `Receiving A/C No.` */
const SHORTENED: Readonly<Record<string, string>> = {
  ...{ acc: 'account', acct: 'account', accnt: 'account', ac: 'account', bene: 'beneficiary', benef: 'beneficiary' },
  ...{ amt: 'amount', ccy: 'currency' },
  ...{ no: 'number', num: 'number', nbr: 'number', pmt: 'payment', pymt: 'payment', txn: 'transaction' },
};

/** The key of a header with its words in full; empty where none is shortened, or a sign in it may mean something (`%`). */
export function spelledOut(header: string): string {
  if (!/^[A-Za-z0-9 ._/-]{3,64}$/.test(header)) return '';
  const words = headerWords(header.replace(/\ba\/c\b/gi, 'acc'));
  const full = words.map((word) => (Object.hasOwn(SHORTENED, word) ? SHORTENED[word] : word));
  return full.some((word, at) => word !== words[at]) ? full.join('') : '';
}

/**
 * The columns without which there is no payout. A row may name an account that exists at the service instead of a rail, or
 * give the fields from which its rail follows; its currency may be given.
 */
export function requiredColumns(index: ColumnIndex, currency: GivenCurrency | null): ColumnName[] {
  const required: ColumnName[] = currency === null ? ['name', 'amount', 'currency'] : ['name', 'amount'];
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

/**
 * The columns that a row's cells name. Explicit mappings go first, then what the layout makes of a header. An amount may
 * name its currency (`Amount (EUR)`); where nothing else is the name, first and last names are, or else the holder of the
 * account.
 */
export function columnsOf(
  cells: readonly string[],
  explicit: readonly ExplicitColumn[],
): { columns: (ColumnName | null)[]; joined: Map<ColumnName, JoinedColumn>; mapped: ReadonlySet<number> } {
  const byHeader = new Map(explicit.map(({ header, column }) => [headerIdentity(header), column]));
  const given = new Set(explicit.map(({ column }) => column));
  const inLayout = meaningIn(cells);
  const columns = cells.map((cell) => {
    const column = byHeader.get(headerIdentity(cell));
    if (column !== undefined) return column;
    const known = inLayout(cell);
    if (known === undefined) return meaningOf(cell);
    return given.has(known) ? null : known;
  });
  const joined = new Map<ColumnName, JoinedColumn>();
  const join = (column: ColumnName, places: readonly number[], how: JoinedColumn['how'] = 'all') => {
    joined.set(column, { places, how });
    for (const at of places) columns[at] = column;
  };
  const isMapped = (cell: string) => byHeader.has(headerIdentity(cell)) || inLayout(cell) === null;
  const mapped = new Set(cells.keys().filter((at) => isMapped(cells[at] ?? '')));
  for (const { header, column } of explicit) {
    const places = placesOf(header, cells);
    for (const at of places) mapped.add(at);
    if (column !== null && places.length > 1) join(column, places, isEither(header, cells) ? 'first' : 'all');
    else if (isLetters(header, cells)) for (const at of places) columns[at] = column;
  }
  const isFree = (at: number) => !mapped.has(at);
  if (!columns.includes('name')) {
    const parts = namePlaces(cells, columns);
    const holder = columns.indexOf('account_name');
    if (parts.length > 0 && parts.every(isFree)) join('name', parts);
    else if (holder !== -1 && isFree(holder)) columns[holder] = 'name';
  }
  return { columns, joined, mapped };
}

/**
 * Where the header of a mapping is, or the headers in it: `+` joins them, and of those between `|` the first is taken that
 * a row fills. Empty where one is not there. A column may be named by its letters too (`M`), which tells equal headers apart.
 */
export function placesOf(header: string, cells: readonly string[]): number[] {
  const find = (text: string) => {
    const at = headerPlace(text, cells);
    return at === -1 && isLetters(text, cells) ? cells.findIndex((_, at) => columnLetters(at) === text.trim()) : at;
  };
  const whole = find(header);
  const places = whole === -1 ? header.split(header.includes('|') ? '|' : '+').map(find) : [whole];
  return places.includes(-1) ? [] : places;
}

function isEither(header: string, cells: readonly string[]): boolean {
  return header.includes('|') && headerPlace(header, cells) === -1;
}

function headerPlace(text: string, cells: readonly string[]): number {
  return cells.findIndex((cell) => cell.trim() !== '' && headerIdentity(cell) === headerIdentity(text));
}

/** Whether a mapping names a column by its letters, and no header is these letters. */
export function isLetters(text: string, cells: readonly string[]): boolean {
  return /^\s*[A-Z]{1,3}\s*$/.test(text) && headerPlace(text, cells) === -1;
}

/** Words that are the whole name by themselves, and the other part of it beside a column for the first or last name. */
const ONE_WORD_NAMES: ReadonlySet<string> = new Set(
  'name nom nombre nome naam jméno meno namn navn nimi név nume имя 이름 ชื่อ nama'.split(' ').map(headerKey),
);

export function isOneWordName(header: string): boolean {
  return ONE_WORD_NAMES.has(headerKey(header));
}

/** `Nom salarié`, `Nome funcionário`: the whole name, or the other part of it beside `Prénom salarié`. */
const NAME_OF_A_KIND = /^\s*(?:nom|nombre|nome|naam)\P{L}+\p{L}+\s*$/iu;

/**
 * Where the name is in two columns of which one is called the name (`Name` and `Vorname`, `Nombre` and `Apellidos`), in
 * order. None where a row shows the whole name in that column, and where no row shows anything.
 */
export function namePlacesShown(
  cells: readonly string[],
  { columns, index }: Pick<Header, 'columns' | 'index'>,
  below: readonly string[][],
): number[] {
  const name = index.name;
  if (!isOneWordName(cells[name] ?? '') && !NAME_OF_A_KIND.test(cells[name] ?? '')) return [];
  const parts = cells.flatMap((cell, at) => {
    const part = columns[at] === null ? namePartKeys().get(headerKey(cell)) : undefined;
    return part === 'first' || part === 'last' ? [{ part, at }] : [];
  });
  const [only, other] = parts;
  if (only === undefined || other !== undefined) return [];
  const both = below
    .map((row) => [row[name] ?? '', row[only.at] ?? ''].map((text) => text.trim().toLowerCase()))
    .filter(([whole, part]) => whole !== '' && part !== '');
  if (both.length === 0 || both.some(([whole = '', part = '']) => whole.includes(part))) return [];
  return only.part === 'first' ? [only.at, name] : [name, only.at];
}

const FAMILY_FIRST: readonly NamePart[] = ['last', 'second_last', 'middle', 'first'];

/** Where the parts of a name are, in order, if there is one column for the first and one for the last name. */
function namePlaces(cells: readonly string[], columns: readonly (ColumnName | null)[]): number[] {
  const places = new Map<NamePart, number[]>();
  for (const [at, cell] of cells.entries()) {
    const part = columns[at] === null ? namePartKeys().get(headerKey(cell)) : undefined;
    if (part !== undefined) places.set(part, [...(places.get(part) ?? []), at]);
  }
  const isOne = (part: NamePart) => places.get(part)?.length === 1;
  if (!isOne('first') || !isOne('last')) return [];
  const isFamilyFirst = (places.get('last') ?? []).some((at) => familyFirstKeys().has(headerKey(cells[at] ?? '')));
  const parts = isFamilyFirst ? FAMILY_FIRST : (Object.keys(NAME_PARTS) as NamePart[]);
  return parts.flatMap((part) => (isOne(part) ? (places.get(part) ?? []) : []));
}

/** The column that a header names, also with a currency in it: `Amount (EUR)`. */
export function meaningOf(header: string): ColumnName | null {
  return columnOf(header) ?? amountColumn(header);
}

function amountColumn(header: string): ColumnName | null {
  const { bare, marks } = splitHeader(header);
  return marks.length > 0 && columnOf(bare) === 'amount' ? 'amount' : null;
}

/** The currencies that a header can mean by what it names: `EUR` of `Amount (EUR)`, several of `Amount ($)`. */
export function currenciesInHeader(header: string): readonly string[] {
  return currenciesOfMarks(splitHeader(header).marks);
}

/** A header without the signs, codes and names of currencies in it, and these. */
function splitHeader(header: string): { bare: string; marks: string[] } {
  const words = header.normalize('NFKC').split(/[\s_\-/:,()[\]{}]+/);
  const isMark = (word: string) =>
    (word.length > 1 || /\p{Sc}|\p{Script=Han}|\p{Script=Hangul}/u.test(word)) && currenciesOfMark(word) !== null;
  const marks = words.filter(isMark);
  // `in EUR`, `em reais`.
  const others = words.filter(
    (word, at) => !isMark(word) && !(isMark(words[at + 1] ?? '') && /^(?:in|en|em|w)$/i.test(word)),
  );
  return { bare: others.join(' '), marks };
}
