import { parse } from 'csv-parse/sync';
import { assert } from '../../domain/refusal.ts';

export type Delimiter = ',' | ';' | '\t' | '|';

/** Some whole records, or the reason why no more can be read. Rows are numbered as a spreadsheet program numbers them. */
export type CsvPart = { kind: 'records'; firstRow: number; records: string[][] } | CsvFault;

type FaultCode = 'quote_not_closed' | 'text_after_quote' | 'record_too_long';
type CsvFault = { kind: 'fault'; code: FaultCode; row: number };

/** No payout needs a mebibyte, and memory must have a bound: reading ends where no record has ended for so long. */
export const RECORD_LENGTH_MAX = 1024 * 1024;

/**
 * Reads the records of CSV text. Blank lines are records too (one empty cell), so a record's row is its ordinal; a quoted
 * cell of several lines is one row. Ends after a fault.
 *
 * A quote inside a bare cell is a character like any other, as in spreadsheet programs. Text behind a closing quote is a
 * fault: it is how an unclosed quote shows that has swallowed rows, and a payout in one of them would be lost.
 */
export async function* readRecords(texts: AsyncIterable<string>, delimiter: Delimiter): AsyncGenerator<CsvPart> {
  let row = 1;
  let rest = '';
  const fault = (code: FaultCode): CsvFault => ({ kind: 'fault', code, row });
  for await (const text of piecesOf(texts)) {
    const division = divide(rest + text, delimiter, false);
    const { records, isFault, isOpen } = division;
    if (records.length > 0) yield { kind: 'records', firstRow: row, records };
    row += records.length;
    rest = division.rest;
    const isTooLong = rest.length > RECORD_LENGTH_MAX;
    if (isFault) yield fault('text_after_quote');
    else if (isTooLong) yield fault(isOpen ? 'quote_not_closed' : 'record_too_long');
    if (isFault || isTooLong) return;
  }
  const { records, isFault, isOpen } = divide(rest, delimiter, true);
  if (records.length > 0) yield { kind: 'records', firstRow: row, records };
  row += records.length;
  if (isFault) yield fault('text_after_quote');
  else if (isOpen) yield fault('quote_not_closed');
}

/** Splits each text at its first line break, so that only the record it continues is joined with the text before, not all of it. */
async function* piecesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) {
    const edge = text.indexOf('\n') + 1;
    yield text.slice(0, edge);
    yield text.slice(edge);
  }
}

export type Division = {
  records: string[][];
  /** The begin of the record that has not ended. */
  rest: string;
  /** Whether text follows a closing quote behind the records. */
  isFault: boolean;
  /** Whether the text ends inside a quoted cell. */
  isOpen: boolean;
};

/**
 * Divides a text that begins with a record into records. Nearly all records have no quote: they are lines, and splitting
 * them is several times as fast as parsing. csv-parse reads the cells with quotes, all of a text at once.
 */
export function divide(text: string, delimiter: Delimiter, isWhole: boolean): Division {
  const records: string[][] = [];
  const quoted: QuotedCell[] = [];
  const divided = (at: number, { isFault = false, isOpen = false } = {}): Division => {
    fillIn(quoted, delimiter);
    return { records, rest: text.slice(at), isFault, isOpen };
  };
  // A carriage return at the end may be the first half of a line break.
  const limit = !isWhole && text.endsWith('\r') ? text.length - 1 : text.length;
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const lineBreak = lastLineBreak(text, at, quote === -1 ? limit : quote);
    if (lineBreak !== -1) {
      const isOfTwo = lineBreak > at && text[lineBreak] === '\n' && text[lineBreak - 1] === '\r';
      for (const line of linesOf(text.slice(at, isOfTwo ? lineBreak - 1 : lineBreak)))
        records.push(line.split(delimiter));
      at = lineBreak + 1;
    }
    if (quote === -1) {
      if (!isWhole || at === text.length) return divided(at);
      records.push(text.slice(at).split(delimiter));
      return divided(text.length);
    }
    const end = endOfRecord(text, at, delimiter);
    if (end === TEXT_BEHIND_QUOTE) return divided(at, { isFault: true });
    if (end === QUOTE_NOT_CLOSED) return divided(at, { isOpen: true });
    if (end >= limit && !isWhole) return divided(at);
    records.push(cellsOf(text, at, end, delimiter, quoted));
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return divided(text.length);
}

/** Where the last line break between two places ends, or -1. */
function lastLineBreak(text: string, from: number, to: number): number {
  for (let at = to - 1; at >= from; at--) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED || unit === CARRIAGE_RETURN) return at;
  }
  return -1;
}

/** A file that was put together from parts can have all three line breaks. */
function linesOf(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}

/** A cell with quotes, as it is written, and where it belongs. */
type QuotedCell = { record: string[]; column: number; written: string };

/** The cells of a record, but for those with quotes, which are added to `quoted`. */
function cellsOf(text: string, from: number, end: number, delimiter: Delimiter, quoted: QuotedCell[]): string[] {
  const record: string[] = [];
  for (let at = from; at <= end; at++) {
    const begin = at;
    at = endOfCell(text, begin, delimiter);
    const written = text.slice(begin, at);
    if (text[begin] === '"') quoted.push({ record, column: record.length, written });
    record.push(written);
  }
  return record;
}

/** Puts what csv-parse reads of the cells with quotes at their places. */
function fillIn(quoted: readonly QuotedCell[], delimiter: Delimiter): void {
  if (quoted.length === 0) return;
  const lines = quoted.map(({ written }) => written).join('\n');
  const parsed: string[][] = parse(lines, { delimiter, record_delimiter: '\n' });
  assert(parsed.length === quoted.length, 'csv-parse gives one record for each');
  for (const [at, { record, column }] of quoted.entries()) record[column] = parsed[at]?.[0] ?? '';
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const QUOTE_NOT_CLOSED = -1;
const TEXT_BEHIND_QUOTE = -2;

function endOfRecord(text: string, from: number, delimiter: Delimiter): number {
  let end = endOfCell(text, from, delimiter);
  while (end >= 0 && text[end] === delimiter) end = endOfCell(text, end + 1, delimiter);
  return end;
}

/**
 * Where the cell that begins at `from` ends: at a delimiter, a line break, or the end of the text. A quote opens a cell only
 * at its begin. Less than zero where the quote is not closed, or where text follows the closing one.
 */
export function endOfCell(text: string, from: number, delimiter: Delimiter): number {
  let at = from;
  if (text[from] === '"') {
    at = text.indexOf('"', from + 1);
    while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
    if (at === -1) return QUOTE_NOT_CLOSED;
    at++;
    return at === text.length || endsCell(text, at, delimiter) ? at : TEXT_BEHIND_QUOTE;
  }
  while (at < text.length && !endsCell(text, at, delimiter)) at++;
  return at;
}

function endsCell(text: string, at: number, delimiter: Delimiter): boolean {
  const unit = text.charCodeAt(at);
  return unit === delimiter.charCodeAt(0) || unit === LINE_FEED || unit === CARRIAGE_RETURN;
}
