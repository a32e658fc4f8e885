import { fault, type Problem, problemAt } from '../domain/problem.ts';
import { assert } from '../domain/refusal.ts';
import type { DecimalConvention } from './cells/amounts/amount.ts';
import { amountTextIn, proveConvention, textNeedsConvention } from './cells/amounts/amount-convention.ts';
import type { RowFacts } from './cells/cell-facts.ts';
import { hasUnknownResult, hiddenColumnProblems } from './cells/cell-forensics.ts';
import { expectedBeside, wholeProblems } from './checks/control-figures.ts';
import { pastProblems } from './checks/history-warnings.ts';
import { isNoPayoutList, judgeHeader } from './checks/not-payouts.ts';
import { isBlank, isTooWide } from './checks/row-length.ts';
import { TableFoot } from './checks/table-foot.ts';
import type { GivenEncoding, Header } from './header/columns.ts';
import { readHeader } from './header/header.ts';
import { findHeader, HEADER_ROWS, type NumberedRow } from './header/header-search.ts';
import { ProblemLog } from './problem-log.ts';
import { mapperOf, type ReadOptions } from './read-options.ts';
import type { ReadResult } from './read-result.ts';
import { RowReader } from './rows.ts';
import { isLegacy } from './source/encoding/encodings.ts';
import type { InputSource } from './source/file.ts';
import { type FileFault, fileFault } from './source/file-problem.ts';
import { openTable } from './source/open-table.ts';
import type { BankTable, FileFigures, Table } from './source/table.ts';

/**
 * Reads an input from its first byte to its last: every row to `onRow`, every problem gathered. Memory does not grow
 * with a text file, but for the marks of each row by which repeated payouts are found.
 *
 * Amounts that can be read only when the whole column is known cost another pass, at the first of them. Rows before it
 * need none, because their amounts have one reading in every convention. Throws a Refusal (kind `input`) if the bytes of
 * the passes differ.
 */
export async function readInput(source: InputSource, options: ReadOptions = {}): Promise<ReadResult> {
  const table = await openTable(source, { ...options, mapper: mapperOf(options) });
  const reading = new Reading(source, table, options);
  for (const fault of table.faults) reading.addFault(fault, null);
  for (const problem of table.problems) reading.addProblem(problem);
  if (table.isReadable) await reading.readRows();
  reading.compare();
  return reading.result();
}

class Reading {
  readonly #source: InputSource;
  readonly #table: Table;
  readonly #options: ReadOptions;
  readonly #problems: ProblemLog;
  /** Until the header is known. */
  #firstRows: (NumberedRow & { facts: RowFacts | null })[] = [];
  #header: Header | null = null;
  #rowReader: RowReader | null = null;
  #foot: TableFoot | null = null;
  /** Null until an amount needs it. */
  #convention: DecimalConvention | null;
  /** Of a bank file that was read to its end. */
  #figures: FileFigures | null = null;
  #rows = 0;
  #isOtherList = false;
  #isWhole = true;

  constructor(source: InputSource, table: Table, options: ReadOptions) {
    this.#source = source;
    this.#table = table;
    this.#options = options;
    this.#problems = new ProblemLog(options.onProblem);
    if (table.bank !== undefined || options.decimal === '.') this.#convention = 'point';
    else this.#convention = options.decimal === undefined ? null : 'comma';
  }

  /** A problem of the table as a whole. */
  addProblem(problem: Problem): void {
    this.#problems.add(problem);
    if (problem.severity === 'error') this.#isWhole = false;
  }

  addFault(code: FileFault, row: number | null): void {
    this.addProblem(problemAt('error', fileFault(code), { row, sheet: this.#table.sheet }));
  }

  async readRows(): Promise<void> {
    let isAtEnd = true;
    if (this.#table.bank !== undefined) this.#takeBankHeader(this.#table.bank);
    for await (const part of this.#table.bank?.parts() ?? this.#table.parts()) {
      if (part.kind === 'figures') {
        this.#figures = part.figures;
        continue;
      }
      if (part.kind === 'problem') {
        this.addProblem(part.problem);
        if (part.isLast) return;
        continue;
      }
      if (part.kind === 'fault') {
        await this.#takeFirstRows();
        this.addFault(part.code, part.row);
        isAtEnd = false;
        break;
      }
      const wide = this.#rowReader === null ? part.records.findIndex(isTooWide) : -1;
      if (wide !== -1) return this.addFault('too_many_columns', part.firstRow + wide);
      await this.#takeRecords(part.firstRow, part.records, part.facts);
      if (this.#isOtherList) return;
    }
    await this.#takeFirstRows();
    await this.#releaseHeld(isAtEnd);
    if (!isAtEnd || this.#isOtherList) return;
    if (this.#header === null) this.addFault('file_empty', null);
    else if (this.#rows === 0 && this.#header.firstError?.code !== 'header_not_found')
      this.addFault('no_payouts', this.#table.bank === undefined ? this.#header.row : null);
  }

  /** Of a file that is not whole nothing is paid, so that there is nothing to compare. */
  compare(): void {
    if (!this.#isWhole) return;
    const totals = this.#rowReader?.totals ?? [];
    const whole = { ...this.#options, ...expectedBeside(this.#figures, this.#options.expected) };
    for (const problem of wholeProblems(whole, totals, this.#table.sheet)) this.addProblem(problem);
    const { cells = [], columns = [] } = this.#header ?? {};
    const { corrects, history } = this.#options;
    for (const problem of corrects?.({ sheet: this.#table.sheet, columns }) ?? []) this.#problems.add(problem);
    const comparable = this.#problems.counts.errors === 0 && corrects === undefined ? totals : [];
    for (const problem of pastProblems(comparable, cells, history)) this.#problems.add(problem);
  }

  result(): ReadResult {
    const { name, path } = this.#source;
    const { sheet, sha256, edited, bytes, encoding, delimiter } = this.#table;
    const { cells: header = [], columns = [] } = this.#header ?? {};
    const totals = this.#rowReader?.totals ?? [];
    return {
      input: { name, path, sha256, ...(edited && { file_sha256: edited.fileSha256 }), bytes, header, columns },
      edits: edited?.edits ?? [],
      sheet,
      format: this.#table.bank?.format ?? null,
      encoding,
      delimiter,
      rows: this.#rows,
      payouts: totals.reduce((sum, { count }) => sum + count, 0),
      totals,
      sums: this.#rowReader?.sums ?? null,
      inferredRails: this.#rowReader?.rails.inferred ?? [],
      defaultRails: this.#rowReader?.rails.byDefault ?? [],
      problems: this.#problems.kept,
      problemCounts: this.#problems.counts,
      problemGroups: this.#problems.groups,
      suggestionCount: this.#problems.suggestionCount,
      headerRow: this.#headerRow,
      isHeaderClear: this.#header !== null && this.#header.firstError === null,
      columns,
      mapping: this.#header?.mapping ?? [],
      givenCurrency: this.#header?.currency ?? null,
      givenEncoding: this.#givenEncoding,
      isWhole: this.#isWhole,
    };
  }

  get #givenEncoding(): GivenEncoding | null {
    const { encoding, isEncodingRemembered = false } = this.#table;
    if (encoding === null || !isLegacy(encoding)) return null;
    if (isEncodingRemembered) return { encoding, source: 'remembered' };
    const { encoding: explicit, encodingSource: source = 'option' } = this.#options;
    return explicit === encoding ? { encoding, source } : null;
  }

  /** Null where the header is in no row of the file. */
  get #headerRow(): number | null {
    const isInFile = this.#header !== null && !this.#header.isByLetters && this.#table.bank === undefined;
    return isInFile ? (this.#header?.row ?? null) : null;
  }

  async #takeRecords(
    firstRow: number,
    records: string[][],
    facts: readonly (RowFacts | null)[] | undefined,
  ): Promise<void> {
    let row = firstRow - 1;
    for (const cells of records) {
      row++;
      const about = facts?.[row - firstRow] ?? null;
      if (isBlank(cells) && !hasUnknownResult(about?.cells)) continue;
      if (this.#rowReader === null) {
        this.#firstRows.push({ row, cells, facts: about });
        if (row >= HEADER_ROWS) await this.#takeFirstRows();
        continue;
      }
      const taken = this.#takeRow(this.#rowReader, row, cells, about);
      if (taken !== undefined) await taken;
    }
  }

  /** Its cells are ours, and stand in no row: nothing of it is searched for or doubtful. */
  #takeBankHeader({ header }: BankTable): void {
    const cells = [...header];
    this.#header = readHeader(cells, 0, mapperOf(this.#options)(cells));
    for (const problem of this.#header.problems) this.addProblem({ ...problem, row: null, cell: null });
    this.#rowReader = new RowReader(this.#header, this.#problems, this.#table, this.#options);
  }

  /** The first rows are as many as are looked at for the header, or all there are. Those of another list are not read. */
  async #takeFirstRows(): Promise<void> {
    const rows = this.#firstRows;
    this.#firstRows = [];
    const found = this.#isOtherList ? null : findHeader(rows, mapperOf(this.#options));
    if (found === null) return;
    const header = judgeHeader(found, rows, this.#table.sheet);
    this.#header = header;
    for (const problem of header.problems) this.addProblem({ ...problem, sheet: this.#table.sheet });
    this.#isOtherList = isNoPayoutList(header);
    if (this.#isOtherList) return;
    for (const problem of hiddenColumnProblems(header, this.#table, rows)) this.addProblem(problem);
    const rowReader = new RowReader(header, this.#problems, this.#table, this.#options, rows);
    this.#rowReader = rowReader;
    this.#foot = new TableFoot(header, rowReader, rows);
    for (const { row, cells, facts } of rows) if (row > header.row) await this.#takeRow(rowReader, row, cells, facts);
  }

  /** Nothing where the row is taken; a promise where that has still to be waited for. */
  #takeRow(rowReader: RowReader, row: number, cells: string[], facts: RowFacts | null): void | Promise<void> {
    assert(this.#header !== null, 'a row was read before the header');
    if (rowReader.isComment({ row, cells, facts })) return;
    if (this.#convention === null && textNeedsConvention(amountTextIn(this.#header, cells, facts)))
      return proveConvention(this.#table, this.#header).then(({ convention, contradiction }) => {
        this.#convention = convention;
        if (convention === 'mixed') rowReader.noteContradiction(contradiction);
        return this.#takeRow(rowReader, row, cells, facts);
      });
    if (this.#foot?.holds(row, cells, facts)) return;
    if (this.#foot?.isHolding) return this.#releaseHeld(false).then(() => this.#readRow(rowReader, row, cells, facts));
    return this.#readRow(rowReader, row, cells, facts);
  }

  #readRow(rowReader: RowReader, row: number, cells: string[], facts: RowFacts | null): void | Promise<void> {
    const runRow = this.#foot?.isNamedTotal(row)
      ? rowReader.refuse({ row, cells, facts }, 'name', fault('row_named_total'))
      : rowReader.read(row, cells, this.#convention ?? 'unproven', facts);
    if (runRow === null) return;
    this.#rows++;
    return this.#options.onRow?.(runRow);
  }

  /** The lines that may be under the table, once it is known whether they are. */
  async #releaseHeld(isEnd: boolean): Promise<void> {
    for (const runRow of this.#foot?.release(isEnd, this.#convention ?? 'unproven') ?? []) {
      this.#rows++;
      await this.#options.onRow?.(runRow);
    }
    if (this.#foot?.isContradicted) this.#isWhole = false;
  }
}
