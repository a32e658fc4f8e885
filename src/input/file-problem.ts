import type { Problem } from '../domain/problem.ts';
import { RECORD_BYTES_MAX } from './csv.ts';

/** Why a file cannot be read, or not to its end. */
export type FileFault =
  | 'file_empty'
  | 'not_text'
  | 'mixed_encodings'
  | 'undecodable'
  | 'no_payouts'
  | 'quote_not_closed'
  | 'text_after_quote'
  | 'record_too_long';

const RECORD_LIMIT = `${RECORD_BYTES_MAX / 1024 / 1024} MiB`;
const SAVE_AGAIN = 'Open the file in the program that made it and save it as CSV UTF-8.';

const WORDS: Readonly<Record<FileFault, { message: string; remedy: string }>> = {
  file_empty: {
    message: 'The file is empty.',
    remedy: 'Save the sheet again, with a header in its first row and one payout in each row below.',
  },
  not_text: { message: 'The file is not text.', remedy: SAVE_AGAIN },
  mixed_encodings: {
    message: 'The file mixes two encodings, so some of its letters would be read wrong; those show as \ufffd.',
    remedy: SAVE_AGAIN,
  },
  undecodable: {
    message: 'The file begins as UTF-16 text and then is none, so it is damaged or cut off.',
    remedy: SAVE_AGAIN,
  },
  no_payouts: {
    message: 'The file has a header and no payouts under it.',
    remedy: 'Add a row for each payout.',
  },
  quote_not_closed: {
    message: `A double quote opens a cell in this row and is not closed (a row has ${RECORD_LIMIT} at most), so nothing from here on could be read.`,
    remedy: 'Close the quote, or write a quote that belongs to the text as two ("").',
  },
  text_after_quote: {
    message:
      'Text follows a closing double quote in this row, so it is not clear where the cell ends, and nothing from here on could be read.',
    remedy: 'Write a quote that belongs to the text as two (""), and close a quote that is left open before it.',
  },
  record_too_long: {
    message: `The row is longer than ${RECORD_LIMIT}, so nothing from here on was read.`,
    remedy: 'Make sure that the file is a table with one payout in each row.',
  },
};

/** The problem that a fault of the file is. `row` is where it begins, or null for the file as a whole. */
export function fileProblem(code: FileFault, row: number | null): Problem {
  return { severity: 'error', code, sheet: null, row, column: null, cell: null, value: null, ...WORDS[code] };
}
