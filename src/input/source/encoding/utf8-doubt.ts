import { type Reading, type Readings, readingsIn } from './decide-encoding.ts';
import { type AskedEncoding, type Encoding, isLegacy, LEGACY_NAMES, type LegacyEncoding, readAs } from './encodings.ts';
import { hasLookAlikes, isInNames, isLikeNames, isOddWord, isShortWord, isWordIn, likenessOf } from './reads-well.ts';
import { sampleOf } from './text-sample.ts';
import { isUnread, UNREAD, type Unread } from './unread.ts';
import type { Utf8Words } from './utf8-words.ts';

/** What a text reads as in the encoding that is used, and in the other of the one that was given and UTF-8. */
export type Contrast = { used: Reading; other: Reading };

/** How a text is read whose bytes are valid UTF-8, perhaps by chance. */
export type Utf8Decision = Readings & { encoding: AskedEncoding; contrast: Contrast | null };

/** So much more must a word be like names in another encoding than in UTF-8, where it has no odd letters in that. */
const LIKER = 3;

/** In the best of so many encodings the text is shown. */
const READINGS_SHOWN = 3;

/**
 * Decides how a text is read that has no byte order mark and is valid UTF-8. It is UTF-8, unless all its words are better in
 * another encoding: that is a question. What a person gave, `explicit`, goes before. Only a text that is odd in that and is
 * not odd in UTF-8 is UTF-8 all the same, and both readings are shown.
 */
export async function decideUtf8(
  open: () => AsyncIterable<Uint8Array>,
  { words, areEnough }: Pick<Utf8Words, 'words' | 'areEnough'>,
  explicit: Encoding | null,
): Promise<Utf8Decision> {
  if (words.length === 0 || explicit === 'utf-8') return asIs('utf-8');
  const better = areEnough ? [] : betterThanUtf8(words);
  if (explicit === null || !isLegacy(explicit)) {
    if (better.length === 0) return asIs('utf-8');
    return { ...asIs('utf-8'), ...readingsIn([...bestOf(better, words), 'utf-8'], await sampleOf(open())) };
  }
  const doubts = words.map((word) => doubtOf(readAs('utf-8', word)));
  const isNoUtf8 = !areEnough && doubts.every((doubt) => doubt === 'odd' || doubt === 'perhaps');
  if (isNoUtf8 || better.includes(explicit)) return asIs(explicit);
  const isLikeUtf8 = areEnough || words.some((word, at) => doubts[at] === null || isLikeNames(readAs('utf-8', word)));
  const isOdd = words.some((word) => !isWordIn(explicit, word));
  const isLike = words.every((word) => isLikeNames(readAs(explicit, word)));
  const [used, other] =
    isOdd || (isLikeUtf8 && !isLike) ? (['utf-8', explicit] as const) : ([explicit, 'utf-8'] as const);
  const { readings } = readingsIn([used, other], await sampleOf(open()));
  const [first, second] = readings;
  return { ...asIs(used), contrast: first && second ? { used: first, other: second } : null };
}

function asIs(encoding: AskedEncoding): Utf8Decision {
  return { encoding, readings: [], unread: [], contrast: null };
}

/**
 * The encodings in which words are better that are valid UTF-8, perhaps by chance. `JÓŹWIAK` in windows-1250 has the bytes of
 * `JӏWIAK`, and 韦伟 in GB18030 those of Greek letters. None where a word is as people write it in UTF-8.
 */
export function betterThanUtf8(words: readonly string[]): (LegacyEncoding | Unread)[] {
  // Nearly always none is left here, and the statistics of names, which take longer, are not needed.
  const possible = [...LEGACY_NAMES, ...UNREAD].filter((encoding) => words.every((word) => isWordIn(encoding, word)));
  if (possible.length === 0) return [];
  const found = words.map((word) => ({ word, doubt: doubtOf(readAs('utf-8', word)) }));
  if (found.some(({ doubt }) => doubt === null)) return [];
  return possible.filter((encoding) => found.every(({ word, doubt }) => isBetter(readAs(encoding, word), doubt)));
}

/** What is wrong with a word of Unicode: nobody writes it so, perhaps nobody, or it is only so much like names. Null for nothing. */
type Doubt = 'odd' | 'perhaps' | { likeness: number } | null;

function doubtOf(text: string): Doubt {
  if (hasOnlySigns(text)) return null;
  if (hasLookAlikes(text) || isShortWord(text)) return 'perhaps';
  if (isOddWord(text)) return 'odd';
  const letters = text.match(/[^\P{L}\p{ASCII}]/gu) ?? [];
  // Of letters without statistics it is not known how they stand together; syllables of Japanese stand in any order.
  return letters.length > 0 && letters.every(isInNames) && !isOfSyllables(letters)
    ? { likeness: likenessOf(text) }
    : null;
}

/** Whether no letter is beyond ASCII, and what is are digits, or signs and pictures of three bytes or more: no chance makes them. */
function hasOnlySigns(text: string): boolean {
  const beyond = text.match(/\P{ASCII}/gu) ?? [];
  if (beyond.some((character) => /\p{L}/u.test(character))) return false;
  return beyond.every((character) => character >= '\u0800') || beyond.some((character) => /\p{Nd}/u.test(character));
}

function isOfSyllables(letters: readonly string[]): boolean {
  return letters.length > 1 && letters.every((letter) => /[\p{Script=Hiragana}\p{Script=Katakana}ーｰﾞﾟ]/u.test(letter));
}

function isBetter(text: string, doubt: Doubt): boolean {
  if (doubt === 'odd') return true;
  return isLikeNames(text) && (doubt === null || doubt === 'perhaps' || likenessOf(text) > doubt.likeness + LIKER);
}

/** The likeliest first, and one at most that payrun does not read. */
function bestOf(
  encodings: readonly (LegacyEncoding | Unread)[],
  words: readonly string[],
): (LegacyEncoding | Unread)[] {
  const likeness = (encoding: LegacyEncoding | Unread) =>
    words.reduce((sum, word) => sum + likenessOf(readAs(encoding, word)), 0);
  const ranked = encodings.toSorted((one, other) => likeness(other) - likeness(one));
  return [...ranked.filter(isLegacy).slice(0, READINGS_SHOWN), ...ranked.filter(isUnread).slice(0, 1)];
}
