import type { FileProblems } from '../../domain/problems/input-problems.ts';
import type { ProblemWords, WordsOf } from './words.ts';

const SAVE_AGAIN = 'Open the file in the program that made it and save it as CSV UTF-8.';
const SAVE_AS_XLSX = 'Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8.';

export const FILE_WORDS: WordsOf<FileProblems> = {
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
  no_payouts: { message: 'The file has a header and no payouts under it.', remedy: 'Add a row for each payout.' },
  quote_not_closed: ({ mebibytes }) => ({
    message: `A double quote opens a cell in this row and is not closed (a row has ${mebibytes} MiB at most), so nothing from here on could be read.`,
    remedy: 'Close the quote, or write a quote that belongs to the text as two ("").',
  }),
  text_after_quote: {
    message:
      'Text follows a closing double quote in this row, so it is not clear where the cell ends, and nothing from here on could be read.',
    remedy: 'Write a quote that belongs to the text as two (""), and close a quote that is left open before it.',
  },
  record_too_long: ({ mebibytes }) => ({
    message: `The row is longer than ${mebibytes} MiB, so nothing from here on was read.`,
    remedy: 'Make sure that the file is a table with one payout in each row.',
  }),
  too_many_columns: ({ columns }) => ({
    message: `The row has more than ${columns.toLocaleString('en')} columns, so nothing of the file was read.`,
    remedy:
      'Save the table alone, with one payout in each row: leave out the columns that no payout needs, and check that rows and columns are not swapped.',
  }),
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
      'Ask its author for the spreadsheet, or export the list as .xlsx or CSV UTF-8 from the program that has it.',
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
  workbook_old: { message: 'The workbook is of the old kind (.xls), whatever its name says.', remedy: SAVE_AS_XLSX },
  workbook_too_large: {
    message: 'The workbook unpacks to more than payouts need: to over 256 MiB and 24 times its size, or to over 2 GiB.',
    remedy: 'Save the sheet alone as .xlsx or CSV UTF-8; large files are best as CSV.',
  },
  encoding_undecided: ({ readings }) => ({
    message: `The file does not show its encoding: the same bytes read ${readings.map(({ text, encoding, name }) => `“${text}” in ${encoding} (${name})`).join(', ')}.`,
    remedy: {
      command_line: 'Save it as CSV UTF-8; or say which of them is right with --encoding (in a job `encoding`).',
      page: 'Save it as CSV UTF-8.',
    },
  }),
  sheet_ambiguous: ({ sheets }) => noSheet(sheets, `${sheets.length} sheets look like payouts: ${quoted(sheets)}.`),
  sheet_hidden: ({ sheets }) => noSheet(sheets, `The payouts seem to be on a hidden sheet: ${quoted(sheets)}.`),
  other_sheets: ({ sheets }) => ({
    message: `Only this sheet is read, and ${quoted(sheets)} ${sheets.length === 1 ? 'looks' : 'look'} like payouts too.`,
    remedy: {
      command_line: 'Run the file again with --sheet for each sheet that is to be paid.',
      page: 'Upload the file once more for each other sheet that is to be paid.',
    },
  }),
  rows_hidden_by_default: {
    message: 'The sheet hides its rows, so not every program shows what would be paid.',
    remedy: 'Select all rows, unhide them, and look whether each is to be paid.',
  },
  header_merged: ({ range }) => ({
    message: `The header cells ${range} are merged, so they name the first of their columns only.`,
    remedy: 'Unmerge them and give each column its own header.',
  }),
  cells_merged: ({ range, first }) => ({
    message: `The cells ${range} are merged: only ${first} shows what it holds.`,
    remedy: 'Unmerge them and write the value into each cell that needs it.',
  }),
};

function noSheet([first = '']: readonly string[], message: string): ProblemWords {
  return {
    message,
    remedy: {
      command_line: `Say which one is to be read, for example with --sheet ${JSON.stringify(first)}.`,
      page: ({ reading }) => `Choose under ${reading} which one it is.`,
    },
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
