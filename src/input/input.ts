import { createHash, type Hash } from 'node:crypto';
import type { InputFile, RunRow } from '../domain/entry.ts';
import type { Problem } from '../domain/problem.ts';
import { assert, Refusal } from '../domain/refusal.ts';
import { amountShape, ConventionProof, type DecimalConvention, needsConvention } from './amount.ts';
import { type Header, readHeader } from './columns.ts';
import { type CsvPart, readRecords } from './csv.ts';
import { type Delimiter, sniffDelimiter } from './delimiter.ts';
import type { InputSource } from './file.ts';
import { type FileFault, fileProblem } from './file-problem.ts';
import { ProblemLog } from './problem-log.ts';
import { type CurrencyTotal, RowReader } from './rows.ts';
import { decodedToUtf8, type Encoding, headText, type Survey, surveyBytes } from './sniff.ts';

export type ReadOptions = {
  /** The decimal separator where the job names it; otherwise the amounts of the whole column must prove it. */
  decimal?: '.' | ',';
  /** Called for each row that is not blank, in order. The next row is read when a promise it returns has resolved. */
  onRow?: (row: RunRow) => void | Promise<void>;
};

export type ReadResult = {
  input: InputFile;
  encoding: Encoding;
  delimiter: Delimiter;
  /** Rows under the header that are not blank. */
  rows: number;
  /** Rows that can be paid: those with an order. */
  payouts: number;
  /** Of the payouts, in order of first appearance. */
  totals: CurrencyTotal[];
  /** At most 1,000, by row. */
  problems: Problem[];
  /** All of them. */
  problemCounts: { errors: number; warnings: number };
  /** All of them by code, in order of first appearance. */
  problemGroups: { code: string; severity: Problem['severity']; count: number }[];
  /** False where the file could not be read to its end or its header is not clear: then no row of it may be paid. */
  isWhole: boolean;
};

/**
 * Reads an input from its first byte to its last: every row to `onRow`, every problem gathered. Memory does not grow
 * with the file, but for 40 bytes a row by which repeated payouts are found.
 *
 * The bytes are read twice: once for hash and encoding, which only the last byte settles, once for the rows. Amounts
 * that can be read only when the whole column is known cost a third pass, at the first of them. Rows before it need
 * none, because their amounts have one reading in every convention. Throws a Refusal (kind `input`) if the bytes of the
 * passes differ.
 */
export async function readInput(source: InputSource, options: ReadOptions = {}): Promise<ReadResult> {
  const survey = await surveyBytes(source.open());
  const { delimiter, hasSeparatorLine } = sniffDelimiter(headText(survey));
  const reading = new Reading(source, survey, delimiter, hasSeparatorLine, options);
  if (survey.bytes === survey.markBytes) reading.addFault('file_empty', null);
  else if (survey.fault === 'not_text') reading.addFault('not_text', null);
  else await reading.readRows();
  return reading.result();
}

type InputPart = CsvPart | { kind: 'fault'; code: 'undecodable'; row: null };

/** One reading of one file: what is known so far. */
class Reading {
  readonly #source: InputSource;
  readonly #survey: Survey;
  readonly #delimiter: Delimiter;
  readonly #hasSeparatorLine: boolean;
  readonly #onRow: ReadOptions['onRow'];
  readonly #problems = new ProblemLog();
  #header: Header | null = null;
  #rowReader: RowReader | null = null;
  /** Null until an amount needs it. */
  #convention: DecimalConvention | null;
  #rows = 0;
  #isWhole = true;

  constructor(
    source: InputSource,
    survey: Survey,
    delimiter: Delimiter,
    hasSeparatorLine: boolean,
    options: ReadOptions,
  ) {
    this.#source = source;
    this.#survey = survey;
    this.#delimiter = delimiter;
    this.#hasSeparatorLine = hasSeparatorLine;
    this.#onRow = options.onRow;
    this.#convention = options.decimal === undefined ? null : options.decimal === '.' ? 'point' : 'comma';
  }

  addFault(code: FileFault, row: number | null): void {
    this.#problems.add(fileProblem(code, row));
    this.#isWhole = false;
  }

  /** The pass over the rows. */
  async readRows(): Promise<void> {
    if (this.#survey.fault === 'mixed_encodings') this.addFault('mixed_encodings', null);
    const hash = createHash('sha256');
    let isAtEnd = true;
    for await (const part of this.#parts(hashed(this.#source.open(), hash))) {
      if (part.kind === 'fault') {
        this.addFault(part.code, part.row);
        isAtEnd = false;
        break;
      }
      await this.#takeRecords(part.firstRow, part.records);
    }
    if (isAtEnd && hash.digest('hex') !== this.#survey.sha256)
      throw new Refusal(
        'input',
        `${this.#source.name} changed while it was read.`,
        'Close it elsewhere and run again.',
      );
    if (this.#header === null) this.addFault('file_empty', null);
    else if (this.#rows === 0 && isAtEnd) this.addFault('no_payouts', this.#header.row);
  }

  result(): ReadResult {
    const { name, path } = this.#source;
    const totals = this.#rowReader?.totals ?? [];
    return {
      input: {
        name,
        path,
        sha256: this.#survey.sha256,
        bytes: this.#survey.bytes,
        header: this.#header?.cells ?? [],
        columns: this.#header?.columns ?? [],
      },
      encoding: this.#survey.encoding,
      delimiter: this.#delimiter,
      rows: this.#rows,
      payouts: totals.reduce((count, total) => count + total.count, 0),
      totals,
      problems: this.#problems.kept,
      problemCounts: this.#problems.counts,
      problemGroups: this.#problems.groups,
      isWhole: this.#isWhole,
    };
  }

  async #takeRecords(firstRow: number, records: string[][]): Promise<void> {
    let row = firstRow - 1;
    for (const cells of records) {
      row++;
      if (isBlank(cells)) continue;
      if (this.#rowReader === null) {
        this.#takeHeader(cells, row);
        continue;
      }
      if (this.#convention === null && needsConvention(amountShape(this.#amountText(cells))))
        this.#convention = await this.#proveConvention();
      const runRow = this.#rowReader.read(row, cells, this.#convention ?? 'unproven');
      this.#rows++;
      const taken = this.#onRow?.(runRow);
      if (taken !== undefined) await taken;
    }
  }

  #takeHeader(cells: string[], row: number): void {
    this.#header = readHeader(cells, row);
    for (const problem of this.#header.problems) this.#problems.add(problem);
    if (this.#header.problems.length > 0) this.#isWhole = false;
    this.#rowReader = new RowReader(this.#header, this.#problems, this.#survey.lineBreaks);
  }

  /** Another pass, over the amounts of the whole column. */
  async #proveConvention(): Promise<DecimalConvention> {
    const proof = new ConventionProof();
    const headerRow = this.#header?.row ?? 0;
    for await (const part of this.#parts(this.#source.open())) {
      if (part.kind === 'fault') break;
      for (const [at, cells] of part.records.entries())
        if (part.firstRow + at > headerRow) proof.add(amountShape(this.#amountText(cells)));
      if (proof.convention === 'mixed') break;
    }
    return proof.convention;
  }

  #amountText(cells: string[]): string {
    assert(this.#header !== null, 'an amount was read before the header');
    return cells[this.#header.index.amount]?.trim() ?? '';
  }

  async *#parts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InputPart> {
    // A `sep=` line is no row to the program that wrote it.
    const format = { delimiter: this.#delimiter, hasCarriageReturn: this.#survey.hasCarriageReturn };
    const uncounted = this.#hasSeparatorLine ? 1 : 0;
    try {
      for await (const part of readRecords(decodedToUtf8(chunks, this.#survey), format)) {
        if (part.kind === 'fault') yield { ...part, row: part.row - uncounted };
        else if (part.firstRow > uncounted) yield { ...part, firstRow: part.firstRow - uncounted };
        else yield { ...part, records: part.records.slice(uncounted) };
      }
    } catch (error) {
      if (!isDecodingError(error)) throw error;
      yield { kind: 'fault', code: 'undecodable', row: null };
    }
  }
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Blank rows and rows of empty cells are what people leave between blocks; they are counted and skipped. */
function isBlank(cells: string[]): boolean {
  for (const cell of cells) if (cell.trim() !== '') return false;
  return true;
}

function isDecodingError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
