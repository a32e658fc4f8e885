import { onFirstUse } from '../../domain/lazy/on-first-use.ts';
import { keysOf } from './header-key.ts';
import {
  COLUMN_NAMES,
  type ColumnName,
  NAME_PARTS,
  type NamePart,
  OTHER_NAME_PARTS,
  SYNONYMS,
  TAX_WORDS,
  UNSURE_WORDS,
  WEAK_REFERENCES,
  WEAKEST_REFERENCES,
  type Words,
  wordsIn,
} from './synonyms.ts';
import { ASIAN } from './words/asia.ts';
import { EUROPEAN } from './words/europe.ts';

const MORE = [...EUROPEAN, ...ASIAN];

/** What else the column is called, in every language; English first. */
export function synonymsOf(column: ColumnName): string[] {
  return [...wordsOf(SYNONYMS[column]), ...MORE.flatMap(({ columns }) => wordsIn(columns[column] ?? ''))];
}

/** All words that are a column, each by the keys under which it is found. */
export const columnWords = onFirstUse((): readonly { column: ColumnName; text: string; keys: readonly string[] }[] =>
  COLUMN_NAMES.flatMap((column) =>
    [column, ...synonymsOf(column)].map((text) => ({ column, text, keys: keysOf(text) })),
  ),
);

/** Words that may be the column and may be something else. */
export function unsureWordsOf(column: ColumnName): string[] {
  return [...wordsIn(UNSURE_WORDS[column] ?? ''), ...MORE.flatMap(({ unsure }) => wordsIn(unsure[column] ?? ''))];
}

/** The keys of headers of the parts of a name. */
export const namePartKeys = onFirstUse(
  (): ReadonlyMap<string, NamePart> =>
    new Map(
      (Object.keys(NAME_PARTS) as NamePart[]).flatMap((part) => {
        const others = part === 'second_last' ? [] : MORE.flatMap((words) => wordsIn(words[part] ?? ''));
        return [...wordsOf(NAME_PARTS[part]), ...others].flatMap(keysOf).map((key) => [key, part] as const);
      }),
    ),
);

/** The keys of headers of family names, in languages that write them first. */
export const familyFirstKeys = onFirstUse(
  (): ReadonlySet<string> =>
    new Set(
      MORE.flatMap(({ isFamilyFirst, last = '' }) => (isFamilyFirst === true ? wordsIn(last) : [])).flatMap(keysOf),
    ),
);

/** The keys of headers that show that another column holds a part of the name. */
export const partKeys = onFirstUse(
  (): ReadonlySet<string> => new Set([...namePartKeys().keys(), ...wordsOf(OTHER_NAME_PARTS).flatMap(keysOf)]),
);

/** The keys of headers of a tax. */
export const taxKeys = onFirstUse(
  (): ReadonlySet<string> =>
    new Set([...wordsOf(TAX_WORDS), ...MORE.flatMap(({ tax }) => wordsIn(tax))].flatMap(keysOf)),
);

/** The keys of headers that are the reference where no other column is. */
export const weakReferenceKeys = onFirstUse(
  (): ReadonlySet<string> =>
    new Set(
      [...wordsOf(WEAK_REFERENCES), ...MORE.flatMap(({ weakReference }) => wordsIn(weakReference))].flatMap(keysOf),
    ),
);

export const weakestReferenceKeys = onFirstUse(
  (): ReadonlySet<string> => new Set(wordsOf(WEAKEST_REFERENCES).flatMap(keysOf)),
);

function wordsOf(words: Words): string[] {
  return Object.values(words).flatMap(wordsIn);
}
