import type { CellProblems, PayeeProblems, TextColumn } from '../../domain/problems/input-problems.ts';
import { either, plural, t, textTable } from '../translate.ts';
import { viewer } from '../viewer.ts';
import { fieldName } from './field-names.ts';
import { columnOption, shownAt } from './header-text.ts';
import { forEachField, type ProblemWords, type WordsOf } from './words.ts';

const TEXT_COLUMNS: Readonly<Record<TextColumn, true>> = {
  name: true,
  payee_id: true,
  email: true,
  entity_name: true,
  registration_number: true,
  address_line1: true,
  address_line2: true,
  city: true,
  state: true,
  postal_code: true,
  account_name: true,
  external_account_id: true,
  recipient_id: true,
  description: true,
};

const nothingToDo = () => t`Nothing to do`;
const saveThere = () => t`Open the file in your spreadsheet program, save it there, and check it again.`;

export const CELL_WORDS: WordsOf<CellProblems> = textTable({
  ...forEachField(Object.keys(TEXT_COLUMNS) as TextColumn[], 'too_long', textTooLong),
  row_hidden: {
    message: 'The row is hidden, by hand or by a filter, so a person reading the sheet does not see it.',
    remedy: 'Unhide it (clear the filter), or delete it if it should not be paid.',
  },
  row_is_comment: {
    message: 'The row starts like a comment and has no amount, so it is not a payout.',
    get remedy() {
      return t`${nothingToDo()}: it is not paid.`;
    },
  },
  row_may_be_comment: {
    message: 'The row starts like a comment but has an amount, so it may be a payout.',
    remedy: 'Delete the row if it should not be paid; otherwise delete the signs before the name.',
  },
  row_struck_through: {
    message: 'The row is struck through, but it would still be paid.',
    remedy: 'Delete the row if it should not be paid; otherwise remove the strikethrough.',
  },
  row_too_many_cells: ({ cells, headers }) =>
    cells === null || headers === null
      ? {
          message: t`The row has cells beyond the last column of the header. They may be shifted to the right, so the amount or account may be wrong.`,
          remedy: t`Move cells that are under the wrong header back; give a column of notes a header of its own, or leave an empty column before it.`,
        }
      : {
          message: cellsText(cells, headers),
          remedy: t`Put cells that contain the delimiter into double quotes.`,
        },
  row_too_few_cells: ({ cells, headers }) => ({
    message: cellsText(cells, headers),
    remedy: t`Add the missing cells, even empty ones, or close a quote left open in the row before.`,
  }),
  row_cells_left_out: ({ headers }) => ({
    message: t`The row ends before ${headers.map((header) => `\`${header}\``).join(', ')}, which is treated as empty.`,
    remedy: t`${nothingToDo()} if that is so: some programs leave out empty cells at the end of a row.`,
  }),
  cells_differ: ({ column, cells: [one, other] }) => ({
    message: t`${shownAt(one)} and ${shownAt(other)} both mean the column ${column}, and differ in this row.`,
    remedy: {
      command_line: `Correct the one that is wrong; or ignore its column, as with ${columnOption(other.cell.replace(/\d+$/, ''), null)}.`,
      page: ({ columns }) => t`Correct the one that is wrong; or ignore its column under ${columns}.`,
    },
  }),
  cells_beside_table: {
    message: 'A cell to the right of the table has no header. It is treated as a note and ignored.',
    get remedy() {
      return t`${nothingToDo()} if it is a note; a header above it keeps it in the report.`;
    },
  },
  cell_covered: {
    message: 'The cell is covered by a merged cell, so its value is hidden but would be paid.',
    remedy: 'Unmerge the cells, then check that each has the right value.',
  },
  cell_is_boolean: {
    message: 'The cell is a yes or no value, which means nothing here.',
    remedy: 'Write the value that belongs there.',
  },
  cell_error: {
    message: 'The cell shows an error instead of a value.',
    remedy: 'Correct its formula, or enter the value itself.',
  },
  cell_is_date: ({ shown, readAs, isAmount }) => {
    const date = t`The cell holds a date${shown === null ? '' : t`, shown as ${shown}`}`;
    return readAs === null
      ? {
          message: t`${date}: a spreadsheet may have taken what was typed for one.`,
          remedy: t`Format the column as ${either(isAmount, 'a number', 'text')}, then write the value again from its source.`,
        }
      : {
          message: t`${date}; it is read as ${readAs}.`,
          remedy: t`If that is not what you mean, format the cell as text and retype it.`,
        };
  },
  formula_without_value: ({ isTotal }) => ({
    message: isTotal
      ? t`This line under the payouts has only a formula, so it is treated as their sum and not as a payout. The file does not have its result, so it could not be compared.`
      : t`The cell has a formula, and the file does not hold its result, so the cell is read as empty.`,
    remedy: saveThere(),
  }),
  identifier_digits_lost: ({ digits }) => ({
    message: t`The cell holds a number of ${digits} digits. Spreadsheets keep 15 of a number, so the others are lost, even where a check digit fits.`,
    remedy: t`Format the column as text, then type it again from its source.`,
  }),
  identifier_number: {
    message: 'The cell holds a number, so zeros in front, if there were any, are lost.',
    remedy: 'Compare it with its source. To be safe, format the column as text and retype the account numbers.',
  },
  leading_apostrophe: {
    message: 'The leading apostrophe was left out.',
    get remedy() {
      return t`${nothingToDo()}; format the column as text to do without it.`;
    },
  },
  not_read: ({ isCell, reason }) => ({
    message: t`payrun cannot read this ${either(isCell, 'cell', 'row')}; this is a mistake in payrun (${reason}).`,
    remedy: t`Type it again in plain letters and digits. Report the mistake with this text, so that it is corrected.`,
  }),
  garbled_text: ({ column, written }) => ({
    message: t`${label(column)} was read in the wrong encoding by another program: it was probably “${written}”.`,
    remedy: t`Write it that way. If many are wrong, open the original file as UTF-8 in the program that made this one.`,
  }),
  letters_doubtful: ({ column }) => ({
    message: t`${label(column)} looks like one that was read in a wrong encoding.`,
    remedy: t`If it is wrong, open the file in the program that made it and save it as CSV UTF-8. Otherwise there is nothing to do.`,
  }),
  unreadable_character: ({ column }) => ({
    message: t`${label(column)} has a character that could not be read and shows as \ufffd.`,
    remedy: t`Type the text again, and save the file as CSV UTF-8.`,
  }),
  control_character: ({ column, character, oddCharacter }) => ({
    message: t`${label(column)} has a line break or another character that does not belong there${oddCharacter === undefined ? ` (${character})` : ''}.`,
    remedy: t`Retype the text without it.`,
  }),
  example_row: {
    message: "The row is an example from payrun's template. It is skipped and never paid.",
    remedy: 'Leave it or remove it. It makes no difference.',
  },
  example_row_changed: ({ isName }) =>
    isName
      ? {
          message: t`The name is from an example in payrun's template, but the payee_id is not.`,
          remedy: t`Write the name of the person or company that is paid, or remove the row.`,
        }
      : {
          message: t`The payee ID is that of an example row, but the name is not.`,
          remedy: t`If the payee is to be paid, write the payee's own number here, or leave it empty. Otherwise remove the row.`,
        },
});

const ALPHABETS = textTable({ Cyrillic: 'a Cyrillic letter', Greek: 'a Greek letter' });

const writeName = () => t`Write the name of the person or company that is paid.`;

export const PAYEE_WORDS: WordsOf<PayeeProblems> = textTable({
  name_missing: {
    message: 'The name of the payee is missing.',
    get remedy() {
      return writeName();
    },
  },
  name_placeholder: {
    message: 'Programs write this when a name is missing.',
    get remedy() {
      return writeName();
    },
  },
  name_without_letters: {
    message: 'The name has no letter.',
    get remedy() {
      return writeName();
    },
  },
  name_only_digits: {
    message: 'The name is a number.',
    remedy: 'If it is not the name of a company, write the name: the column may contain something else.',
  },
  name_mixed_alphabets: ({ letter, alphabet, word }) => ({
    message: t`The ${letter} in “${word}” is ${ALPHABETS[alphabet]} that looks like a Latin one, so banks and lists read another name.`,
    remedy: t`Retype the name, and ask where it was copied from.`,
  }),
  name_like_placeholder: {
    message: 'This looks like a placeholder or a test name.',
    remedy: 'If it is not the name of the payee, write that.',
  },
  email_invalid: { message: 'This is not an e-mail address.', remedy: 'Correct the address, or leave it empty.' },
  phone_left_out: {
    message: 'The phone number and its country code could not both be read, so the recipient is made without them.',
    remedy: 'Write the code (+61) into phone_country_code and the rest, in digits, into phone_number.',
  },
  country_unknown: ({ near }) => ({
    message: t`This is neither the code nor the name of a country.`,
    remedy:
      near.length === 0
        ? t`Write its code of two letters (ISO 3166-1), such as AU, or its name.`
        : t`Write ${near.map(({ code, name }) => t`${code} for ${countryName(code, name)}`).join(', ')}.`,
  }),
  account_modulus: {
    message: "The sort code and the account number do not belong together by the UK's modulus check.",
    remedy: 'Ask the payee to confirm both.',
  },
  account_modulus_unchecked: ({ hasSubstitutions }) => ({
    message: t`The table of modulus weights alone does not show whether the sort code and the account number belong together.`,
    remedy: hasSubstitutions
      ? t`${nothingToDo()}: the table has an exception that this version of payrun does not know.`
      : {
          command_line: 'Give the table of substitutions too: --modulus-substitutions scsubtab.txt.',
          page: t`Ask your administrator to add the table of substitutions.`,
        },
  }),
});

function textTooLong({ column, max }: { column: string; max: number }): ProblemWords {
  return { message: t`${label(column)} has more than ${max} characters.`, remedy: t`Shorten it to ${max} characters.` };
}

/** `The account name` of `account_name`. */
function label(column: string): string {
  return t`The ${fieldName(column)}`;
}

/** `name`: the English name. */
function countryName(code: string, name: string): string {
  const { language } = viewer();
  return language === 'en' ? name : (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? name);
}

function cellsText(cells: number, headers: number): string {
  return t`The row has ${cells} ${plural(cells, 'cell', 'cells')}, and the header has ${headers}.`;
}
