import { Parser } from 'csv-parse';
import { assert } from '../../domain/refusal.ts';
import type { Delimiter } from './delimiter.ts';

/** What a piece of text completes. `isAtFault`: behind these records text follows a closing quote. */
export type Taken = { records: string[][]; isAtFault: boolean };

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** All three, because files that were put together from parts have more than one. */
const LINE_BREAK = /\r\n|\n|\r/;

const NOTHING = new Uint8Array(0);

/**
 * Divides CSV text, given piece by piece in UTF-8, into records. A record with a quote anywhere is read by csv-parse.
 * Nearly all have none: they are lines, and their cells are what stands between delimiters, which is found several times
 * as fast without looking at each byte. Both ways give the same.
 */
export class CsvRecords {
  readonly #delimiter: Delimiter;
  readonly #quoted: QuotedRecords;
  readonly #quotes: QuoteScanner;
  /** The begin of the record whose end has not come. */
  #held: Uint8Array[] = [];
  /** Whether that record has a quote. */
  #isQuoted = false;
  /** The byte before the piece. A file begins like a record does. */
  #before = LINE_FEED;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
    this.#quoted = new QuotedRecords(delimiter);
    this.#quotes = new QuoteScanner(delimiter);
  }

  /** Whether a quote is open behind the last piece. A closing one at the very end has closed. */
  get isInsideQuotes(): boolean {
    return this.#isQuoted && this.#quotes.isInside;
  }

  take(piece: Uint8Array): Taken {
    const records: string[][] = [];
    // The carriage return has ended its record already, and the line feed is of the same line break.
    let at = this.#before === CARRIAGE_RETURN && piece[0] === LINE_FEED && !this.isInsideQuotes ? 1 : 0;
    while (at !== -1 && at < piece.length)
      at = this.#isQuoted ? this.#takeQuoted(piece, at, records) : this.#takeLines(piece, at, records);
    this.#before = piece[piece.length - 1] ?? this.#before;
    return { records, isAtFault: at === -1 };
  }

  /** The record that no line break ends, or null. */
  takeLast(): string[] | null {
    if (this.#held.length === 0) return null;
    const bytes = this.#takeHeld(NOTHING);
    return this.#isQuoted ? this.#quoted.read(bytes) : textOf(bytes).split(this.#delimiter);
  }

  /** Takes the lines before the next quote. Returns where that is, or the length of the piece. */
  #takeLines(piece: Uint8Array, from: number, records: string[][]): number {
    const quoteAt = piece.indexOf(QUOTE, from);
    const until = quoteAt === -1 ? piece.length : quoteAt;
    const end = lastLineBreak(piece, from, until);
    if (end >= from) {
      const isOfTwo = piece[end] === LINE_FEED && end > from && piece[end - 1] === CARRIAGE_RETURN;
      const text = textOf(this.#takeHeld(piece.subarray(from, isOfTwo ? end - 1 : end)));
      for (const line of text.includes('\r') ? text.split(LINE_BREAK) : text.split('\n'))
        records.push(line.split(this.#delimiter));
    }
    if (end + 1 < until) this.#held.push(Buffer.from(piece.subarray(end + 1, until)));
    if (quoteAt === -1) return until;
    this.#isQuoted = true;
    this.#quotes.start(quoteAt === 0 ? this.#before : (piece[quoteAt - 1] ?? LINE_FEED));
    return quoteAt;
  }

  /** Takes the rest of a record with quotes. Returns where the next one begins, the length of the piece, or -1 at a fault. */
  #takeQuoted(piece: Uint8Array, from: number, records: string[][]): number {
    const end = this.#quotes.findEnd(piece, from);
    if (end === -1) return -1;
    if (end === piece.length) {
      this.#held.push(Buffer.from(piece.subarray(from)));
      return end;
    }
    records.push(this.#quoted.read(this.#takeHeld(piece.subarray(from, end))));
    this.#isQuoted = false;
    return piece[end] === CARRIAGE_RETURN && piece[end + 1] === LINE_FEED ? end + 2 : end + 1;
  }

  /** All bytes of the record that is held, with the rest of it. */
  #takeHeld(rest: Uint8Array): Uint8Array {
    if (this.#held.length === 0) return rest;
    const bytes = Buffer.concat([...this.#held, rest]);
    this.#held = [];
    return bytes;
  }
}

/** Where the last line break before `until` ends, or `from - 1`. */
function lastLineBreak(piece: Uint8Array, from: number, until: number): number {
  let at = until - 1;
  while (at >= from && piece[at] !== LINE_FEED && piece[at] !== CARRIAGE_RETURN) at--;
  return at;
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** The line break, and blank lines, which are passed over: they make csv-parse go on with what it holds to look ahead. */
const PUSH = Buffer.from('\n\n\n\n');

/** Reads records with quotes by csv-parse, one at a time. */
class QuotedRecords {
  readonly #delimiter: Delimiter;
  #parser: Parser | null = null;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  /** The cells of a whole record without its line break. It must not have text behind a closing quote. */
  read(record: Uint8Array): string[] {
    this.#parser ??= new Parser({
      delimiter: this.#delimiter,
      record_delimiter: ['\n'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
    // The parser transforms within `write`, so that no turn passes.
    this.#parser.write(Buffer.concat([record, PUSH]));
    const cells: string[] | null = this.#parser.read();
    assert(cells !== null && this.#parser.read() === null, 'csv-parse did not give the one record');
    return cells;
  }
}

/** Follows the quotes of a record to its end. */
class QuoteScanner {
  readonly #delimiter: number;
  #state: 'outside' | 'inside' | 'closing' = 'outside';
  #before = LINE_FEED;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Begins at the first quote of a record, behind the byte `before`. */
  start(before: number): void {
    this.#state = 'outside';
    this.#before = before;
  }

  get isInside(): boolean {
    return this.#state === 'inside';
  }

  /** The line break that ends the record, the length of the piece where none does, or -1 where text follows a closing quote. */
  findEnd(piece: Uint8Array, from: number): number {
    let before = this.#before;
    for (let at = from; at < piece.length; at++) {
      if (this.#state === 'inside') {
        const quoteAt = piece.indexOf(QUOTE, at);
        if (quoteAt === -1) break;
        this.#state = 'closing';
        at = quoteAt;
        continue;
      }
      const byte = piece[at] ?? 0;
      const isQuote = byte === QUOTE;
      if (this.#state === 'closing') {
        if (!isQuote && !this.#endsCell(byte)) return -1;
        this.#state = isQuote ? 'inside' : 'outside';
      } else if (isQuote && this.#endsCell(before)) this.#state = 'inside';
      if (this.#state === 'outside' && isLineBreak(byte)) return at;
      before = byte;
    }
    this.#before = before;
    return piece.length;
  }

  #endsCell(byte: number): boolean {
    return byte === this.#delimiter || isLineBreak(byte);
  }
}

function isLineBreak(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
