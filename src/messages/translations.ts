import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { isOffered, setTranslator, type Translator } from './translate.ts';
import type { Language } from './viewer.ts';

/** English messages and their translations, both of ICU MessageFormat. */
export type Translations = Readonly<Record<string, string>>;

/** The languages in which everything is translated: a message without a translation fails the build. */
export const COMPLETE: readonly Language[] = ['de', 'es', 'fr', 'pt'];

/** Loads the languages that people can choose, once for the process. Without it everything is in English. */
export function loadTranslations(): void {
  for (const language of COMPLETE)
    if (!isOffered(language)) setTranslator(language, translatorOf(language, translationsOf(language)));
}

function translationsOf(language: Language): Translations {
  return JSON.parse(readFileSync(new URL(`translations/${language}.json`, import.meta.url), 'utf8'));
}

/** Each message is parsed when it is needed first. */
export function translatorOf(language: string, translations: Translations): Translator {
  const formats = new Map<string, IntlMessageFormat | null>();
  const formatOf = (message: string): IntlMessageFormat | null => {
    const known = formats.get(message);
    if (known !== undefined) return known;
    const text = translations[message];
    const format = text === undefined ? null : new IntlMessageFormat(text, language);
    formats.set(message, format);
    return format;
  };
  return {
    text(message, values) {
      const format = formatOf(message);
      return format === null ? null : String(format.format(Object.fromEntries(values.entries())));
    },
    parts(message, values, tags) {
      const named = { ...Object.fromEntries(values.entries()), ...tags } as Record<string, string>;
      return (
        formatOf(message)
          ?.formatToParts(named)
          .map(({ value }) => value) ?? null
      );
    },
  };
}
