import { CsvRecords } from './csv-records.ts';
import type { Delimiter } from './delimiter.ts';

/** Some whole records, or the reason why no more can be read. Rows are numbered as a spreadsheet program numbers them. */
export type CsvPart =
  | { kind: 'records'; firstRow: number; records: string[][] }
  | { kind: 'fault'; code: 'quote_not_closed' | 'text_after_quote' | 'record_too_long'; row: number };

/** No payout needs a mebibyte, and memory must have a bound: reading ends where no record has ended for so long. */
export const RECORD_BYTES_MAX = 1024 * 1024;

/** Larger chunks are read in pieces of this size, so that the records of one piece are all that is held. */
const PIECE_BYTES = 16 * 1024;

/**
 * Reads the records of CSV text in UTF-8. Blank lines are records too (one empty cell), so a record's row is its ordinal;
 * a quoted cell of several lines is one row. Ends after a fault.
 *
 * A quote inside a bare cell is a character like any other, as in spreadsheet programs. Text behind a closing quote is a
 * fault: it is how an unclosed quote shows that has swallowed rows, and a payout in one of them would be lost.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>, delimiter: Delimiter): AsyncGenerator<CsvPart> {
  const reader = new CsvRecords(delimiter);
  let row = 1;
  let bytesSinceRecord = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      const { records, isAtFault } = reader.take(piece);
      if (records.length > 0) yield { kind: 'records', firstRow: row, records };
      row += records.length;
      bytesSinceRecord = records.length > 0 ? 0 : bytesSinceRecord + piece.length;
      if (isAtFault) {
        yield { kind: 'fault', code: 'text_after_quote', row };
        return;
      }
      if (bytesSinceRecord > RECORD_BYTES_MAX) {
        yield { kind: 'fault', code: reader.isInsideQuotes ? 'quote_not_closed' : 'record_too_long', row };
        return;
      }
    }
  }
  if (reader.isInsideQuotes) yield { kind: 'fault', code: 'quote_not_closed', row };
  const last = reader.isInsideQuotes ? null : reader.takeLast();
  if (last !== null) yield { kind: 'records', firstRow: row, records: [last] };
}
