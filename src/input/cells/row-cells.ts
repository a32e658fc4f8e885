import type { Currency } from '../../domain/currencies.ts';
import { type BankPlace, type Fault, fault, problemAt, type Severity } from '../../domain/problem.ts';
import type { EarlierRow } from '../../domain/problems/payment-problems.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { currenciesInHeader, type Header, type JoinedColumn, type JoinedColumns } from '../header/columns.ts';
import type { ColumnName } from '../header/synonyms.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { AmountFormat } from '../source/xlsx/number-format.ts';
import type { Contradiction } from './amounts/amount.ts';
import {
  type CellFacts,
  isErrorValue,
  isIdentifier,
  oddCharacterOf,
  type PlaceOf,
  type RowFacts,
} from './cell-facts.ts';
import { type OtherCurrency, otherCurrencyColumns } from './other-currencies.ts';
import { APOSTROPHE, EQUALS_SIGN, isPlain } from './plain-cell.ts';

/** What is under no header: a cell to the right of a sheet's table. Columns count from 0. */
export type Beside = { column: number; text: string; severity: Severity; fault: Fault };

/** The cells of one row by column, and where the problems of that row go. One instance serves every row of a file. */
export class RowCells {
  readonly #header: Header;
  readonly #problems: ProblemLog;
  /** Null where no column is several. */
  readonly #joined: JoinedColumns | null;
  /** The fiat currencies that the file's cells have named so far, by the text of the cell. */
  readonly currencies = new Map<string, Currency>();
  /** Empty where the amounts of the column go together. */
  contradiction: Contradiction = [];
  /** What the formats of the file's amounts show, by the format. */
  readonly formats = new Map<string, AmountFormat>();
  /** The problems of countries that are not known, by the text of the cell. */
  readonly countryFaults = new Map<string, Fault>();
  /** What was noted once for the whole file. */
  readonly noted = new Set<string>();
  readonly #sheet: string | null;
  /** Of a bank file, which has no cells. */
  readonly #placeOf: PlaceOf | null;
  #cells: readonly string[] = [];
  #facts: RowFacts | null = null;
  #row = 0;
  #firstError: Fault | null = null;
  /** Columns of the row whose cells are known to be wrong as a whole. */
  #condemned: Set<ColumnName> | null = null;
  /** Columns of the row where an apostrophe was left out. */
  #apostrophes: Set<ColumnName> | null = null;

  constructor(header: Header, problems: ProblemLog, sheet: string | null = null, placeOf: PlaceOf | null = null) {
    this.#header = header;
    this.#problems = problems;
    this.#sheet = sheet;
    this.#placeOf = placeOf;
    this.#joined = header.joined.size === 0 ? null : header.joined;
    const amounts = header.cells[header.index.amount] ?? '';
    const codes = currenciesInHeader(amounts);
    this.amountHeader = codes.length === 0 ? null : { header: amounts.trim(), codes };
    this.otherCurrencies = otherCurrencyColumns(header);
  }

  load(row: number, cells: readonly string[], facts: RowFacts | null = null): void {
    this.#row = row;
    this.#cells = cells;
    this.#facts = facts;
    this.#firstError = null;
    this.#condemned = null;
    this.#apostrophes = null;
  }

  get row(): number {
    return this.#row;
  }

  /** How problems name another row of the file. */
  earlier(row: number): EarlierRow {
    const place = this.#placeOf?.(row, -1, null).in;
    return place === 'payment' || place === 'record' ? { row, unit: place } : { row };
  }

  /** Why the row is not paid, or null. */
  get firstError(): Fault | null {
    return this.#firstError;
  }

  /** Whether the file has the column. */
  has(column: ColumnName): boolean {
    return this.#header.index[column] !== -1;
  }

  /**
   * The cell without blanks around it; empty where the file has no such column. Where digits are a name and a workbook
   * shows a number of them with zeros in front, it is what it shows; an apostrophe in front of digits is left out.
   */
  text(column: ColumnName): string {
    const joined = this.#joined === null ? undefined : this.#joined.get(column);
    if (joined?.how === 'all') return this.#textOfAll(joined);
    if (joined !== undefined) this.#requireAgreement(column, joined);
    const at = joined === undefined ? this.#header.index[column] : this.#place(column);
    // A negative index would be looked up as a property's name, which is slow.
    if (at === -1) return '';
    if (this.#facts !== null) {
      const facts = this.#facts.cells?.[at];
      if (facts?.kind === 'number' && facts.shown !== null && isIdentifier(column)) return facts.shown;
    }
    const cell = this.#cells[at] ?? '';
    return isPlain(cell) ? cell : this.#unusualText(column, cell.trim());
  }

  /** Apart from `text`, which is called for each cell: a closure in it would make each of these calls allocate. */
  #textOfAll({ places }: JoinedColumn): string {
    return places.flatMap((place) => this.at(place) || []).join(' ');
  }

  /** Where the column's cell is in this row: of several, the first that is filled. */
  #place(column: ColumnName): number {
    const at = this.#header.index[column];
    const joined = this.#joined === null ? undefined : this.#joined.get(column);
    if (joined === undefined || joined.how === 'all') return at;
    for (const place of joined.places) if (this.at(place) !== '') return place;
    return at;
  }

  /** Cells that mean the same must say the same; where a row fills one of them, the others may be empty. */
  #requireAgreement(column: ColumnName, { places, how }: JoinedColumn): void {
    const parts = places.map((place) => this.at(place));
    const first = parts.findIndex((part) => part !== '');
    const other = parts.findIndex((part) => part !== parts[first] && (how === 'same' || part !== ''));
    if (first === -1 || other === -1 || this.#condemned?.has(column) === true) return;
    const shown = (part: number) => {
      const at = places[part] ?? -1;
      return { header: this.#header.cells[at]?.trim() ?? '', cell: cellName(at, this.#row) };
    };
    this.condemn(column, fault('cells_differ', { column, cells: [shown(first), shown(other)] }));
  }

  /** The code of the row's currency: what its cell holds, or what is given for rows that name none. Empty for none. */
  get currencyText(): string {
    return this.text('currency') || (this.#header.currency?.code ?? '');
  }

  /** The header of the amounts, and the currencies that it names; null where it names none. */
  readonly amountHeader: { header: string; codes: readonly string[] } | null;
  /** Columns that name a currency and are not the row's, with their headers. */
  readonly otherCurrencies: readonly OtherCurrency[];

  /** The cell of the column at an index, without blanks around it, whatever the column is taken for. */
  at(index: number): string {
    return (this.#cells[index] ?? '').trim();
  }

  /** What a workbook knows of the cell; null where it is text. */
  facts(column: ColumnName): CellFacts | null {
    const at = this.#facts === null ? -1 : this.#place(column);
    return this.#facts === null || at === -1 ? null : (this.#facts.cells?.[at] ?? null);
  }

  /** Whether the sheet hides the row. */
  get isHidden(): boolean {
    return this.#facts?.isHidden === true;
  }

  /** Whether a line goes through the text of the cell. */
  isStruck(column: ColumnName): boolean {
    return this.#facts?.struck?.includes(this.#place(column)) === true;
  }

  /** Whether the cell is merged with one that covers its text. */
  isCovered(column: ColumnName): boolean {
    return this.#facts?.covered?.includes(this.#place(column)) === true;
  }

  /** `value` is what the cell is shown to hold, where that is not its text. */
  error(column: ColumnName | null, what: Fault, value?: string | null): void {
    this.#firstError ??= what;
    this.#add('error', column, what, value);
  }

  /** An error beside which nothing else about the cell is worth noting: later problems of it are not. */
  condemn(column: ColumnName, what: Fault): void {
    this.error(column, what);
    this.#condemned ??= new Set();
    this.#condemned.add(column);
  }

  warn(column: ColumnName | null, what: Fault, value?: string | null): void {
    this.#add('warning', column, what, value);
  }

  /** What the reader of a bank file noted of the row. */
  reportNotes(): void {
    for (const note of this.#facts?.notes ?? []) {
      if (note.severity === 'error') this.#firstError ??= note.what;
      this.#add(note.severity, note.column, note.what, note.value, note.place);
    }
  }

  reportBeside({ column, text, severity, fault: what }: Beside): void {
    if (severity === 'error') this.#firstError ??= what;
    const place = { sheet: this.#sheet, row: this.#row, cell: cellName(column, this.#row), value: text };
    this.#problems.add(problemAt(severity, what, place));
  }

  /**
   * What text files have in place of the facts of a workbook's cells: the values of errors, apostrophes, and formulas
   * that are a text, by which programs keep zeros in front (`="007"`).
   */
  #unusualText(column: ColumnName, cell: string): string {
    const text = cell.charCodeAt(0) === EQUALS_SIGN ? (/^="([^"]*)"$/.exec(cell)?.[1]?.trim() ?? cell) : cell;
    // An amount has the problem already that it is no number.
    if (column !== 'amount' && isErrorValue(text)) this.condemn(column, fault('cell_error'));
    return text.charCodeAt(0) === APOSTROPHE && isIdentifier(column) ? this.#withoutApostrophe(column, text) : text;
  }

  /** An apostrophe before digits is how people keep a spreadsheet program from changing them. */
  #withoutApostrophe(column: ColumnName, text: string): string {
    const rest = text.slice(1).replace(/'$/, '').trim();
    if (!/^\d/.test(rest)) return text;
    if (this.#apostrophes?.has(column) !== true) {
      this.#apostrophes ??= new Set();
      this.#apostrophes.add(column);
      this.warn(column, { ...fault('leading_apostrophe'), suggestion: rest });
    }
    return rest;
  }

  #add(severity: Severity, column: ColumnName | null, what: Fault, value?: string | null, exact?: BankPlace): void {
    if (column !== null && this.#condemned?.has(column) === true) return;
    const at = column === null ? -1 : this.#place(column);
    const { code, suggestion } = what;
    const own = at === -1 ? null : (this.#cells[at] ?? null);
    const odd =
      own === null || column === null ? null : oddCharacterOf(own, column, code, this.#facts?.zeroBytes?.get(at));
    const params = {
      ...what.params,
      ...(column !== null && at === -1 && { absentColumn: column }),
      ...(odd !== null && { oddCharacter: odd }),
    };
    // A finding of a rail has more members, which a problem has not.
    const found = { code, params, ...(suggestion !== undefined && { suggestion }) };
    const of = { sheet: this.#sheet, row: this.#row, column, value: value === undefined ? own : value };
    const where =
      this.#placeOf === null
        ? { cell: at === -1 ? null : cellName(at, this.#row) }
        : { place: exact ?? this.#placeOf(this.#row, at, this.#facts) };
    this.#problems.add(problemAt(severity, found, { ...of, ...where }));
  }
}
