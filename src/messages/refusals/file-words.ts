import type { FileTrouble, ModulusFault } from '../../domain/refusals/file-reasons.ts';
import { number } from '../text.ts';
import { t, textTable } from '../translate.ts';
import type { RefusalWords, WordsOf } from './refusal-words.ts';
import { setUpWords } from './set-up-words.ts';

const saveAs = () => t`Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8.`;
const SPLIT_FOR_COPY = textTable({
  command_line: 'Split the file, or take the problems from check --json.',
  page: 'Split the file.',
});

/** Why an input, a table beside it, or a copy of it, was refused. */
export const FILE_WORDS: WordsOf<
  | 'file_unusable'
  | 'file_changed'
  | 'no_such_sheet'
  | 'text_has_no_sheets'
  | 'too_large_to_annotate'
  | 'bank_file_not_copied'
  | 'too_large_to_fix'
  | 'character_not_in_encoding'
  | 'modulus_table_unusable'
> = {
  file_unusable: ({ path, ...trouble }) => ({ ...troubleWords(path, trouble), details: { path } }),
  file_changed: ({ name }) => ({
    message: t`${name} changed while it was read.`,
    remedy: t`Close it elsewhere and run again.`,
  }),
  no_such_sheet: ({ name, path, sheet, sheets }) => ({
    message: t`${name} has no sheet ${JSON.stringify(sheet)}.`,
    remedy: {
      command_line: `Its sheets are ${sheets.map((one) => JSON.stringify(one)).join(', ')}.`,
      page: t`Reset the file settings. Its sheets are ${sheets.map((one) => JSON.stringify(one)).join(', ')}.`,
    },
    details: { path },
  }),
  text_has_no_sheets: ({ name, path }) => ({
    message: t`${name} is text and has no sheets.`,
    remedy: { command_line: 'Leave --sheet out.', page: t`Reset the file settings.` },
    details: { path },
  }),
  too_large_to_annotate: ({ name, rowsMax }) => ({
    message: {
      command_line:
        rowsMax === null
          ? `${name} with its problems marked would be larger than check reads.`
          : `${name} has more than ${number(rowsMax)} rows, and a spreadsheet holds no more.`,
      page: t`The file is too large for a copy with comments.`,
    },
    remedy: SPLIT_FOR_COPY,
  }),
  bank_file_not_copied: ({ name }) => ({
    message: t`${name} is a bank file: payrun writes no copy of it, because its control figures would no longer be right.`,
    remedy: t`Correct it in the program that made it, and export it again.`,
  }),
  too_large_to_fix: ({ name, mebibytes }) => ({
    message: {
      command_line: `${name} is larger than ${mebibytes} MiB, too large for --fix.`,
      page: t`The file is too large for a corrected copy.`,
    },
    remedy: t`Split it into several files.`,
  }),
  character_not_in_encoding: ({ encoding, character }) => ({
    message: t`The file's encoding, ${encoding.replace(/^[wm]/, (letter) => letter.toUpperCase())}, has no ${character}.`,
    remedy: t`Save it as CSV UTF-8.`,
  }),
  modulus_table_unusable: ({ path, line, ...fault }) => ({
    ...setUpWords(
      'modulus_table',
      `${path}:${line}: ${modulusText(fault)}`,
      t`Give the files as Pay.UK publishes them: valacdos.txt with --modulus-table, scsubtab.txt with --modulus-substitutions.`,
    ),
    details: { path },
  }),
};

function troubleWords(path: string, trouble: FileTrouble): Pick<RefusalWords, 'message' | 'remedy'> {
  switch (trouble.why) {
    case 'absent':
      return { message: t`There is no file ${path}.`, remedy: t`Check the name and the folder.` };
    case 'folder':
      return { message: t`${path} is a folder.`, remedy: t`Give the name of one file inside it.` };
    case 'not_plain':
      return { message: t`${path} is not a plain file.`, remedy: t`Save the data to a file and give its name.` };
    case 'not_permitted':
      return { message: t`${path} may not be read by this user.`, remedy: t`Change its permissions.` };
    case 'unreadable':
      return { message: t`${path} cannot be read: ${trouble.cause}`, remedy: t`Check the name and the disk.` };
    case 'too_large':
      return { message: t`${path} is larger than ${trouble.gibibytes} GiB.`, remedy: t`Split it into several files.` };
    case 'other_kind': {
      const { extension, isSpreadsheet } = trouble;
      return {
        message: extension === '' ? t`${path} has no extension.` : t`${path} is a ${extension} file.`,
        remedy: isSpreadsheet
          ? saveAs()
          : t`Give a .csv, .tsv, .txt, .xlsx, .xlsm, .xls or .ods file, or a bank file (.xml, .aba, .ach, .bac).`,
      };
    }
  }
}

function modulusText(fault: ModulusFault): string {
  switch (fault.why) {
    case 'empty':
      return t`The file is empty.`;
    case 'not_weights':
      return t`This is no line of weights: two sort codes, MOD10, MOD11 or DBLAL, 14 numbers, and perhaps an exception.`;
    case 'not_substitution':
      return t`This is no substitution: two sort codes of six digits.`;
    case 'too_many_checks':
      return t`These sort codes have ${fault.checks} checks already, from line ${fault.firstLine} on.`;
    case 'overlap':
      return t`Some of these sort codes are among those of line ${fault.firstLine} too.`;
    case 'substituted_before':
      return t`The sort code ${fault.sortCode} has a substitution already.`;
  }
}

/** Why a cell with a safe suggestion is left to a person. */
export const LEFT_WORDS = textTable({
  table_header:
    'It is the header of a table, whose formulas may know it by its name: rename it in your spreadsheet program.',
  shared_formula: 'Other cells have its formula: correct the formula in your spreadsheet program.',
});

/** What the formats of bank files are called. */
export const FORMAT_NAMES = textTable({
  'pain.001.001.03': 'ISO 20022 credit transfers (pain.001.001.03)',
  'pain.001.001.09': 'ISO 20022 credit transfers (pain.001.001.09)',
  aba: 'ABA file (direct entry)',
  bacs: 'Bacs Standard 18',
  nacha: 'NACHA file (ACH)',
});
