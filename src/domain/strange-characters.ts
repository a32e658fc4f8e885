import { onFirstUse } from './lazy/on-first-use.ts';

/** A character of a cell that does not show, or that shows as another one. */
export type StrangeCharacter = {
  character: string;
  /** Its place in the cell, from 1. */
  at: number;
  kind: 'unseen' | 'digit' | 'form';
  /** Of one that only looks like another: that. */
  like?: string;
  /** Of a zero byte: its place in the file, from 0. */
  byte?: number;
};

/** Scripts in which joiners change how letters show (Unicode Standard, 23.2). */
const JOINING = ['Arab', 'Syrc', 'Mong', 'Nkoo', 'Mand', 'Rohg', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu']
  .concat(['Knda', 'Mlym', 'Sinh', 'Tibt', 'Mymr', 'Khmr', 'Java', 'Bali'])
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

const LETTER = `[[\\p{L}\\p{M}]&&[${JOINING}]]`;

/**
 * Where characters that do not show are a part of the text: joiners in the scripts that have them, and between pictures;
 * variants of pictures, of keys (`1️⃣`), of Chinese and of Mongolian letters.
 */
const PART_OF_TEXT = [
  `(?<=${LETTER})\\u200d`,
  `(?<=${LETTER})\\u200c(?=${LETTER})`,
  `(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=[\\p{Extended_Pictographic}\\p{Script=Han}])[\\ufe00-\\ufe0f]`,
  `\\ufe0f(?=\\u20e3)`,
  `(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]`,
  `(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]`,
].join('|');

const UNSEEN = `(?!${PART_OF_TEXT})\\p{Default_Ignorable_Code_Point}`;
const unseenAnywhere = onFirstUse(() => new RegExp(UNSEEN, 'gv'));
const PLAIN_ASCII = /^[ -~]*$/;
/** Letters, digits and signs of full width or of mathematics, and the signs between Arabic digits. */
const FORM = '[\\uff01-\\uff5e\\u{1d400}-\\u{1d7ff}\\u066b\\u066c]';
const ARABIC_SIGNS: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': ',' };

const OTHER_DIGIT = '[\\p{Nd}--[0-9]]';
const strange = onFirstUse(() => new RegExp(`${UNSEEN}|[\\p{Cc}\\p{Cs}]|${OTHER_DIGIT}|${FORM}`, 'gv'));

const PLAIN_LATIN = /^[ -~\u00a0-\u00ac\u00ae-\u02ff]*$/;

/**
 * Whether a text has letters and signs below U+0300 alone, without control characters and the soft hyphen, as nearly every
 * name: nothing in it is strange, and no search is needed.
 */
export function isPlainLatin(text: string): boolean {
  return PLAIN_LATIN.test(text);
}

/** The first character that does not show and is no part of the text (such as U+200B or U+00AD), or null. */
export function unseenIn(text: string): string | null {
  if (isPlainLatin(text)) return null;
  const unseen = unseenAnywhere();
  unseen.lastIndex = 0;
  return unseen.exec(text)?.[0] ?? null;
}

/** The text without what does not show. */
export function withoutUnseen(text: string): string {
  return text.replace(unseenAnywhere(), '').trim();
}

/**
 * The first character of the cell of an identifier or an amount that does not show, that is a digit of another script, or
 * another form of a character of ASCII; or null.
 */
export function strangeIn(text: string): StrangeCharacter | null {
  if (isPlainLatin(text)) return null;
  const anyStrange = strange();
  anyStrange.lastIndex = 0;
  const found = anyStrange.exec(text);
  if (found === null) return null;
  const { 0: character, index } = found;
  const at = Array.from(text.slice(0, index)).length + 1;
  if (/[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(character)) return { character, at, kind: 'unseen' };
  return { character, at, kind: /\p{Nd}/u.test(character) ? 'digit' : 'form', like: asciiOf(character) };
}

const noAscii = onFirstUse(() => new RegExp(`${OTHER_DIGIT}|${FORM}|\\p{Zs}`, 'gv'));

/**
 * The text with the digits of all scripts as 0 to 9, with other forms of ASCII as that, and without what does not show.
 * Digits that are marks (`²`, `①`) stay: they are no part of a number.
 */
export function asciiOf(text: string): string {
  return PLAIN_ASCII.test(text) ? text : text.replace(unseenAnywhere(), '').replace(noAscii(), plainForm);
}

function plainForm(character: string): string {
  return /\p{Nd}/u.test(character) ? digitOf(character) : (ARABIC_SIGNS[character] ?? character.normalize('NFKC'));
}

/** Unicode keeps the ten digits of a script in order, and where those of two follow each other, both begin with 0. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}
