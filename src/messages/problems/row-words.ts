import type { RowProblems } from '../../domain/problems/row-problems.ts';
import { either, t, textTable } from '../translate.ts';
import { columnOption } from './header-text.ts';
import type { Remedy, WordsOf } from './words.ts';

export const ROW_WORDS: WordsOf<RowProblems> = textTable({
  row_paid_already: ({ header }) => ({
    message: t`The column \`${header}\` says that this row was paid already, so it is not paid again.`,
    remedy: {
      command_line: `Delete the row, or leave it out with --only-valid. If the column says something else, ignore it with ${columnOption(header, null)}.`,
      page: ({ columns }) =>
        t`Delete the row, or continue with the valid rows. If the column says something else, ignore it under ${columns}.`,
    },
  }),
  row_withheld: ({ header }) => ({
    message: t`The column \`${header}\` says that this row is not to be paid.`,
    remedy: emptyOrIgnore(header, 'paid'),
  }),
  row_named_total: {
    message:
      'The name suggests that this row is a total of other rows. It has an account, so the whole sum could be paid.',
    remedy:
      "Delete the row, or the account in it. If that is the payee's name, write it in full, as the bank knows it (TotalEnergies SE).",
  },
  row_no_payout: ({ header }) => ({
    message: t`The column \`${header}\` says that this row is no payment to be made: money that came in, a fee, or a payment that came back.`,
    remedy: emptyOrIgnore(header, 'paid'),
  }),
  row_paid_otherwise: ({ header }) => ({
    message: t`The column \`${header}\` says that this row is not paid by transfer, so that it may be paid twice.`,
    remedy: emptyOrIgnore(header, 'transferred'),
  }),
  roll_number_unused: ({ header, reference }) => {
    const both = reference === null ? header : `${header}|${reference}`;
    return {
      message: t`\`${header}\` has the number of an account at a building society. A payment to it must carry that number as its reference, and the column is not used.`,
      remedy: {
        command_line: `Say ${columnOption(both, 'reference')}; or ${columnOption(header, null)} if payments do not need it.`,
        page: ({ columns }) =>
          t`Choose under ${columns} that it is the reference, or ignore it if payments do not need it.`,
      },
    };
  },
  row_is_direct_debit: ({ header }) => ({
    message: t`The column \`${header}\` says that this row is a direct debit: its money is to be collected, not paid.`,
    remedy: t`Delete the row, and collect it with your bank. If the row is a payment, empty this cell.`,
  }),
});

function emptyOrIgnore(header: string, done: 'paid' | 'transferred'): Remedy {
  const empty = t`If it is to be ${either(done === 'paid', 'paid', 'transferred')}, empty the cell; if the column says something else, ignore it`;
  return {
    command_line: `Delete the row, or leave it out with --only-valid. ${empty} with ${columnOption(header, null)}.`,
    page: ({ columns }) => t`Delete the row, or continue with the valid rows. ${empty} under ${columns}.`,
  };
}
