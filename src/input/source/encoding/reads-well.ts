import { isEastAsian, type LegacyEncoding, readAs } from './encodings.ts';
import { LETTER_BY_CHANCE, LETTER_LEAST, ODD_SIGN } from './evidence.ts';
import { IDEOGRAPHS, LETTER_STATISTICS, type NameLanguage } from './letter-statistics.ts';
import { lettersOf } from './name-letters.ts';
import { trigramsOf } from './trigrams.ts';
import type { Unread } from './unread.ts';
import { hasOddSigns, isWritten } from './written.ts';

const LANGUAGES = [...Object.keys(LETTER_STATISTICS), ...Object.keys(IDEOGRAPHS)] as NameLanguage[];

/** Small letters of names in languages of which there are no statistics: Vietnamese, Azerbaijani, Hausa, Pinyin and others. */
const OTHER_LATIN = /^[İ\u00df-\u00f6\u00f8-\u00ff\u0101-\u017eșțəơưɓɗƙŋɛɔʻʼ\u01ce-\u01dc\u1e01-\u1ef9\uff41-\uff5a]$/u;

/** Scripts by the letters of living languages. Rare ones of which two bytes are a letter are not among them. */
const LATIN = /^\p{Script=Latin}$/u;
const GREEK = /^\p{Script=Greek}$/u;
const CYRILLIC =
  /^[\u0400-\u045f\u0490-\u0493\u049a-\u049d\u04a2\u04a3\u04ae-\u04b3\u04b6-\u04bb\u04d8\u04d9\u04e2\u04e3\u04e8\u04e9\u04ee\u04ef]$/u;
const ARMENIAN = /^[\u0531-\u0556\u0561-\u0587]$/u;
const HEBREW = /^[\u05d0-\u05f4]$/u;
const ARABIC = /^[\u0620-\u064a\u0671-\u06d5]$/u;
const THAANA = /^[\u0780-\u07b1]$/u;
const OF_THREE_BYTES = /^[\u0900-\u1dff\u2d00-\u2ddf\ua800-\uabff]$/u;

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ーｰﾞﾟ]/u;

/** A character of East Asia between Latin letters, or behind a small one. */
const AMONG_LATIN =
  /\p{Script=Latin}[^\p{Script=Latin}\p{ASCII}]+\p{Script=Latin}|(?=\p{Ll})\p{Script=Latin}[^\p{Script=Latin}\p{ASCII}]/u;

/** Accents that make no letter with the one before. */
const LOOSE_ACCENT = /[\u0300-\u036f\u0483-\u0489\p{Cn}]/u;
const OF_ALPHABET = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** Signs without a letter, but for blanks and frequent ones: any two bytes can be one. */
const SIGNS = /^(?![\u00a0\u00ad£°]+$)[^\p{L}]{2,}$/u;

/** What joins letters or parts them, and shows direction, without being seen; and the apostrophe of Hebrew. */
const NO_LETTERS = /[\u200b-\u200f\u2060\ufeff\u05f3\u05f4]/gu;

/**
 * Whether nobody writes a word of Unicode so: letters of several scripts, or of none that people use, loose accents, signs or
 * capitals where they do not belong.
 */
export function isOddWord(word: string): boolean {
  const text = word.normalize('NFC').replace(NO_LETTERS, '');
  const letters = text.match(/\p{L}/gu) ?? [];
  const isOf = (script: RegExp) => letters.every((letter) => script.test(letter));
  if (SIGNS.test(text) || hasOddSigns(text)) return true;
  // Greek has two accents on a capital.
  if (LOOSE_ACCENT.test(text) || (/\p{M}/u.test(text) && OF_ALPHABET.test(text))) return !isOf(GREEK);
  if (EAST_ASIAN.test(text))
    return AMONG_LATIN.test(text) || !letters.every((letter) => EAST_ASIAN.test(letter) || LATIN.test(letter));
  if (isOf(LATIN)) return letters.some((letter) => letter > '\x7f' && !isOfNames(letter));
  return ![GREEK, CYRILLIC, ARMENIAN, HEBREW, ARABIC, THAANA, OF_THREE_BYTES].some(isOf);
}

/** Whether a word has so few letters of a script other than Latin that any bytes can be them. */
export function isShortWord(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0 || letters.some((letter) => LATIN.test(letter) || EAST_ASIAN.test(letter))) return false;
  const isName = /^\p{Script=Cyrillic}{2}$/u.test(text) && /^\p{Lu}\p{Ll}/u.test(text);
  return letters.length < (OF_ALPHABET.test(text) && !isName ? 3 : 2);
}

/** Letters that look like Latin ones. */
const LOOK_ALIKE =
  /[\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bd\u03bfАВЕЅІЈКМНОРСТУХаеорсухіјѕ]/u;

/** Whether a word is Latin but for letters that look so: people type it (`Jоhn` with a Cyrillic о). */
export function hasLookAlikes(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return (
    letters.some((letter) => LATIN.test(letter)) &&
    letters.every((letter) => LATIN.test(letter) || LOOK_ALIKE.test(letter)) &&
    LOOK_ALIKE.test(text)
  );
}

/** Whether an encoding makes of bytes, as Latin-1 shows them, a word that people write. */
export function isWordIn(encoding: LegacyEncoding | Unread, bytes: string): boolean {
  const text = readAs(encoding, bytes);
  return isEastAsian(encoding) ? isWritten(text, encoding) : !isOddWord(text);
}

/** Whether names have the letters of a word beyond ASCII, rather than chance. */
export function isLikeNames(text: string): boolean {
  return likenessOf(text) >= trigramsOf(text).length * LETTER_BY_CHANCE;
}

/** The logarithm of the probability that names have its letters beyond ASCII, in the language that has them most often. */
export function likenessOf(text: string): number {
  const trigrams = trigramsOf(text);
  const best = Math.max(...LANGUAGES.map((language) => lettersOf(language).likenessOf(trigrams)), Number.MIN_VALUE);
  const signs = text.match(/[^\p{L}\p{ASCII}]/gu)?.length ?? 0;
  return Math.max(Math.log(best), trigrams.length * LETTER_LEAST) + signs * ODD_SIGN;
}

function isOfNames(letter: string): boolean {
  return OTHER_LATIN.test(letter) || OTHER_LATIN.test(letter.toLowerCase()) || isInNames(letter);
}

/** Whether names of some language that we know have the letter. */
export function isInNames(letter: string): boolean {
  return LANGUAGES.some((language) => lettersOf(language).has(letter.toLowerCase()));
}
