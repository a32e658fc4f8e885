import type { ProblemParams } from '../../domain/problem.ts';
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
import type { WordsOf } from './words.ts';

export const PROBLEM_WORDS: WordsOf<ProblemParams> = {
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
};
