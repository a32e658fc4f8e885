import { columnOf } from '../header/columns.ts';
import { headerKey, keysOf } from '../header/header-key.ts';
import { HEADER_ROWS } from '../header/header-search.ts';
import { type Language, SYNONYMS, type Words, wordsIn } from '../header/synonyms.ts';
import type { LegacyBytes, Reading } from './legacy-bytes.ts';
import { CANDIDATES, type LegacyEncoding } from './legacy-encodings.ts';

/** Which encoding a text has, or what it reads as in those that are possible where nothing decides. */
export type Decision = { encoding: LegacyEncoding; readings: readonly Reading[] };

/**
 * Decides the encoding of a text that is not Unicode, whose first bytes are `head`. An encoding is possible where every
 * word reads as people write; the header then tells more: words of ours that only some of them show, and the language of
 * a program, whose encoding its names have too. Where those that are left read any byte differently, nothing decides:
 * a name in the wrong encoding is another name.
 */
export function decideEncoding(bytes: LegacyBytes, head: Uint8Array): Decision {
  const { possible } = bytes;
  const left = bytes.distinct(
    possible.length === 0 ? CANDIDATES : withLanguage(withKnownHeaders(possible, head), head),
  );
  const [encoding = 'windows-1252', other] = left;
  if (other === undefined) return { encoding, readings: [] };
  return { encoding, readings: bytes.readings(left) };
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

function withLanguage(encodings: readonly LegacyEncoding[], head: Uint8Array): readonly LegacyEncoding[] {
  const told = new Set<LegacyEncoding>();
  for (const cell of firstCells(encodings[0] ?? 'windows-1252', head)) {
    const meant = new Set([...(languagesByKey().get(headerKey(cell)) ?? [])].map((language) => ENCODING_OF[language]));
    const [encoding] = meant;
    if (meant.size === 1 && encoding !== undefined) told.add(encoding);
  }
  const [encoding] = told;
  if (told.size !== 1 || encoding === undefined || !encodings.includes(encoding)) return encodings;
  // A Mac writes Western names in an encoding of its own, and has no letters for Polish ones.
  return encodings.filter((each) => each === encoding || (each === 'macintosh' && encoding === 'windows-1252'));
}

let languages: ReadonlyMap<string, ReadonlySet<Language>> | null = null;

/** In which languages a header is a word of ours, by its key. */
function languagesByKey(): ReadonlyMap<string, ReadonlySet<Language>> {
  if (languages !== null) return languages;
  const byKey = new Map<string, Set<Language>>();
  for (const words of Object.values(SYNONYMS) as Words[])
    for (const [language, text] of Object.entries(words) as [Language, string][])
      for (const key of wordsIn(text).flatMap(keysOf)) byKey.set(key, (byKey.get(key) ?? new Set()).add(language));
  languages = byKey;
  return byKey;
}

/** What may be headers, with any delimiter. */
function firstCells(encoding: LegacyEncoding, head: Uint8Array): string[] {
  const lines = new TextDecoder(encoding).decode(head).split(/\r\n|\n|\r/, HEADER_ROWS);
  return lines.flatMap((line) => line.split(/[,;\t|]/).map((cell) => cell.replaceAll('"', '').trim()));
}
