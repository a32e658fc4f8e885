import type { Encoding } from '../../../src/input/source/encoding/encodings.ts';
import { surveyBytes } from '../../../src/input/source/sniff.ts';
import { encoded } from './encode.ts';
import { MORE_NAMES } from './more-names.ts';
import { LANGUAGES, type Names, type NamesLanguage, namesOf } from './names.ts';

/** A number of at least 0 and less than 1, anew with each call. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WESTERN: readonly Encoding[] = ['windows-1252', 'macintosh'];
const CENTRAL: readonly Encoding[] = ['windows-1250', 'iso-8859-2'];
const UNICODE: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be'];

/** A language, or Japanese in katakana of half width, as its banks want names. */
export type FileLanguage = NamesLanguage | 'kana';

/** In which encodings programs write names of a language, beside those of Unicode. */
const ENCODINGS_OF: Readonly<Record<FileLanguage, readonly Encoding[]>> = {
  cs: CENTRAL,
  sk: CENTRAL,
  hu: CENTRAL,
  ro: CENTRAL,
  hr: CENTRAL,
  sl: CENTRAL,
  pl: CENTRAL,
  tr: ['windows-1254'],
  lv: ['windows-1257'],
  lt: ['windows-1257'],
  et: ['windows-1257'],
  es: WESTERN,
  de: [...WESTERN, 'windows-1250'],
  fr: WESTERN,
  pt: WESTERN,
  it: WESTERN,
  sv: WESTERN,
  nb: WESTERN,
  nl: WESTERN,
  ga: WESTERN,
  is: ['windows-1252'],
  zh: ['gb18030'],
  ja: ['shift_jis'],
  kana: ['shift_jis'],
  tw: [],
  ko: [],
};

export type Case = { language: FileLanguage; encoding: Encoding };

export const CASES: readonly Case[] = Object.entries(ENCODINGS_OF).flatMap(([language, encodings]) =>
  [...encodings, ...UNICODE].map((encoding) => ({ language: language as FileLanguage, encoding })),
);

export type NamesByLanguage = ReadonlyMap<FileLanguage, Names>;

export function allNames(part: 'both' | 'second' = 'both'): NamesByLanguage {
  const names = new Map<FileLanguage, Names>(LANGUAGES.map((language) => [language, namesOf(language, part)]));
  const kana = MORE_NAMES.ja.split(/\s+/);
  const half = Math.floor(kana.length / 2);
  return names.set('kana', { first: kana.slice(half), last: kana.slice(0, half) });
}

/** How many names a file has, which part of them are of another language, and which part of the files is in capitals. */
export type Shape = { size: number; foreign: number; capitals: number };

/** Languages that are written without blanks between names. */
const TOGETHER: ReadonlySet<FileLanguage> = new Set<FileLanguage>(['zh', 'ja', 'tw', 'ko']);
const EAST_ASIAN: ReadonlySet<FileLanguage> = new Set<FileLanguage>([...TOGETHER, 'kana']);

/** A file of names that the encoding has; a foreign one is written without its accents where it must. */
export function payrollText(
  { language, encoding }: Case,
  shape: Shape,
  names: NamesByLanguage,
  random: Random,
): string {
  const isInCapitals = random() < shape.capitals;
  const others = [...names.keys()].filter((each) => !EAST_ASIAN.has(each));
  const lines: string[] = [];
  while (lines.length < shape.size) {
    const isForeign = !EAST_ASIAN.has(language) && random() < shape.foreign;
    const from = isForeign ? (oneOf(others, random) ?? language) : language;
    const plain = nameOf(names.get(from), from, random);
    const name = isInCapitals ? plain.toLocaleUpperCase(from === 'tr' ? 'tr' : 'en') : plain;
    const written = [name, name.normalize('NFD').replace(/\p{M}/gu, '')].find(
      (each) => encoded(each, encoding) !== null,
    );
    if (written !== undefined && (isForeign || written === name)) lines.push(`${written},1.00,EUR`);
  }
  return `name,amount,currency\r\n${lines.join('\r\n')}\r\n`;
}

function nameOf(names: Names | undefined, language: FileLanguage, random: Random): string {
  const first = oneOf(names?.first ?? [], random) ?? '';
  const last = oneOf(names?.last ?? [], random) ?? '';
  if (language === 'kana') return halfWidth(`${last} ${first}`);
  return TOGETHER.has(language) ? last + first : `${first} ${last}`;
}

function oneOf<T>(list: readonly T[], random: Random): T | undefined {
  return list[Math.floor(random() * list.length)];
}

const HALF_WIDTH = new Map(
  Array.from({ length: 0xff9f - 0xff66 }, (_, at) => String.fromCharCode(0xff66 + at)).map((kana) => [
    kana.normalize('NFKC'),
    kana,
  ]),
);

function halfWidth(text: string): string {
  const parts = text.normalize('NFD').replaceAll('\u3099', 'ﾞ').replaceAll('\u309a', 'ﾟ');
  return Array.from(parts, (character) => HALF_WIDTH.get(character) ?? character).join('');
}

export type Answer = 'right' | 'asked' | 'wrong';

/** What becomes of a file of that text. */
export async function answerTo(text: string, encoding: Encoding): Promise<Answer> {
  const bytes = encoded(text, encoding) ?? Buffer.of();
  const { encoding: found, readings, fault } = await surveyBytes(() => chunksOf(bytes));
  if (readings.length > 0 || fault !== null) return 'asked';
  return new TextDecoder(found).decode(bytes) === text ? 'right' : 'wrong';
}

export async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
