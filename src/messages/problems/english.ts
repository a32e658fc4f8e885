import { t, textTable } from '../translate.ts';
import { ACCOUNT_WORDS } from './account-words.ts';
import { AMOUNT_WORDS } from './amount-words.ts';
import { BANK_FILE_WORDS } from './bank-file-words.ts';
import { CELL_WORDS, PAYEE_WORDS } from './cell-words.ts';
import { REPEAT_WORDS, TOTAL_WORDS } from './check-words.ts';
import { FILE_WORDS } from './file-words.ts';
import { HEADER_WORDS } from './header-words.ts';
import { HISTORY_WORDS } from './history-words.ts';
import { OTHER_LIST_WORDS } from './other-list-words.ts';
import { REFERENCE_WORDS } from './reference-words.ts';
import { ROW_WORDS } from './row-words.ts';
import { strangeText } from './strange-words.ts';
import type { ProblemCatalogue } from './words.ts';

/** Another language is another one of these. */
export const ENGLISH: ProblemCatalogue = textTable({
  problems: {
    ...FILE_WORDS,
    ...BANK_FILE_WORDS,
    ...OTHER_LIST_WORDS,
    ...HEADER_WORDS,
    ...CELL_WORDS,
    ...ROW_WORDS,
    ...PAYEE_WORDS,
    ...AMOUNT_WORDS,
    ...ACCOUNT_WORDS,
    ...REFERENCE_WORDS,
    ...REPEAT_WORDS,
    ...TOTAL_WORDS,
    ...HISTORY_WORDS,
  },
  better(better) {
    switch (better.do) {
      case 'write_alone':
        return {
          remedy: t`Write ${better.text} alone: what else is in the cell cannot be seen, or does not belong there.`,
        };
      case 'write_plain':
        return { remedy: t`Write ${better.text} in plain letters and digits.` };
      case 'split_iban':
        return {
          message: t`The cell holds an IBAN, and GBP_FPS takes an account number and a sort code.`,
          remedy: t`Write ${better.account} here, and ${better.sortCode} into the column national_clearing_code.`,
        };
      case 'take_from_iban':
        return { remedy: t`Write ${better.sortCode}, which is in the IBAN.` };
    }
  },
  oddCharacter: strangeText,
  addColumn: (column) => t`Add a column with the header ${column}.`,
  forms: {
    page: { columns: '“Columns”', reading: '“File settings”' },
    page_copy: { columns: '“Columns” on the page', reading: '“File settings” on the page' },
  },
});
