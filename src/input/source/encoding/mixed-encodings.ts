import { LETTER_BY_CHANCE } from './evidence.ts';
import { IDEOGRAPHS, LETTER_STATISTICS, type NameLanguage } from './letter-statistics.ts';
import { lettersOf } from './name-letters.ts';
import { trigramsOf } from './trigrams.ts';
import type { WordScore } from './word-scores.ts';

const LANGUAGES = [...Object.keys(LETTER_STATISTICS), ...Object.keys(IDEOGRAPHS)] as NameLanguage[];

/**
 * Whether some words are UTF-8, in a text that is not: those that nobody writes so as they read in the encoding of the
 * scores, or whose letters are in names as UTF-8 reads them, and more so. Two letters of another encoding can be one of
 * UTF-8 by chance, as in `RŮŽENA`.
 */
export function hasUtf8Words(words: readonly string[], scores: readonly WordScore[]): boolean {
  return words.some((word, at) => {
    const text = utf8Of(word);
    if (text === null) return false;
    const { likeness = null } = scores[at] ?? {};
    return likeness === null || isName(text, likeness);
  });
}

/** Whether a text is more like a name of any language than letters are by chance, and than `likeness`. */
function isName(text: string, likeness: number): boolean {
  const trigrams = trigramsOf(text);
  if (trigrams.length === 0) return false;
  const sum = LANGUAGES.reduce((all, language) => all + lettersOf(language).likenessOf(trigrams), Number.MIN_VALUE);
  return Math.log(sum / LANGUAGES.length) > Math.max(likeness, trigrams.length * LETTER_BY_CHANCE);
}

function utf8Of(word: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(word, 'latin1'));
  } catch {
    return null;
  }
}
