import type { Currency } from '../domain/currencies.ts';
import { currencyKey } from '../domain/money.ts';
import type { PayoutOrder } from '../domain/payee.ts';
import { type Fault, fault } from '../domain/problem.ts';
import { assert } from '../domain/refusal.ts';
import type { Contradiction, DecimalConvention } from './cells/amounts/amount.ts';
import { readAmountCell } from './cells/amounts/amount-cells.ts';
import { SentAmounts } from './cells/amounts/sent-amounts.ts';
import type { RowFacts } from './cells/cell-facts.ts';
import { examineCells } from './cells/cell-forensics.ts';
import { readCurrency, readSource } from './cells/currency-cells.ts';
import { readDestination, readReference, warnOfModulus } from './cells/destination-cells.ts';
import { BUSINESS_COLUMNS, readPayee } from './cells/payee-cells.ts';
import { RowRails } from './cells/rail-cells.ts';
import { RowCells } from './cells/row-cells.ts';
import { readText } from './cells/text-cells.ts';
import { type AmountSums, type CurrencyTotal, SumOfAmounts } from './checks/control-figures.ts';
import { isComment, isExampleRow, isHeaderAgain, isSecondHeader, mayBeComment } from './checks/foreign-rows.ts';
import { refuseHeld, warnOfChange } from './checks/history-warnings.ts';
import { Repeats } from './checks/repeats.ts';
import { besideTable, fitLength, noteLeftOut } from './checks/row-length.ts';
import { RowMarks } from './checks/row-marks.ts';
import { RowsNotToPay } from './checks/rows-not-to-pay.ts';
import type { Header } from './header/columns.ts';
import type { NumberedRow } from './header/header-search.ts';
import type { ColumnName } from './header/synonyms.ts';
import { ProblemLog } from './problem-log.ts';
import type { ReadOptions, ReadRow } from './read-options.ts';
import { crashOf } from './row-crash.ts';
import type { Table } from './source/table.ts';

/** The service takes 2,000 characters, and the token that payrun appends needs some of them. */
const DESCRIPTION_MAX = 1_900;
const ID_MAX = 200;

/** A row that is not read as a payout. */
export type ForeignRow = { row: number; cells: string[]; facts: RowFacts | null };

type RowTableFacts = Pick<Table, 'sheet' | 'bytes' | 'isCopyOfText' | 'bank'>;

type RowOptions = Pick<ReadOptions, 'defaultRails' | 'foldReferences' | 'history' | 'limits' | 'modulus'>;

/** Turns the rows of one file into payout orders, and notes what is wrong with them. */
export class RowReader {
  readonly #header: Header;
  readonly #cells: RowCells;
  readonly #hasBusiness: boolean;
  readonly #sentAmounts: SentAmounts;
  /** The columns of ours that the file has. */
  readonly #columns: readonly ColumnName[];
  readonly #table: RowTableFacts;
  readonly #repeats: Repeats;
  readonly #marks = new RowMarks();
  readonly #notToPay: RowsNotToPay;
  readonly #options: RowOptions;
  /** The rails of the rows. */
  readonly rails: RowRails;
  readonly #totals = new Map<string, CurrencyTotal>();
  /** Of the rows with problems. */
  readonly #unpaid = new SumOfAmounts();
  /** Of the row that was read last; null where it could not be read. */
  #currency: Currency | null = null;
  #minor: bigint | null = null;

  /** `first`: the first rows of the file, by which its header was judged. */
  constructor(
    header: Header,
    problems: ProblemLog,
    table: RowTableFacts,
    options: RowOptions = {},
    first: readonly NumberedRow[] = [],
  ) {
    this.#options = options;
    this.rails = new RowRails(options.defaultRails);
    this.#header = header;
    this.#notToPay = new RowsNotToPay(header, first);
    this.#table = table;
    this.#cells = new RowCells(header, problems, table.sheet, table.bank?.placeOf);
    this.#repeats = new Repeats(table, header.index.payee_id !== -1);
    this.#sentAmounts = new SentAmounts(header);
    this.#columns = header.columns.filter((column) => column !== null);
    this.#hasBusiness = BUSINESS_COLUMNS.some((column) => header.index[column] !== -1);
  }

  /**
   * The row as the run keeps it, or null for an example of a template and for the header again. Its cells are as many
   * as the header's: missing ones are empty, excess ones dropped. Nothing in a row ends the reading of the file.
   */
  read(row: number, cells: string[], convention: DecimalConvention, facts: RowFacts | null = null): ReadRow | null {
    try {
      return this.#read(row, cells, convention, facts);
    } catch (error) {
      const alone = this.#alone();
      const readAlone = (changed: string[]) => void alone.#read(row, changed, convention, facts);
      const { column, fault: crash } = crashOf(error, this.#header, cells, readAlone);
      this.#unpaid.add(null, null);
      return this.refuse({ row, cells, facts }, column, crash);
    }
  }

  /** Whether the row is a comment, which is noted and not read. */
  isComment(line: ForeignRow): boolean {
    if (!isComment(this.#header, line.cells)) return false;
    this.note(line, null, fault('row_is_comment'), line.cells[0]);
    return true;
  }

  /** A reader that notes and counts nothing. */
  #alone(): RowReader {
    const { limits: _counted, ...options } = this.#options;
    return new RowReader(this.#header, new ProblemLog(), { ...this.#table, bytes: 0 }, options);
  }

  #read(row: number, cells: string[], convention: DecimalConvention, facts: RowFacts | null): ReadRow | null {
    const given = cells.length;
    const beside =
      this.#table.sheet !== null && this.#header.firstError?.code !== 'header_not_found'
        ? besideTable(cells, this.#header.cells.length, this.#table.isCopyOfText === true)
        : null;
    if (given !== this.#header.cells.length) fitLength(cells, this.#header.columns, this.#table.sheet !== null);
    this.#cells.load(row, cells, facts);
    if (isExampleRow(this.#cells) || isHeaderAgain(this.#cells, this.#header, cells)) return null;
    if (isSecondHeader(this.#header, row, cells))
      return this.refuse({ row, cells, facts }, null, fault('header_second_row'));
    this.#examine(cells, facts);
    if (beside !== null) this.#cells.reportBeside(beside);
    if (cells.length !== this.#header.cells.length) return this.#refuseCount(row, cells);
    if (given < cells.length && this.#table.sheet === null) noteLeftOut(this.#cells, this.#header.cells.slice(given));
    const reason = this.#notToPay.reasonIn(cells);
    if (reason !== null) this.#cells.reportBeside(reason);
    const order = this.#readOrder(row, convention);
    const { history, limits } = this.#options;
    if (limits !== undefined && order !== null)
      for (const { column, fault: excess } of limits.add(order)) this.#cells.error(column, excess);
    if (order !== null) refuseHeld(this.#cells, order, history?.holds);
    const problem = this.#cells.firstError ?? this.#header.firstError;
    if (problem !== null) {
      this.#unpaid.add(this.#currency, this.#minor);
      return { row, cells, order: null, problem };
    }
    assert(order !== null && this.#minor !== null, 'a row has neither an order nor a problem');
    this.#marks.load(order);
    this.#repeats.check(this.#cells, order, this.#marks);
    if (history !== undefined) warnOfChange(this.#cells, order, this.#marks, history);
    this.#addToTotal(order.currency, this.#minor);
    this.rails.count();
    return { row, cells, order, problem: null };
  }

  #examine(cells: readonly string[], facts: RowFacts | null): void {
    if (this.#table.bank !== undefined) this.#cells.reportNotes();
    else if (mayBeComment(this.#header, cells)) this.#cells.error('name', fault('row_may_be_comment'));
    if (facts !== null && this.#table.bank === undefined) examineCells(this.#cells, this.#columns);
  }

  /** Which amounts contradict each other, where the column does not go together. */
  noteContradiction(contradiction: Contradiction): void {
    this.#cells.contradiction = contradiction;
  }

  /** Of the rows that can be paid, in order of first appearance. */
  get totals(): CurrencyTotal[] {
    return [...this.#totals.values()];
  }

  /** Of all rows that were read, those with problems too. */
  get sums(): AmountSums {
    const sums = new SumOfAmounts();
    for (const { currency, count, minor } of this.#totals.values()) sums.add(currency, minor, count);
    sums.addAll(this.#unpaid);
    return sums;
  }

  /** A row that is no payout, with why. Its amount is in no sum. */
  refuse({ row, cells, facts }: ForeignRow, column: ColumnName | null, what: Fault): ReadRow {
    this.#cells.load(row, cells, facts);
    this.#cells.error(column, what);
    return { row, cells: this.#asManyAsHeaders(cells), order: null, problem: this.#cells.firstError };
  }

  /** A line that is left out, with why. `value` is its text where that is not the column's. */
  note({ row, cells, facts }: ForeignRow, column: ColumnName | null, what: Fault, value?: string): void {
    this.#cells.load(row, cells, facts);
    this.#cells.warn(column, what, value);
  }

  /** Every part is read even after a problem, so that the whole row's problems show at once. */
  #readOrder(row: number, convention: DecimalConvention): PayoutOrder | null {
    const cells = this.#cells;
    const payee = readPayee(cells, this.#hasBusiness);
    const currency: Currency | null = readCurrency(cells);
    const source = readSource(cells, currency);
    this.#sentAmounts.refuse(cells, source);
    const minor = readAmountCell(cells, currency, convention);
    this.#currency = currency;
    this.#minor = minor;
    const rail = this.rails.read(cells, currency);
    const destination = readDestination(cells, rail, payee.name, currency);
    const { modulus } = this.#options;
    if (modulus !== undefined && destination !== null) warnOfModulus(cells, destination, modulus);
    const reference = readReference(cells, rail, this.#options.foldReferences === true);
    const description = readText(cells, 'description', DESCRIPTION_MAX);
    const recipientId = readText(cells, 'recipient_id', ID_MAX);
    if (currency === null || minor === null || destination === null) return null;
    return {
      row,
      payee,
      recipient_id: recipientId,
      destination,
      amount_minor: minor.toString(),
      currency,
      source,
      reference,
      description,
    };
  }

  #addToTotal(currency: Currency, minor: bigint): void {
    const key = currencyKey(currency);
    const total = this.#totals.get(key);
    if (total === undefined) {
      this.#totals.set(key, { currency, count: 1, minor });
      return;
    }
    total.count++;
    total.minor += minor;
  }

  #refuseCount(row: number, cells: string[]): ReadRow {
    const counts = { cells: cells.length, headers: this.#header.cells.length };
    const isTooMany = counts.cells > counts.headers;
    // Without a header there is nothing that a row could be too long for.
    if (this.#header.firstError?.code !== 'header_not_found')
      this.#cells.error(null, fault(isTooMany ? 'row_too_many_cells' : 'row_too_few_cells', counts));
    this.#unpaid.add(null, null);
    return {
      row,
      cells: this.#asManyAsHeaders(cells),
      order: null,
      problem: this.#cells.firstError ?? this.#header.firstError,
    };
  }

  #asManyAsHeaders(cells: string[]): string[] {
    const whole = cells.slice(0, this.#header.cells.length);
    while (whole.length < this.#header.cells.length) whole.push('');
    return whole;
  }
}
