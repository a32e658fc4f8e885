import { allFakers } from '@faker-js/faker';
import type { NameLanguage } from '../../../src/input/source/encoding/letter-statistics.ts';
import { MORE_NAMES } from './more-names.ts';

/** First and last names of a language, each once. */
export type Names = { first: string[]; last: string[] };

/** The locales of @faker-js/faker (MIT) that have names of a language. */
const LOCALES = {
  cs: ['cs_CZ'],
  sk: ['sk'],
  hu: ['hu'],
  ro: ['ro', 'ro_MD'],
  hr: ['hr', 'sr_RS_latin'],
  sl: ['sl_SI'],
  pl: ['pl'],
  tr: ['tr'],
  lv: ['lv'],
  es: ['es', 'es_MX'],
  de: ['de', 'de_AT', 'de_CH'],
  fr: ['fr', 'fr_BE', 'fr_CA', 'fr_CH'],
  pt: ['pt_BR', 'pt_PT'],
  it: ['it'],
  sv: ['sv', 'fi'],
  nb: ['nb_NO', 'da'],
  nl: ['nl', 'nl_BE'],
  zh: ['zh_CN'],
  ja: ['ja'],
  tw: ['zh_TW'],
  ko: ['ko'],
} as const satisfies Partial<Record<NameLanguage, readonly (keyof typeof allFakers)[]>>;

export type NamesLanguage = keyof typeof LOCALES | keyof typeof MORE_NAMES;

export const LANGUAGES = [...new Set([...Object.keys(LOCALES), ...Object.keys(MORE_NAMES)])] as NamesLanguage[];

/** The names of a language; or half of them, of which the first is for counting and the second for measuring. */
export function namesOf(language: NamesLanguage, part: 'both' | 'first' | 'second' = 'both'): Names {
  const locales: Readonly<Partial<Record<string, readonly (keyof typeof allFakers)[]>>> = LOCALES;
  const more: Readonly<Partial<Record<string, string>>> = MORE_NAMES;
  const persons = (locales[language] ?? []).map((locale) => allFakers[locale].rawDefinitions.person);
  const first = new Set(persons.flatMap((person) => textsIn(person?.first_name)).map(inOldLetters));
  const last = new Set(persons.flatMap((person) => textsIn(person?.last_name)).map(inOldLetters));
  for (const name of (more[language] ?? '').split(/\s+/))
    if (name !== '') (last.size < first.size ? last : first).add(name);
  const isIn = (name: string) => part === 'both' || isOfFirstHalf(name) === (part === 'first');
  return { first: [...first].filter(isIn), last: [...last].filter(isIn) };
}

/** By a hash, so that a name of two languages is in the same half. */
function isOfFirstHalf(name: string): boolean {
  const hash = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
  return hash % 2 === 0;
}

/** The older encodings have the Romanian letters with cedilla. */
function inOldLetters(name: string): string {
  return name.normalize('NFC').replace(/[șțȘȚ]/g, (letter) => ({ ș: 'ş', ț: 'ţ', Ș: 'Ş', Ț: 'Ţ' })[letter] ?? letter);
}

/** All texts of a definition: lists, lists with weights, lists by sex. */
export function textsIn(definition: unknown): string[] {
  if (typeof definition === 'string') return [definition];
  if (Array.isArray(definition)) return definition.flatMap(textsIn);
  if (typeof definition !== 'object' || definition === null) return [];
  if ('value' in definition) return textsIn(definition.value);
  return Object.values(definition).flatMap(textsIn);
}
