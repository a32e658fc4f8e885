import type { EncodingReading, FileProblems } from '../../domain/problems/input-problems.ts';
import { listed, number } from '../text.ts';
import { plural, t, textTable } from '../translate.ts';
import { encodingName } from './field-names.ts';
import type { ProblemWords, WordsOf } from './words.ts';

const saveAgain = () => t`Open the file in the program that made it and save it as CSV UTF-8.`;
const saveAsXlsx = () => t`Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8.`;

export const FILE_WORDS: WordsOf<FileProblems> = textTable({
  file_empty: {
    message: 'The file is empty.',
    remedy: 'Save the sheet again, with a header in its first row and one payout in each row below.',
  },
  not_text: ({ zeroBytes = [] }) => ({
    message: t`The file is not text${zeroBytes.length === 0 ? '' : t`: it has zero bytes, the first at ${listed(zeroBytes.map(String))} (bytes of the file, from 0)`}.`,
    remedy: saveAgain(),
  }),
  mixed_encodings: {
    message: 'The file mixes two encodings, so some of its letters would be read wrong; those show as \ufffd.',
    get remedy() {
      return saveAgain();
    },
  },
  undecodable: {
    message: 'The file has bytes that are invalid in its encoding, so it is damaged, cut off, or in another encoding.',
    remedy: {
      command_line: `${saveAgain()} If --encoding names its encoding, name another.`,
      page: ({ reading }) => t`${saveAgain()} If its encoding was chosen under ${reading}, choose another.`,
    },
  },
  no_payouts: { message: 'The file has a header and no payouts under it.', remedy: 'Add a row for each payout.' },
  quote_not_closed: ({ mebibytes }) => ({
    message: t`A double quote opens a cell in this row and is not closed (a row has ${mebibytes} MiB at most), so nothing from here on could be read.`,
    remedy: t`Close the quote, or write a quote that belongs to the text as two ("").`,
  }),
  text_after_quote: {
    message:
      'Text follows a closing double quote in this row, so it is unclear where the cell ends. Nothing after this could be read.',
    remedy: 'Write a quote that belongs to the text as two (""), and close a quote that is left open before it.',
  },
  record_too_long: ({ mebibytes }) => ({
    message: t`The row is longer than ${mebibytes} MiB, so nothing from here on was read.`,
    remedy: t`Make sure that the file is a table with one payout in each row.`,
  }),
  too_many_columns: ({ columns }) => ({
    message: t`The row has more than ${number(columns)} columns, so nothing of the file was read.`,
    remedy: t`Save the table alone, with one payout in each row: leave out the columns that no payout needs, and check that rows and columns are not swapped.`,
  }),
  pdf_named_text: {
    message: 'The file is a PDF document, whatever its name says.',
    remedy:
      'Ask its author for the spreadsheet, or export the list as .xlsx or CSV UTF-8 from the program it came from.',
  },
  xml_spreadsheet: {
    message: 'The file is an XML spreadsheet of Excel 2003, whatever its name says, which payrun does not read.',
    get remedy() {
      return saveAsXlsx();
    },
  },
  web_archive: {
    message: 'The file is a web archive (MHTML), whatever its name says, which payrun does not read.',
    get remedy() {
      return saveAsXlsx();
    },
  },
  web_page_without_table: {
    message: 'The file is a web page (HTML), whatever its name says, and has no table.',
    remedy: 'Export the list as .xlsx or CSV UTF-8 from the program it came from.',
  },
  web_page_unclear: {
    message:
      'The file is a web page (HTML), and its table is not clear: it holds other tables, hidden parts or form fields, so that people may see something else than is written.',
    get remedy() {
      return saveAsXlsx();
    },
  },
  not_a_workbook: {
    message: 'The file is neither a workbook nor text.',
    remedy: 'Open it in the program that made it, and save its table as .xlsx or CSV UTF-8.',
  },
  workbook_binary: {
    message: 'The workbook is of the binary kind (.xlsb), which payrun does not read.',
    get remedy() {
      return saveAsXlsx();
    },
  },
  workbook_damaged: {
    message: 'The workbook is damaged, so not all of it could be read.',
    remedy: 'Open it in your spreadsheet program, check that all rows are there, and save it as .xlsx again.',
  },
  workbook_encrypted: {
    message: 'The workbook is protected with a password, so it cannot be read.',
    remedy: 'Save a copy without a password.',
  },
  workbook_too_old: {
    message: 'The workbook is of Excel 95 or older, which payrun does not read.',
    get remedy() {
      return saveAsXlsx();
    },
  },
  spreadsheet_too_large: {
    message: 'Reading the spreadsheet takes more memory or time than payouts need.',
    remedy: 'Save the sheet with the payouts alone as .xlsx or CSV UTF-8; large files are best as CSV.',
  },
  workbook_too_large: {
    message: 'The workbook unpacks to more than payouts need: to over 256 MiB and 24 times its size, or to over 2 GiB.',
    remedy: 'Save the sheet alone as .xlsx or CSV UTF-8; large files are best as CSV.',
  },
  charset_not_read: ({ charset }) => ({
    message: t`The page says that its encoding is ${charset}, which payrun does not read, so its letters would be read wrong.`,
    remedy: {
      command_line:
        'Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8; if it has another encoding, name that with --encoding.',
      page: ({ reading }) =>
        t`Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8; if it has another encoding, choose that under ${reading}.`,
    },
  }),
  encoding_undecided: ({ readings, unread = [] }) => ({
    message: t`The file does not state its encoding: the same bytes read ${readings.map(readingText).join('; ')}${unread.map((each) => t`; or ${readingText(each)}, which payrun does not read`).join('')}.`,
    remedy: {
      command_line: `Save it as CSV UTF-8; or say which of them is right with --encoding, such as --encoding ${readings.find(({ encoding }) => encoding !== 'utf-8')?.encoding ?? 'windows-1250'} (in a job \`encoding\`).`,
      page: ({ reading }) =>
        t`Under ${reading}, choose the line with the correct names, or another encoding if there is none.`,
    },
  }),
  encoding_contradicted: ({ used, other }) => ({
    message:
      used.encoding === 'utf-8'
        ? t`The file is UTF-8, as its names show: they read ${readingText(used)}, and ${readingText(other)}, which was given and is not used.`
        : t`With the chosen encoding the names read ${readingText(used)}; they may be meant as ${readingText(other)}.`,
    remedy: {
      command_line:
        used.encoding === 'utf-8'
          ? `Leave ${other.encoding} out, as --encoding or in the job. If the names are right in it, save the file as CSV UTF-8.`
          : 'If the first are right, leave it as it is; otherwise say --encoding utf-8.',
      page: ({ reading }) => t`See which names are right, and choose that line under ${reading}.`,
    },
  }),
  sheet_ambiguous: ({ sheets }) => noSheet(sheets, t`${sheets.length} sheets look like payouts: ${quoted(sheets)}.`),
  sheet_hidden: ({ sheets }) => noSheet(sheets, t`The payouts seem to be on a hidden sheet: ${quoted(sheets)}.`),
  other_sheets: ({ sheets }) => ({
    message: t`Only this sheet is read, but ${quoted(sheets)} ${plural(sheets.length, 'looks', 'look')} like payouts too.`,
    remedy: {
      command_line: 'Run the file again with --sheet for each sheet that is to be paid.',
      page: t`Upload the file once more for each other sheet that is to be paid.`,
    },
  }),
  rows_hidden_by_default: {
    message: 'The sheet hides its rows, so not every program shows what would be paid.',
    remedy: 'Select all rows, unhide them, and check whether each should be paid.',
  },
  header_merged: ({ range }) => ({
    message: t`The header cells ${range} are merged, so they name the first of their columns only.`,
    remedy: t`Unmerge them and give each column its own header.`,
  }),
  cells_merged: ({ range, first }) => ({
    message: t`The cells ${range} are merged: only ${first} shows what it holds.`,
    remedy: t`Unmerge them and write the value into each cell that needs it.`,
  }),
});

function noSheet([first = '']: readonly string[], message: string): ProblemWords {
  return {
    message,
    remedy: {
      command_line: `Say which one is to be read, for example with --sheet ${JSON.stringify(first)}.`,
      page: ({ reading }) => t`Choose under ${reading} which one it is.`,
    },
  };
}

function inQuotes(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ');
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

function readingText({ names, encoding }: EncodingReading): string {
  return t`${inQuotes(names)} in ${encoding} (${encodingName(encoding)})`;
}
