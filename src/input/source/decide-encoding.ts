import { columnOf } from '../header/columns.ts';
import { headerKey, keysOf } from '../header/header-key.ts';
import { HEADER_ROWS } from '../header/header-search.ts';
import { type Language, SYNONYMS, type Words, wordsIn } from '../header/synonyms.ts';
import { CANDIDATES, characterOf, type LegacyEncoding } from './legacy-encodings.ts';

/** What one encoding makes of a word that others read differently. */
export type Reading = { encoding: LegacyEncoding; text: string };

/** Which encoding a text has, or what it reads as in those that are possible where nothing decides. */
export type Decision = { encoding: LegacyEncoding; readings: readonly Reading[] };

/**
 * Decides the encoding of a text that is not Unicode, whose first bytes are `head`. An encoding is possible where every
 * word reads as people write; the header then decides: words of ours that only some of them show, and the language of
 * a program, whose encoding its names have too. Where those that are left read any byte differently, nothing decides:
 * a name in the wrong encoding is another name.
 */
export async function decideEncoding(chunks: AsyncIterable<Uint8Array>, head: Uint8Array): Promise<Decision> {
  const { words, bytes } = await wordsBeyondAscii(chunks);
  const possible = CANDIDATES.filter((encoding) => words.values().every((word) => isWritten(encoding, word)));
  const likely = possible.length === 0 ? CANDIDATES : withLanguage(withKnownHeaders(possible, head), head);
  const left = distinct(likely, bytes);
  const [encoding = 'windows-1252', other] = left;
  return { encoding, readings: other === undefined ? [] : readingsOf(words, left) };
}

/** So many different words are looked at; a file of a million names has hardly more with letters beyond ASCII. */
const WORDS_MAX = 20_000;

/** Longer words are looked at in pieces of so many bytes. */
const WORD_LENGTH = 48;

/** Blanks, line breaks, delimiters and quotes. */
const BETWEEN_WORDS = /[\t\n\r ",;|]+/;

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** The words of a text that are not ASCII, as Latin-1 (a character for each byte), and all bytes beyond ASCII in it. */
async function wordsBeyondAscii(chunks: AsyncIterable<Uint8Array>): Promise<{ words: Set<string>; bytes: string }> {
  const words = new Set<string>();
  const bytes = new Set<string>();
  const add = (word: string) => {
    if (!BEYOND_ASCII.test(word)) return;
    if (words.size < WORDS_MAX) words.add(word);
    for (const byte of word) if (byte > '\u007f') bytes.add(byte);
  };
  let last = '';
  for await (const chunk of chunks) {
    const found = (last + Buffer.from(chunk).toString('latin1')).split(BETWEEN_WORDS);
    last = found.pop() ?? '';
    for (const word of found)
      for (let at = 0; at < word.length; at += WORD_LENGTH) add(word.slice(at, at + WORD_LENGTH));
    for (; last.length >= WORD_LENGTH; last = last.slice(WORD_LENGTH)) add(last.slice(0, WORD_LENGTH));
  }
  add(last);
  return { words, bytes: [...bytes].join('') };
}

/** No program writes these: control characters, ligatures that are one character, the sign of a company. */
const NO_TEXT = /[\u0080-\u009f\ufffd\uf8ff\ufb00-\ufb06ƒ]/u;

/** A letter of another alphabet among Latin ones. */
const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

/** Signs that may stand behind a letter (`Ann’s`, `№`, `100 m²`); no other sign beyond ASCII does. */
const SIGN_BEHIND_LETTER = /\p{L}[^\p{L}\p{M}\p{ASCII}’‘”“»›–—®©™°²³€·\u00a0\u00ad]/u;

/** Of those, the ones that may stand between two letters are apostrophes, dashes and the Catalan point. */
const SIGN_IN_WORD = /\p{L}[”“»›®©™°²³€]\p{L}/u;

/** A capital behind a small letter, of which one has an accent: `JosŽ`. */
const CAPITAL_IN_WORD = /\p{Ll}(?![A-Z])\p{Lu}|(?![a-zß])\p{Ll}\p{Lu}/u;

const UNWRITTEN: readonly RegExp[] = [NO_TEXT, NOT_LATIN, SIGN_BEHIND_LETTER, SIGN_IN_WORD, CAPITAL_IN_WORD];

/** Whether a word reads in an encoding as people write. */
function isWritten(encoding: LegacyEncoding, word: string): boolean {
  const text = readAs(encoding, word);
  // Macs write Turkish in an encoding of its own, and no other language has the letter.
  if (encoding === 'macintosh' && text.includes('ı')) return false;
  return !UNWRITTEN.some((odd) => odd.test(text));
}

function readAs(encoding: LegacyEncoding, bytes: string): string {
  return Array.from(bytes, (byte) => characterOf(encoding, byte.charCodeAt(0))).join('');
}

/** The encodings that read the bytes differently: the first of each group that reads all of them alike. */
function distinct(encodings: readonly LegacyEncoding[], bytes: string): LegacyEncoding[] {
  return [...Map.groupBy(encodings, (encoding) => readAs(encoding, bytes)).values()].flatMap(([first]) => first ?? []);
}

/** What the encodings make of the word that they read in the most ways. */
function readingsOf(words: ReadonlySet<string>, encodings: readonly LegacyEncoding[]): Reading[] {
  let best: Reading[] = [];
  for (const word of words) {
    const readings = distinct(encodings, word).map((encoding) => ({ encoding, text: readAs(encoding, word) }));
    if (readings.length > best.length) best = readings;
    if (best.length === encodings.length) break;
  }
  return best;
}

/** Those that show the most headers that we know. */
function withKnownHeaders(encodings: readonly LegacyEncoding[], head: Uint8Array): LegacyEncoding[] {
  const counts = encodings.map(
    (encoding) => firstCells(encoding, head).filter((cell) => columnOf(cell) !== null).length,
  );
  const most = Math.max(...counts);
  return encodings.filter((_, at) => counts[at] === most);
}

/** German and English headers are on computers of every country; the others are where their language is. */
const ENCODING_OF: Readonly<Partial<Record<Language, LegacyEncoding>>> = {
  fr: 'windows-1252',
  es: 'windows-1252',
  pt: 'windows-1252',
  it: 'windows-1252',
  nl: 'windows-1252',
  pl: 'windows-1250',
};

/** Those of the language of the header, where its words show one. */
function withLanguage(encodings: readonly LegacyEncoding[], head: Uint8Array): readonly LegacyEncoding[] {
  const languages = languagesByKey();
  const shown = new Set<LegacyEncoding>();
  for (const cell of firstCells(encodings[0] ?? 'windows-1252', head)) {
    const meant = new Set([...(languages.get(headerKey(cell)) ?? [])].map((language) => ENCODING_OF[language]));
    const [encoding] = meant;
    if (meant.size === 1 && encoding !== undefined) shown.add(encoding);
  }
  const [encoding] = shown;
  if (shown.size !== 1 || encoding === undefined || !encodings.includes(encoding)) return encodings;
  // A Mac writes Western names in an encoding of its own, and has no letters for Polish ones.
  return encodings.filter((each) => each === encoding || (each === 'macintosh' && encoding === 'windows-1252'));
}

/** In which languages a header is a word of ours, by its key. */
function languagesByKey(): ReadonlyMap<string, ReadonlySet<Language>> {
  const byKey = new Map<string, Set<Language>>();
  for (const words of Object.values(SYNONYMS) as Words[])
    for (const [language, text] of Object.entries(words) as [Language, string][])
      for (const key of wordsIn(text).flatMap(keysOf)) byKey.set(key, (byKey.get(key) ?? new Set()).add(language));
  return byKey;
}

/** What may be headers, with any delimiter. */
function firstCells(encoding: LegacyEncoding, head: Uint8Array): string[] {
  const lines = new TextDecoder(encoding).decode(head).split(/\r\n|\n|\r/, HEADER_ROWS);
  return lines.flatMap((line) => line.split(/[,;\t|]/).map((cell) => cell.replaceAll('"', '').trim()));
}
