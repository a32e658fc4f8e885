import { posix } from 'node:path';
import { isNode, placeOf, type Source, type SyntaxNode, textOf } from './source.ts';

/** What of `src/messages` is of no language: the choice of one, how commands and times are written, and what texts are made with. */
const OF_NO_LANGUAGE: ReadonlySet<string> = new Set([
  'src/messages/messages.ts',
  'src/messages/command-line.ts',
  'src/messages/text.ts',
  'src/messages/viewer.ts',
  'src/messages/translate.ts',
  'src/messages/translations.ts',
  'src/messages/local-time.ts',
]);

/** Whose words are not of the language that is chosen: the service's are its wire format. */
const OTHERS: readonly string[] = ['src/messages/', 'src/service/'];

/** Imports of the words of one language, by files that would have them in no other. Types are of every language. */
export function languageProblems(source: Source): string[] {
  if (!source.path.startsWith('src/') || OTHERS.some((folder) => source.path.startsWith(folder))) return [];
  const { body } = source.program;
  return (Array.isArray(body) ? body.filter(isNode) : []).flatMap((node) => {
    const target = posix.join(posix.dirname(source.path), importedText(node) ?? '');
    if (!target.startsWith('src/messages/') || OF_NO_LANGUAGE.has(target)) return [];
    return [`${placeOf(source, node.start)}: takes words from ${target}; take them from messages.ts`];
  });
}

/** The module that a statement takes values from; null where it takes types alone. */
function importedText({ type, importKind, source, specifiers }: SyntaxNode): string | null {
  if (type !== 'ImportDeclaration' || importKind === 'type') return null;
  const names = Array.isArray(specifiers) ? specifiers.filter(isNode) : [];
  const isOfTypes = names.length > 0 && names.every((one) => one.importKind === 'type');
  return isOfTypes ? null : textOf(source);
}
