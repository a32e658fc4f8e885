import type { HeaderCell, HeaderProblems } from '../../domain/problems/input-problems.ts';
import { listed } from '../text.ts';
import { either, t, textTable } from '../translate.ts';
import { columnOption, shown, shownAt } from './header-text.ts';
import { currencyMissing } from './missing-currency-words.ts';
import type { ProblemWords, Remedy, WordsOf } from './words.ts';

export const HEADER_WORDS: WordsOf<HeaderProblems> = textTable({
  header_not_found: ({ rows, likeliest, headers }) => {
    const letters = headers.map(({ header, cell }) => `${cell.replace(/\d+$/, '')}: ${shown(header)}`);
    return {
      message: t`None of the first ${rows} rows is a header: none has the columns name, amount, currency and so on, or what else they are called. The likeliest, row ${likeliest}, begins with ${letters.join(', ')}.`,
      remedy: {
        command_line:
          'Put a header above the payouts; where it has words that payrun does not know, say what they mean with --column "HEADER=name" and so on. If the file has no header, name its columns by their letters, as in --column "A=name", and its currency with --currency.',
        page: ({ columns }) =>
          t`Put a header above the payouts. If it has words that payrun does not know, choose under ${columns} what each means. If the file has no header, choose there what each column holds.`,
      },
    };
  },
  header_undecided: {
    message: 'The columns are named by their letters, and this row may be the header or a payout: it has no amount.',
    remedy: 'Fill in its amount if it is a payout. Otherwise delete the row.',
  },
  header_of_two_rows: ({ rows: [first, second] }) => ({
    message: t`Rows ${first} and ${second} are read as one header: the groups in the first are over the headers in the second.`,
    remedy: t`If that is right, leave it as it is.`,
  }),
  given_currencies_differ: ({ code, other, source, otherRow }) => ({
    message: t`This line above the header says that the file is in ${code}, and ${otherRow === null ? GIVEN_BY[source] : t`row ${otherRow}`} says ${other}.`,
    remedy: {
      command_line: `Make sure which is right; then ${source === 'option' ? 'leave --currency out' : source === 'job' ? 'correct the currency of the job' : 'correct the other'}, or correct the line.`,
      page: ({ reading }) =>
        otherRow === null
          ? t`Make sure which is right; then choose ${code} under ${reading}, or correct the line.`
          : t`Make sure which is right; then correct the other line, and upload the file again.`,
    },
  }),
  header_ambiguous: ({ rows: [first, other] }) => ({
    message: t`Rows ${first} and ${other} both look like the header, so it is not clear which rows are payouts.`,
    remedy: t`Keep one header and the payouts under it in the sheet, and remove the other rows.`,
  }),
  payout_above_header: ({ header, first, last }) => ({
    message: t`${rowsText(first, last)} above the header in row ${header} and ${either(first === last, 'looks', 'look')} like a payout; nothing above the header is paid.`,
    remedy: t`Move it under the header if it is a payout, or remove it.`,
  }),
  rows_above_header: ({ header, first, last }) => ({
    message: t`The header is row ${header}; ${rowsText(first, last)} above it and ${either(first === last, 'is taken for a title, not for a payout', 'are taken for titles, not for payouts')}.`,
    remedy: t`If that is right, leave it as it is.`,
  }),
  column_twice: ({ column, cells: [first, second], first: firstHeader, header, isSameHeader }) => {
    const letters = (cell: string) => cell.replace(/\d+$/, '');
    const [one, other] = isSameHeader ? [letters(first), letters(second)] : [firstHeader, header];
    return {
      message: isSameHeader
        ? t`The headers in ${first} and ${second} both name the column ${column}.`
        : t`Both ${shownAt({ header: firstHeader, cell: first })} and ${shownAt({ header, cell: second })} name the column ${column}.`,
      remedy: {
        command_line: `To take ${shown(one)}, ignore the other with ${columnOption(other, null)}; to take ${shown(other)}, say ${columnOption(one, null)}.`,
        page: ({ columns }) => t`Ignore one of them under ${columns}.`,
      },
    };
  },
  reference_taken: ({ header }) => ({
    message: t`${shown(header)} is taken for the reference, which the payee reads.`,
    remedy: {
      command_line: `Say ${columnOption(header, 'reference')} if that is right, and payrun remembers it; ${columnOption(header, null)} if it is not.`,
      page: ({ columns }) => t`If that is wrong, choose the right column under ${columns}.`,
    },
  }),
  column_missing: columnMissing,
  column_near_miss: (miss) => ({
    message: t`${didYouMean(miss)} Until then, none of it is used.`,
    remedy: renameOrMap(miss),
  }),
  mapped_header_absent: ({ header, column, row, isOfJob }) => {
    const asInRow = t`Write the header as it is in row ${row}, or ${either(isOfJob, 'take it out of the job', '')}`;
    return {
      message: t`There is no header ${shown(header)}, which ${either(isOfJob, 'the job', 'the mapping')} ${column === null ? t`ignores` : t`maps to ${column}`}.`,
      remedy: isOfJob
        ? `${asInRow}.`
        : {
            command_line: `${asInRow}leave --column out.`,
            page: ({ columns }) => t`${asInRow}reset the mapping under ${columns}.`,
          },
    };
  },
  name_in_parts: ({ header, beside }) => ({
    message: t`Payees are named by ${shown(header)} alone; ${shownAt(beside)} is not used.`,
    remedy: t`Make sure that the column has the full name, as the bank knows it.`,
  }),
  amount_beside_tax: ({ header, beside }) => ({
    message: t`Only the amount in ${shown(header)} is paid; ${shownAt(beside)} is not added.`,
    remedy: t`Make sure that the column has what the payee is to receive, including tax where it is due.`,
  }),
  amount_in_minor_units: ({ header, example }) => ({
    message: t`${shown(header)} holds minor units such as cents${example === null ? '' : t`: ${example.text} stands for ${example.whole}`}, and payrun pays whole units. A mapping alone would pay a hundred times as much.`,
    remedy: t`Add a column amount in whole units${example === null ? '' : t` (${example.whole} in place of ${example.text})`} and delete this one. If it holds whole units already, rename its header to amount.`,
  }),
  amount_in_thousands: ({ header }) => ({
    message: t`${shown(header)} holds thousands or another multiple, and payrun pays whole units. A mapping alone would pay a small part of the amounts.`,
    remedy: t`Add a column amount in whole units and delete this one. If it holds whole units already, rename its header to amount.`,
  }),
  amount_net_or_gross: ({ header, beside }) => ({
    message: t`The file has a net amount, ${shown(header)}, and a gross amount, ${shownAt(beside)}: which one is paid?`,
    remedy: chooseColumn('amount', header, beside, t`if it is the net amount`),
  }),
  amount_or_other: ({ header, beside }) => ({
    message: t`The file has amounts in two columns, ${shown(header)} and ${shownAt(beside)}: which one is paid?`,
    remedy: chooseColumn('amount', header, beside, t`if it is the first`),
  }),
  amount_before_deductions: ({ header, beside }) => ({
    message: t`${shownAt(beside)} may still have to be taken off ${shown(header)}: is this what is paid?`,
    remedy: {
      command_line: `Say ${columnOption(header, 'amount')} if it is; payrun remembers it for files with these headers. Otherwise add a column amount with what is left, and ignore ${shown(header)} with ${columnOption(header, null)}.`,
      page: ({ columns }) =>
        t`If it is, choose under ${columns} that it is the amount; payrun remembers it for files with these headers. Otherwise add a column amount with what is left, and ignore ${shown(header)}.`,
    },
  }),
  account_or_other: ({ header, beside }) => ({
    message: t`The file has payee accounts in two columns, ${shown(header)} and ${shownAt(beside)}: which one is paid?`,
    remedy: chooseColumn('account_number', header, beside, t`if it is the first`),
  }),
  account_of_sender: ({ header, column }) => ({
    message: t`${shown(header)} is the payer's, but is mapped to ${column}, which is the payee's.`,
    remedy: {
      command_line: `Map the payee's own column with --column "HEADER=${column}", and ignore this one with ${columnOption(header, null)}.`,
      page: ({ columns }) => t`Choose under ${columns} the payee's own column, and ignore this one.`,
    },
  }),
  name_of_customer: ({ header, isOfReceivables }) => ({
    message: isOfReceivables
      ? t`${shown(header)} is mapped to name, and the file has invoices with the days by which they are due: these people owe the money, and it would be paid to them.`
      : t`${shown(header)} is mapped to name. Customers usually pay you: make sure that the money is to go to them.`,
    remedy: isOfReceivables
      ? t`Export the payments that are to be made. If the file is such a list, rename the header to name.`
      : t`If they are to be paid, leave it as it is.`,
  }),
  amount_is_contribution: ({ header }) => ({
    message: t`${shown(header)} is mapped to amount. It usually means what people owe: make sure that it is to be paid to them.`,
    remedy: t`If that is right, leave it as it is.`,
  }),
  header_repeated: {
    message: 'The row repeats the header, so it is not a payout.',
    remedy: 'Nothing to do: the rows below it are read like those above it.',
  },
  header_second_row: {
    message: 'The row under the header has no payee and no digits, so it looks like a second row of the header.',
    remedy: 'Delete the row, or complete it if it is a payout.',
  },
  header_covered: {
    message: 'The header is covered by a merged cell, so the name of its column is hidden.',
    remedy: 'Unmerge the headers, then check that each is right for its column.',
  },
  column_hidden: {
    message: 'The column is hidden but is still read, so what is paid differs from what the sheet shows.',
    remedy: 'Unhide the column and look through it, or delete it.',
  },
});

/** Who gave a currency. */
const GIVEN_BY = textTable({
  option: 'what was given for it',
  job: 'the job',
  remembered: 'what was given for an earlier file',
  file: 'another line',
});

function columnMissing(missing: HeaderProblems['column_missing']): ProblemWords {
  const { column, like, parts, synonyms = [], instead = [], proposed = null, paid } = missing;
  if (like !== undefined) {
    const or = like.other === null ? '' : t` Or is it ${shownAt(like.other)}?`;
    return {
      message: t`There is no column ${column}. ${didYouMean({ ...like, column })}${or}`,
      remedy: renameOrMap({ ...like, column }),
    };
  }
  if (parts !== undefined)
    return {
      message: t`There is no column ${column}, only parts of names in ${listed(parts.map(shown))}.`,
      remedy: {
        command_line: `Add a column ${column} that holds the whole name, as the bank knows it; or join columns to one, as in ${columnOption('First+Last', column)}.`,
        page: ({ columns }) =>
          t`Add a column ${column} that holds the whole name, as the bank knows it; or choose under ${columns} two columns together as the ${column}.`,
      },
    };
  if (paid !== undefined) return currencyMissing(proposed, paid, synonyms);
  const also = instead.length === 0 ? '' : t`, and none of ${instead.join(', ')} from which the ${column} would follow`;
  const add = t`Add a column with the header ${column}${synonyms.length === 0 ? '' : t` (or ${synonyms.join(', ')})`}`;
  return {
    message: t`There is no column ${column}${also}.`,
    remedy: {
      command_line: `${add}; where another header means it, say so with --column "HEADER=${column}".`,
      page: ({ columns }) => t`${add}; where another header means it, choose under ${columns} which.`,
    },
  };
}

/** Which of two columns is meant: the one that was taken, or the other. */
function chooseColumn(column: 'amount' | 'account_number', header: string, beside: HeaderCell, when: string): Remedy {
  return {
    command_line: `Say ${columnOption(header, column)} ${when}; payrun remembers it for files with these headers. Otherwise say ${columnOption(beside.header, column)} ${columnOption(header, null)}.`,
    page: ({ columns }) =>
      t`Choose under ${columns} which of the two is the ${either(column === 'amount', 'amount', 'account')}; payrun remembers it for files with these headers.`,
  };
}

type Meant = { header: string; column: string; isUnsure: boolean };

function didYouMean({ header, column, isUnsure }: Meant): string {
  return isUnsure
    ? t`The header ${shown(header)} can mean several things: is it ${column}?`
    : t`${shown(header)}: did you mean ${column}?`;
}

function renameOrMap({ header, column }: Meant): Remedy {
  return {
    command_line: `Rename the header to ${column}, or say ${columnOption(header, column)}; ${columnOption(header, null)} if it is not.`,
    page: ({ columns }) => t`Rename the header to ${column}, or choose its column under ${columns}.`,
  };
}

/** `row 2 stands`, `rows 1 to 3 stand`. */
function rowsText(first: number, last: number): string {
  return first === last ? t`row ${first} stands` : t`rows ${first} to ${last} stand`;
}
