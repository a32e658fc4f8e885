import { isEastAsian, type LegacyEncoding } from './encodings.ts';
import type { Unread } from './unread.ts';

/** No program writes these: control characters, accents without a letter, ligatures that are one character, signs of sums. */
const NO_TEXT = /[\u0080-\u009f\ufffd\ue000-\uf8ff\ufb00-\ufb06ƒ¸¯\u02c6-\u02dd⁄∂∆∏∑√∞∫≈≠≤≥◊]/u;

/** A letter of another alphabet among Latin ones. */
const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

/** Signs that may stand behind a letter (`Ann’s`, `№`, `100 m²`); no other sign beyond ASCII does. */
const SIGN_BEHIND_LETTER = /\p{L}[^\p{L}\p{M}\p{ASCII}’‘”“»›–—®©™°²³€·\u00a0\u00ad]/u;

/** Signs that may stand before a letter: what begins a quotation or a question, what joins words, and what counts or pays. */
const SIGN_BEFORE_LETTER = /[^\p{L}\p{M}\p{ASCII}’‘“„‚«‹”»›¿¡–—€£¥§°·…\u00a0\u00ad]\p{L}/u;

/** More signs in a row than anybody needs. */
const SIGNS_IN_A_ROW = /[^\p{L}\p{M}\p{ASCII}]{3}/u;

/** Of those, the ones that may stand between two letters are apostrophes, dashes and, in Catalan, a point. */
const SIGN_IN_WORD = /\p{L}[”“»›®©™°²³€]\p{L}|(?<!l)·|·(?!l)|[ªº]\p{L}/iu;

/** A dash joins names, which begin with a capital. */
const DASH_BEHIND_LETTER = /\p{L}[–—](?!\p{Lu})/u;

/** A capital behind a small letter, or between a capital and a small one, where an accent is among them: `JosŽ`, `MÅller`. */
const CAPITAL_IN_WORD = /\p{Ll}(?![A-Z])\p{Lu}|(?![a-zß])\p{Ll}\p{Lu}|\p{Lu}(?![A-Z])\p{Lu}\p{Ll}/u;

const UNWRITTEN: readonly RegExp[] = [
  SIGNS_IN_A_ROW,
  NO_TEXT,
  NOT_LATIN,
  SIGN_BEHIND_LETTER,
  SIGN_BEFORE_LETTER,
  SIGN_IN_WORD,
  DASH_BEHIND_LETTER,
  CAPITAL_IN_WORD,
];

/** A Latin letter beside one of East Asia, or a kana of half width that is a whole word: `MUﾑOZ`. */
const UNWRITTEN_EAST: readonly RegExp[] = [
  NO_TEXT,
  /[A-Za-z]\P{ASCII}|\P{ASCII}[A-Za-z]/u,
  /(?<!\p{L})[\uff61-\uff9f](?!\p{L})/u,
];

/** Whether a text of one script has signs or capitals where nobody writes them. */
export function hasOddSigns(text: string): boolean {
  return UNWRITTEN.some((odd) => odd !== NOT_LATIN && odd.test(text));
}

/** Whether a text that was read in an encoding is as people write. */
export function isWritten(text: string, encoding: LegacyEncoding | Unread): boolean {
  if (isEastAsian(encoding)) return !UNWRITTEN_EAST.some((odd) => odd.test(text));
  // Macs write Turkish in an encoding of its own, and no other language has the letter.
  if (encoding === 'macintosh' && text.includes('ı')) return false;
  return !UNWRITTEN.some((odd) => odd.test(text));
}
