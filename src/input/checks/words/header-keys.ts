import { onFirstUse } from '../../../domain/lazy/on-first-use.ts';
import { assert } from '../../../domain/refusal.ts';
import { headerKey, keysOf } from '../../header/header-key.ts';
import { COLUMN_NAMES, type ColumnName, wordsIn } from '../../header/synonyms.ts';

/** The keys of headers, or of cells, that mean one thing. */
export type HeaderKeys = Pick<ReadonlySet<string>, 'has'>;

const COLUMN_BY_KEY: ReadonlyMap<string, ColumnName> = new Map(
  COLUMN_NAMES.map((column) => [headerKey(column), column]),
);

/** Headers as `Words` has them, of any languages: divided by commas, `(a|b) c` for two. None is a column's own name. */
export function keys(...words: string[]): HeaderKeys {
  return keysWithColumns([], ...words);
}

/**
 * The same where some of them are columns' own names too. All words are made when the first other header is looked for: a
 * file that has the columns' own names needs none of them.
 */
export function keysWithColumns(columns: readonly ColumnName[], ...words: string[]): HeaderKeys {
  const all = onFirstUse(() => {
    const made = new Set(keyList(...words));
    for (const [key, column] of COLUMN_BY_KEY)
      assert(made.has(key) === columns.includes(column), `${column} is a column, and a word of another meaning`);
    return made;
  });
  return {
    has(key) {
      const column = COLUMN_BY_KEY.get(key);
      return column === undefined ? key !== '' && all().has(key) : columns.includes(column);
    },
  };
}

/** Those keys in a list, for words that stand among others. */
export function keyList(...words: string[]): readonly string[] {
  return words.flatMap(wordsIn).flatMap(keysOf);
}
