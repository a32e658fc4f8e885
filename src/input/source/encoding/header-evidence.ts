import { columnOf } from '../../header/columns.ts';
import { headerKey, keysOf } from '../../header/header-key.ts';
import { HEADER_ROWS } from '../../header/header-search.ts';
import { type Language, SYNONYMS, type Words, wordsIn } from '../../header/synonyms.ts';
import type { Candidate } from './candidates.ts';
import { MARGIN, MOST_FREQUENT, RARE } from './evidence.ts';

/**
 * What speaks for each encoding beside the words of a text, whose first bytes are `head`: how frequent it is, and the header.
 * Words of ours that only others show, and a language of computers that have another one, each count as much as decides.
 */
export function headerEvidence(encodings: readonly Candidate[], head: Uint8Array): Map<Candidate, number> {
  const cells = new Map(encodings.map((encoding) => [encoding, firstCells(encoding, head)]));
  const known = new Map([...cells].map(([encoding, texts]) => [encoding, texts.filter(isKnown).length]));
  const most = Math.max(...known.values());
  const [first = []] = [...cells].filter(([encoding]) => known.get(encoding) === most).map(([, texts]) => texts);
  const ofLanguage = encodingsOfHeader(first);
  const evidence = new Map<Candidate, number>();
  for (const [encoding, count] of known) {
    const foreign = ofLanguage === null || ofLanguage.includes(encoding) ? 0 : MARGIN + MOST_FREQUENT;
    evidence.set(encoding, (FREQUENCY[encoding] ?? 0) - (most - count) * MARGIN - foreign);
  }
  return evidence;
}

const FREQUENCY: Readonly<Partial<Record<Candidate, number>>> = {
  'windows-1252': MOST_FREQUENT,
  'windows-1257': RARE,
};

function isKnown(cell: string): boolean {
  return columnOf(cell) !== null;
}

/**
 * Western and Polish headers are on computers that write names in the encodings of their language. German and English ones
 * are on computers of every country. A Mac writes Western names in an encoding of its own, and has no letters for Polish.
 */
const WESTERN: readonly Candidate[] = ['windows-1252', 'macintosh'];
const ENCODINGS_OF: Readonly<Partial<Record<Language, readonly Candidate[]>>> = {
  fr: WESTERN,
  es: WESTERN,
  pt: WESTERN,
  it: WESTERN,
  nl: WESTERN,
  pl: ['windows-1250', 'iso-8859-2'],
};

/** The encodings of the language of a header, as its words show it; null where they show none, or several. */
function encodingsOfHeader(cells: readonly string[]): readonly Candidate[] | null {
  languages ??= languagesByKey();
  const shown = new Set<readonly Candidate[]>();
  for (const cell of cells) {
    const meant = new Set([...(languages.get(headerKey(cell)) ?? [])].map((language) => ENCODINGS_OF[language]));
    const [encodings] = meant;
    if (meant.size === 1 && encodings !== undefined) shown.add(encodings);
  }
  const [encodings = null] = shown;
  return shown.size === 1 ? encodings : null;
}

let languages: ReadonlyMap<string, ReadonlySet<Language>> | null = null;

/** In which languages a header is a word of ours, by its key. */
function languagesByKey(): ReadonlyMap<string, ReadonlySet<Language>> {
  const byKey = new Map<string, Set<Language>>();
  for (const words of Object.values(SYNONYMS) as Words[])
    for (const [language, text] of Object.entries(words) as [Language, string][])
      for (const key of wordsIn(text).flatMap(keysOf)) byKey.set(key, (byKey.get(key) ?? new Set()).add(language));
  return byKey;
}

/** What may be headers, with any delimiter. */
function firstCells(encoding: Candidate, head: Uint8Array): string[] {
  const lines = new TextDecoder(encoding).decode(head).split(/\r\n|\n|\r/, HEADER_ROWS);
  return lines.flatMap((line) => line.split(/[,;\t|]/).map((cell) => cell.replaceAll('"', '').trim()));
}
