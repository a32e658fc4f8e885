import { characterTable, type OneByteEncoding } from './encoding/encodings.ts';
import { isOddWord } from './encoding/reads-well.ts';

/** The encodings in which programs open UTF-8 that has no byte order mark. */
const WRONG_ENCODINGS = ['windows-1252', 'windows-1250'] as const;

/** The first two bytes of a letter of UTF-8, nearly as both encodings show them: most names have nothing like it. */
const FIRST_BYTES = /[\u00c2-\u00f4\u0102-\u016e][^\p{ASCII}]/u;

/**
 * The text that was written, where `text` is its UTF-8 read as windows-1252 or windows-1250 (`JosÃ©`, `MÃ¼ller`); null
 * where it is not. Every byte must fit, so that a text of ours is not taken for one; and in windows-1250, whose letters
 * fit by chance (`BĂŞESCU`), one of the pairs must be none of two letters. It must be as people write it: the letters of
 * `MATÚŠ` fit by chance too.
 */
export function ungarbled(text: string): string | null {
  if (!FIRST_BYTES.test(text)) return null;
  for (const encoding of WRONG_ENCODINGS) {
    const bytes = bytesIn(encoding, text);
    const written = bytes === null ? null : utf8Of(bytes);
    const isByChance = encoding === 'windows-1250' && !/\p{L}[^\p{L}\p{M}\p{ASCII}]/u.test(text);
    if (written !== null && !isByChance && !written.split(' ').some(isOddWord)) return written;
  }
  return null;
}

/** Signs that no name has between two letters, as the letters of other encodings show when they are read wrong. */
const SIGN_IN_WORD = /[¡¢£¤¥¦§¨«¬¯±¶¸¹»¼½¾¿÷†‡…‰‹›„‚ƒˆ˜•](?<=\p{L}[’‘]*.)[¡¢£¤¥¦§¨«¬¯±¶¸¹»¼½¾¿÷†‡…‰‹›„‚ƒˆ˜•’‘]*\p{L}/u;

/** Both patterns below need three characters in a row that are capitals or not ASCII. Few names have them. */
const THREE_UNUSUAL = /[A-Z\u00aa-\uffff]{3}/;

/** Three different accented letters in a row are in no name of the languages that windows-1252 is for. */
const ACCENTED = '([\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u00ff])';
const LETTERS_IN_A_ROW = new RegExp(`${ACCENTED}(?!\\1)${ACCENTED}(?!\\1|\\2)${ACCENTED}`);

/**
 * Two capitals with accents can be one small letter of UTF-8: `KSIĘŻAK` in ISO 8859-2 is `KSIʯAK`. No name has it between
 * capitals, but for those that German and Turkish keep there; of phonetic letters names have those of Azerbaijan and West
 * Africa.
 */
const SMALL_AMONG_CAPITALS = /[\p{Ll}--[\p{ASCII}ßıŋ]](?<=(?<!\p{L})\p{Lu}+.)\p{Lu}{2,}(?!\p{L})/v;
const PHONETIC_LETTER = /[[\u0250-\u02af]--[əɛɔɖɓɗɣʋɩɲɨʉʌʔ]]/v;

/** Whether a name shows as names do that were read in a wrong encoding (`N£¤ez`, `Èâàí`, `BêESCU`). */
export function isDoubtful(name: string): boolean {
  return (
    SIGN_IN_WORD.test(name) ||
    (THREE_UNUSUAL.test(name) && (LETTERS_IN_A_ROW.test(name) || SMALL_AMONG_CAPITALS.test(name))) ||
    PHONETIC_LETTER.test(name)
  );
}

const bytesByEncoding = new Map<OneByteEncoding, ReadonlyMap<string, number>>();

/** The bytes of a text in an encoding of one byte a character; null where it has not all of them. */
function bytesIn(encoding: OneByteEncoding, text: string): Uint8Array | null {
  const table = bytesByEncoding.get(encoding) ?? new Map(characterTable(encoding).map((sign, byte) => [sign, byte]));
  bytesByEncoding.set(encoding, table);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = table.get(text.charAt(at));
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}

function utf8Of(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
