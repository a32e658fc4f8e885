import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { trigramsOf } from '../../../src/input/source/encoding/trigrams.ts';
import { WORDS_BESIDE_NAMES } from './more-names.ts';
import { LANGUAGES, type NamesLanguage, namesOf } from './names.ts';

/**
 * Writes src/input/source/encoding/letter-statistics.ts anew: `node test/input/encodings/make-letter-statistics.ts`. With
 * `--half` it counts one half of the names only, so that measure-encodings.ts can measure with the other one.
 */

const OUT = join(import.meta.dirname, '../../../src/input/source/encoding/letter-statistics.ts');
const LINE = 114;

const isHalf = process.argv.includes('--half');

function wordsOf(language: NamesLanguage): string[] {
  const { first, last } = namesOf(language, isHalf ? 'first' : 'both');
  const beside: Readonly<Record<string, string>> = WORDS_BESIDE_NAMES;
  return [...first, ...last, beside[language] ?? ''].flatMap((name) => name.split(/[\s-]+/));
}

/** How many words have a trigram. Turkish has an İ where it is written in capitals. */
function countsOf(words: readonly string[], language: NamesLanguage): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) {
    const capitals = language === 'tr' ? trigramsOf(word.toLocaleUpperCase('tr')) : [];
    for (const trigram of new Set([...trigramsOf(word), ...capitals]))
      if (!HAN.test(trigram)) counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  }
  return counts;
}

const HAN = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** Groups of trigrams, by the power of two of their count. */
function statisticsOf(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts.keys()].sort((one, other) => (byLetter(one) < byLetter(other) ? -1 : 1));
  const powerOf = (trigram: string) => Math.floor(Math.log2(counts.get(trigram) ?? 1));
  const most = Math.max(...sorted.map(powerOf), -1);
  const groups = Array.from({ length: most + 1 }, (_, power) => sorted.filter((each) => powerOf(each) === power));
  return groups.map((group) => group.join(' ')).join(' / ');
}

function byLetter(trigram: string): string {
  return trigram.charAt(1) + trigram;
}

function ideographsOf(words: readonly string[]): string {
  const characters = new Set(words.flatMap((word) => [...word].filter((character) => HAN.test(character))));
  return (
    [...characters]
      .sort()
      .join('')
      .match(/.{1,54}/gu) ?? []
  ).join(' ');
}

/** An entry of a table, in lines. */
function entry(language: string, text: string): string {
  const lines = [''];
  for (const word of text.replaceAll(/ +/g, ' ').split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length >= LINE) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `  ${language}: \`\n    ${lines.join('\n    ')}\`,\n`;
}

let statistics = '';
let ideographs = '';
for (const language of LANGUAGES) {
  const words = wordsOf(language);
  const counts = countsOf(words, language);
  const characters = ideographsOf(words);
  if (counts.size > 0) statistics += entry(language, statisticsOf(counts));
  if (characters !== '') ideographs += entry(language, characters);
}

writeFileSync(
  OUT,
  `/** Made by test/input/encodings/make-letter-statistics.ts from the names of @faker-js/faker (MIT) and lists of our own. */

/** A language whose names are known by their letters. */
export type NameLanguage = keyof typeof LETTER_STATISTICS | keyof typeof IDEOGRAPHS;

/**
 * The letters beyond ASCII in names of each language, between their neighbours (\`^\` and \`$\` are begin and end of a word):
 * those of one name, of two or three, of four to seven, and so on, divided by \`/\`.
 */
export const LETTER_STATISTICS = {
${statistics}} as const;

/** The ideographs of names, and the Korean syllables, and of words that stand beside them. */
export const IDEOGRAPHS = {
${ideographs}} as const;
`,
);
