import type { Problem } from '../../domain/problem.ts';
import { COLUMNS_MAX } from '../checks/row-length.ts';
import { RECORD_LENGTH_MAX } from './csv.ts';
import type { Reading } from './decide-encoding.ts';
import { LEGACY_ENCODINGS } from './legacy-encodings.ts';

/** Why a file cannot be read, or not to its end. */
export type FileFault =
  | 'file_empty'
  | 'not_text'
  | 'mixed_encodings'
  | 'undecodable'
  | 'no_payouts'
  | 'quote_not_closed'
  | 'text_after_quote'
  | 'record_too_long'
  | 'too_many_columns'
  | MisnamedFault
  | WorkbookFault;

/** What a file under the name of text is instead. */
export type MisnamedFault =
  | 'workbook_named_text'
  | 'workbook_old_named_text'
  | 'spreadsheet_named_text'
  | 'pdf_named_text';

/** Why a workbook cannot be read. */
export type WorkbookFault =
  | 'file_empty'
  | 'not_a_workbook'
  | 'workbook_binary'
  | 'workbook_damaged'
  | 'workbook_encrypted'
  | 'workbook_old'
  | 'workbook_too_large';

const RECORD_LIMIT = `${RECORD_LENGTH_MAX / 1024 / 1024} MiB`;
const SAVE_AS_XLSX = 'Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8.';
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
  too_many_columns: {
    message: `The row has more than ${COLUMNS_MAX.toLocaleString('en')} columns, so nothing of the file was read.`,
    remedy:
      'Save the table alone, with one payout in each row: leave out the columns that no payout needs, and check that rows and columns are not swapped.',
  },
  workbook_named_text: {
    message: 'The file is an Excel workbook, and its name says that it is text.',
    remedy: 'Give it a name that ends in .xlsx, and check it again.',
  },
  workbook_old_named_text: {
    message: 'The file is a workbook of the old kind (.xls) or one with a password, and its name says that it is text.',
    remedy: 'Give it a name that ends in .xls, open it in your spreadsheet program and save it as .xlsx or CSV UTF-8.',
  },
  spreadsheet_named_text: {
    message: 'The file is a spreadsheet of LibreOffice or a like program (.ods), and its name says that it is text.',
    remedy: 'Give it a name that ends in .ods, open it in your spreadsheet program and save it as .xlsx or CSV UTF-8.',
  },
  pdf_named_text: {
    message: 'The file is a PDF document, and its name says that it is text.',
    remedy:
      'Ask whoever made it for the spreadsheet, or export the list as .xlsx or CSV UTF-8 from the program that has it.',
  },
  not_a_workbook: {
    message: 'The file is named .xlsx and is no XLSX workbook.',
    remedy: 'Open it in your spreadsheet program and save it as .xlsx; if it is text, name it .csv.',
  },
  workbook_binary: {
    message: 'The workbook is of the binary kind (.xlsb), which payrun does not read.',
    remedy: SAVE_AS_XLSX,
  },
  workbook_damaged: {
    message: 'The workbook is damaged, so not all of it could be read.',
    remedy: 'Open it in your spreadsheet program, look whether all rows are there, and save it as .xlsx again.',
  },
  workbook_encrypted: {
    message: 'The workbook is protected with a password, so it cannot be read.',
    remedy: 'Save a copy without a password.',
  },
  workbook_old: {
    message: 'The workbook is of the old kind (.xls), whatever its name says.',
    remedy: SAVE_AS_XLSX,
  },
  workbook_too_large: {
    message: 'The workbook unpacks to more than payouts need: to over 256 MiB and 24 times its size, or to over 2 GiB.',
    remedy: 'Save the sheet alone as .xlsx or CSV UTF-8; large files are best as CSV.',
  },
};

/** The question which encoding a text has, where its bytes read as words in several. */
export function encodingProblem(readings: readonly Reading[]): Problem {
  const shown = readings.map(({ encoding, text }) => `“${text}” in ${encoding} (${LEGACY_ENCODINGS[encoding]})`);
  return {
    ...OF_FILE,
    code: 'encoding_undecided',
    message: `The file does not show its encoding: the same bytes read ${shown.join(', ')}.`,
    remedy: { code: 'save_as_utf8_or_name_encoding' },
  };
}

const OF_FILE = { severity: 'error', sheet: null, row: null, column: null, cell: null, value: null } as const;

/** The problem that a fault of the file is. `row` is where it begins, or null for the file as a whole. */
export function fileProblem(code: FileFault, row: number | null): Problem {
  return { ...OF_FILE, code, row, ...WORDS[code] };
}
