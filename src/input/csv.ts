import { Parser } from 'csv-parse';
import type { Delimiter } from './delimiter.ts';

/** Some whole records, or the reason why no more can be read. Rows are numbered as a spreadsheet program numbers them. */
export type CsvPart =
  | { kind: 'records'; firstRow: number; records: string[][] }
  | { kind: 'fault'; code: 'quote_not_closed' | 'text_after_quote' | 'record_too_long'; row: number };

/** How the text is divided. Without a carriage return in the whole of it, the parser has less to compare. */
export type CsvFormat = { delimiter: Delimiter; hasCarriageReturn: boolean };

/** The parser gives up where no record has ended for so long: no payout needs a mebibyte, and memory must have a bound. */
export const RECORD_BYTES_MAX = 1024 * 1024;

/** Larger chunks are parsed in pieces of this size, so that the records of one piece are all that is held. */
const PIECE_BYTES = 16 * 1024;

/** What makes the parser go on with the bytes that it holds back to look ahead; it is itself never part of a record. */
const PUSH = Buffer.from('x'.repeat(16));

/**
 * Reads the records of CSV text in UTF-8. Blank lines are records too (one empty cell), so a record's row is its ordinal;
 * a quoted cell of several lines is one row. Ends after a fault.
 *
 * A quote inside a bare cell is a character like any other, as in spreadsheet programs. Text behind a closing quote is a
 * fault: it is how an unclosed quote shows that has swallowed rows, and a payout in one of them would be lost.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>, format: CsvFormat): AsyncGenerator<CsvPart> {
  const parser = newParser(format);
  const quotes = new QuoteScanner(format.delimiter);
  let row = 1;
  let bytesSinceRecord = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      const faultAt = quotes.scan(piece);
      const records = parse(parser, faultAt === -1 ? piece : Buffer.concat([piece.subarray(0, faultAt), PUSH]));
      if (records.length > 0) yield { kind: 'records', firstRow: row, records };
      row += records.length;
      bytesSinceRecord = records.length > 0 ? 0 : bytesSinceRecord + piece.length;
      if (bytesSinceRecord > RECORD_BYTES_MAX) {
        parser.destroy();
        yield { kind: 'fault', code: quotes.isInside ? 'quote_not_closed' : 'record_too_long', row };
        return;
      }
      if (faultAt === -1) continue;
      parser.destroy();
      yield { kind: 'fault', code: 'text_after_quote', row };
      return;
    }
  }
  yield* lastRecords(parser, row, quotes.isInside);
}

async function* lastRecords(parser: Parser, row: number, isInsideQuotes: boolean): AsyncGenerator<CsvPart> {
  const records: string[][] = [];
  if (isInsideQuotes) {
    records.push(...parse(parser, PUSH));
    parser.destroy();
  } else {
    parser.end();
    for await (const record of parser) records.push(record);
  }
  if (records.length > 0) yield { kind: 'records', firstRow: row, records };
  if (isInsideQuotes) yield { kind: 'fault', code: 'quote_not_closed', row: row + records.length };
}

function newParser(format: CsvFormat): Parser {
  return new Parser({
    delimiter: format.delimiter,
    // All three, because files that were put together from parts have more than one.
    record_delimiter: format.hasCarriageReturn ? ['\r\n', '\n', '\r'] : ['\n'],
    relax_column_count: true,
    relax_quotes: true,
  });
}

/** The records that become whole with these bytes. The parser transforms within `write`, so no turn passes per record. */
function parse(parser: Parser, bytes: Uint8Array): string[][] {
  const records: string[][] = [];
  parser.write(bytes);
  for (let record = parser.read(); record !== null; record = parser.read()) records.push(record);
  return records;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Follows the quotes ahead of the parser, from quote to quote, and finds text behind a closing one. */
class QuoteScanner {
  readonly #delimiter: number;
  #state: 'outside' | 'inside' | 'closing' = 'outside';
  /** The byte before the piece. A file begins like a cell does. */
  #before = LINE_FEED;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Whether a quote is open behind the last piece. A closing one at the very end has closed. */
  get isInside(): boolean {
    return this.#state === 'inside';
  }

  /** Where in the piece text follows a closing quote, or -1. */
  scan(piece: Uint8Array): number {
    let at = 0;
    while (at < piece.length) {
      if (this.#state === 'closing') {
        const byte = piece[at] ?? 0;
        if (byte !== QUOTE && !this.#endsCell(byte)) return at;
        this.#state = byte === QUOTE ? 'inside' : 'outside';
        at++;
        continue;
      }
      const quoteAt = piece.indexOf(QUOTE, at);
      if (quoteAt === -1) break;
      if (this.#state === 'inside') this.#state = 'closing';
      else if (this.#endsCell(quoteAt === 0 ? this.#before : (piece[quoteAt - 1] ?? 0))) this.#state = 'inside';
      at = quoteAt + 1;
    }
    this.#before = piece[piece.length - 1] ?? this.#before;
    return -1;
  }

  #endsCell(byte: number): boolean {
    return byte === this.#delimiter || byte === LINE_FEED || byte === CARRIAGE_RETURN;
  }
}
