import type { Fault } from './cell-facts.ts';
import type { RowCells } from './row-cells.ts';

/** What programs write where they have no name. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'null (null) <null> nil none undefined n/a #n/a n.a. unknown tbd tba'.split(' '),
);

const NO_NAME = 'Write the name of the person or company that is paid.';

const PLACEHOLDER: Fault = {
  code: 'name_placeholder',
  message: 'This is what programs write where there is no name.',
  remedy: NO_NAME,
};

const NO_LETTERS: Fault = {
  code: 'name_without_letters',
  message: 'The name has no letter.',
  remedy: NO_NAME,
};

const ONLY_DIGITS: Fault = {
  code: 'name_only_digits',
  message: 'The name is a number.',
  remedy: 'If it is not the name of a company, write the name: the column may hold something else.',
};

const MIXED_LETTERS: Fault = {
  code: 'name_mixed_alphabets',
  message: 'A word of the name mixes letters of two alphabets that look alike, so banks and lists read another name.',
  remedy: 'Type the name again, and ask where it was copied from.',
};

const LATIN = /\p{Script=Latin}/u;
const LIKE_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Notes a name that is none, or not the one that it seems to be. */
export function checkName(cells: RowCells, column: 'name' | 'account_name', name: string): void {
  if (PLACEHOLDERS.has(name.toLowerCase())) cells.error(column, PLACEHOLDER);
  // A character of somebody's own (private use) stands for a letter that the font of a system has.
  else if (!/[\p{L}\p{Co}]/u.test(name))
    if (/\p{N}/u.test(name)) cells.warn(column, ONLY_DIGITS);
    else cells.error(column, NO_LETTERS);
  else if (LIKE_LATIN.test(name) && name.split(/[^\p{L}\p{M}]+/u).some(isMixed)) cells.warn(column, MIXED_LETTERS);
}

function isMixed(word: string): boolean {
  return LATIN.test(word) && LIKE_LATIN.test(word);
}
