import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { COMPLETE, type Translations } from '../../../src/messages/translations.ts';

export const FOLDER = join(import.meta.dirname, '../../../src/messages/translations');

/** What is wrong with the translations of one language. `missing` are messages of the source that it does not have. */
export type Checked = { language: string; missing: string[]; problems: string[] };

/** Every language that has a file; one that people can choose has to have every message. */
export function checkAll(messages: ReadonlyMap<string, readonly string[]>): Checked[] {
  const languages = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ''));
  return languages.map((language) => {
    const { missing, problems } = checkTranslations(translationsIn(language), messages);
    const isComplete = COMPLETE.some((one) => one === language);
    const lacking = isComplete
      ? missing.map((message) => `${messages.get(message)?.[0]} is not translated: ${message}`)
      : [];
    return { language, missing, problems: [...problems, ...lacking] };
  });
}

export function translationsIn(language: string): Translations {
  return JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Translations;
}

export function checkTranslations(translations: Translations, messages: ReadonlyMap<string, unknown>) {
  const missing = [...messages.keys()].filter((message) => !Object.hasOwn(translations, message));
  const problems = Object.entries(translations).flatMap(([message, translation]) => {
    if (!messages.has(message)) return [`is in the source no more: ${message}`];
    const problem = problemOf(message, translation);
    return problem === null ? [] : [`${problem}: ${message} → ${translation}`];
  });
  return { missing, problems };
}

/** Why a translation cannot stand for its message; null where it can. */
export function problemOf(message: string, translation: string): string | null {
  if (translation.trim() === '' && message.trim() !== '') return 'is empty';
  for (const end of [/^\s*/, /\s*$/])
    if (end.exec(message)?.[0] !== end.exec(translation)?.[0]) return 'begins or ends with other blanks';
  try {
    const [has, takes] = [slotsOf(message), slotsOf(translation)];
    for (const [name, kind] of takes) {
      const given = has.get(name);
      if (given === undefined) return `has ${name}, and the message has not`;
      if (kind !== given && !(kind === 'value' && given === 'plural'))
        return `takes ${name} as ${kind}, and it is ${given}`;
    }
    // Words that agree with a number, or are one of two, may have no place in another language.
    const lost = [...has].find(([name, kind]) => (kind === 'value' || kind === 'element') && !takes.has(name));
    return lost === undefined ? null : `lacks ${lost[0]}`;
  } catch (error) {
    return `is no ICU message (${error instanceof Error ? error.message : String(error)})`;
  }
}

type Kind = 'value' | 'plural' | 'select' | 'element';
type Ast = ReturnType<IntlMessageFormat['getAst']>;

/** What a message takes, by name. */
function slotsOf(message: string): Map<string, Kind> {
  const slots = new Map<string, Kind>();
  const visit = (parts: Ast): void => {
    for (const part of parts) {
      const kind = KINDS[part.type];
      if (kind !== undefined && 'value' in part) {
        const name = kind === 'element' ? `<${part.value}>` : `{${part.value}}`;
        if (kind !== 'value' || !slots.has(name)) slots.set(name, kind);
      }
      if ('children' in part) visit(part.children);
      if ('options' in part) for (const { value } of Object.values(part.options)) visit(value);
    }
  };
  visit(new IntlMessageFormat(message, 'en').getAst());
  return slots;
}

/** By the types of the parser (`TYPE`), of which it exports the names to compilers alone. */
const KINDS: Readonly<Record<number, Kind>> = { 1: 'value', 5: 'select', 6: 'plural', 8: 'element' };
