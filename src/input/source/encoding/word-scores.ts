import { type Candidate, LANGUAGES_OF } from './candidates.ts';
import { readAs } from './encodings.ts';
import { LETTER_BY_CHANCE, LETTER_LEAST, ODD_SIGN } from './evidence.ts';
import { lettersOf } from './name-letters.ts';
import { trigramsOf } from './trigrams.ts';
import { isUnread, UNREAD_ENCODINGS, type Unread } from './unread.ts';
import { isWritten } from './written.ts';

/** What an encoding makes of a word. */
export type WordScore = {
  text: string;
  /** The logarithm of the probability that names have its letters beyond ASCII; null for what nobody writes. */
  likeness: number | null;
  /** What that is for letters that stand there by chance. */
  chance: number;
};

/** The scores of all words in one encoding, for the languages that the words show. */
export function wordScores(encoding: Candidate | Unread, words: readonly string[]): WordScore[] {
  const languages = (isUnread(encoding) ? UNREAD_ENCODINGS[encoding].languages : LANGUAGES_OF[encoding]).map(lettersOf);
  const readings = words.map((word) => {
    const text = readAs(encoding, word);
    const trigrams = isWritten(text, encoding) ? trigramsOf(text) : null;
    return { text, trigrams, byLanguage: languages.map((letters) => letters.likenessOf(trigrams ?? [])) };
  });
  const withLetters = readings.filter(({ trigrams }) => trigrams !== null && trigrams.length > 0);
  const shares = languageShares(
    withLetters.map(({ byLanguage }) => byLanguage),
    languages.length,
  );
  return readings.map(({ text, trigrams, byLanguage }) => {
    if (trigrams === null) return { text, likeness: null, chance: 0 };
    const signs = ODD_SIGN * (text.match(ODD_SIGNS)?.length ?? 0);
    const letters = Math.max(Math.log(mixture(byLanguage, shares)), trigrams.length * LETTER_LEAST);
    return { text, likeness: signs + letters, chance: signs + trigrams.length * LETTER_BY_CHANCE };
  });
}

/** A sign beyond ASCII, or a small letter with an accent behind capitals. */
const ODD_SIGNS = /[^\p{L}\p{ASCII}]|(?<=\p{Lu}{2})(?![a-zß])\p{Ll}/gu;

const ROUNDS = 4;

/** So much of each language is in every file: it has foreign names. */
const SHARE_LEAST = 0.03;

/** Which part of the words is of which language, by expectation and maximization. */
function languageShares(words: readonly (readonly number[])[], languages: number): number[] {
  let shares = Array<number>(languages).fill(1 / languages);
  for (let round = 0; round < ROUNDS && words.length > 0; round++) {
    const sums = Array<number>(languages).fill(1);
    for (const word of words) {
      const whole = mixture(word, shares);
      for (const [at, likeness] of word.entries()) sums[at] = (sums[at] ?? 0) + (likeness * (shares[at] ?? 0)) / whole;
    }
    const total = sums.reduce((sum, each) => sum + each, 0);
    shares = sums.map((sum) => SHARE_LEAST + ((1 - SHARE_LEAST * languages) * sum) / total);
  }
  return shares;
}

/** Greater than 0. */
function mixture(likenesses: readonly number[], shares: readonly number[]): number {
  return likenesses.reduce((sum, likeness, at) => sum + likeness * (shares[at] ?? 0), Number.MIN_VALUE);
}
