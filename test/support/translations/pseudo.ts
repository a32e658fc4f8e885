import { IntlMessageFormat } from 'intl-messageformat';
import { onTestFinished } from 'vitest';
import { setTranslator, type Translator, translator } from '../../../src/messages/translate.ts';
import { ANYBODY, asViewer, type Language } from '../../../src/messages/viewer.ts';
import { messagesOfProject } from './extract.ts';

/**
 * A language whose texts are the English ones in ⟦ and ⟧. What is filled into a text stands outside of them, so that words which
 * are no texts of their own are seen there too.
 */
const pseudo = (messages: ReadonlyMap<string, unknown>): Translator => ({
  text(message, values) {
    if (!messages.has(message)) return null;
    const around = values.map((value, at) => (message.includes(`{${at}}`) ? `⟧${value}⟦` : value));
    return `⟦${formatOf(message).format(Object.fromEntries(around.entries()))}⟧`;
  },
  parts(message, values, tags) {
    if (!messages.has(message)) return null;
    const inside = (write: (inside: unknown[]) => unknown) => (parts: unknown[]) =>
      write(['⟦', ...parts.flatMap((part) => (typeof part === 'string' ? [part] : ['⟧', part, '⟦'])), '⟧']);
    const written = Object.entries(tags).map(([name, write]) => [name, inside(write)]);
    const named = { ...Object.fromEntries(values.entries()), ...Object.fromEntries(written) } as Record<string, string>;
    const parts = formatOf(message)
      .formatToParts(named)
      .flatMap(({ value }) => (typeof value === 'string' ? [value] : ['⟧', value, '⟦']));
    return ['⟦', ...parts, '⟧'];
  },
});

const FORMATS = new Map<string, IntlMessageFormat>();

function formatOf(message: string): IntlMessageFormat {
  const known = FORMATS.get(message) ?? new IntlMessageFormat(message, 'en');
  FORMATS.set(message, known);
  return known;
}

/**
 * Fills the language with pseudo-translations of this project's messages for this test. Returns a function that undoes
 * it.
 */
export function speakPseudo(language: Language): () => void {
  return speak(language, pseudo(messagesOfProject().messages));
}

/** Fills the language with these texts for this test only: other test files in the worker use the original. */
export function speak(language: Language, texts: Translator): () => void {
  const before = asViewer({ ...ANYBODY, language }, translator) ?? null;
  const back = () => setTranslator(language, before);
  onTestFinished(back);
  setTranslator(language, texts);
  return back;
}
