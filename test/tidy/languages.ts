import { posix } from 'node:path';
import { isNode, nameOf, placeOf, type Source, type SyntaxNode, textOf, walk } from './source.ts';

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

/** Where people read what is written: but for programs, and for what cannot be made a request of. */
const READ = /^src\/(?:web\/(?!api\/|serve\.ts$)|report\/html\/)/;

/** `Choose another one.`, but no name of a file. */
const SENTENCE = /^\p{Lu}\p{Ll}*,? \p{Ll}(?!.*\.csv$)/u;

/** What is no text for people, or is in other languages too. */
const TAKEN: ReadonlySet<string> = new Set(['textTable', 'plural', 'either', 'counted', 'assert']);
const LOGGED: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error']);

/** Sentences that every reader of the page would have in English: those that stand in no `t`, `html` or table of texts. */
export function untranslatedProblems(source: Source): string[] {
  if (!READ.test(source.path)) return [];
  const problems: string[] = [];
  const seen = new Set<SyntaxNode>();
  walk(source.program, (node) => {
    if (takesTexts(node)) for (const text of textsIn(node)) seen.add(text);
    const text = node.type === 'TemplateLiteral' ? begin(node) : textOf(node);
    if (text !== null && SENTENCE.test(text) && !seen.has(node))
      problems.push(`${placeOf(source, node.start)}: is English for all readers: ${text}`);
  });
  return problems;
}

function begin({ quasis }: SyntaxNode): string | null {
  const [first] = Array.isArray(quasis) ? quasis : [];
  return (first?.value as { cooked: string } | undefined)?.cooked ?? null;
}

/** Whether the literals of a node are texts for translators, or for no people. */
function takesTexts({ type, callee }: SyntaxNode): boolean {
  if (type === 'TaggedTemplateExpression') return true;
  if (type === 'NewExpression') return /Error$|^Refusal$/.test(nameOf(callee) ?? '');
  if (type !== 'CallExpression') return false;
  const called = isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee.property) : null;
  return TAKEN.has(nameOf(callee) ?? '') || (called !== null && LOGGED.has(called));
}

/** The literals that are a node's own: of a template its text, of a call its arguments and all that stands in a table. */
function textsIn({ type, quasi, arguments: given }: SyntaxNode): SyntaxNode[] {
  if (type === 'TaggedTemplateExpression') return isNode(quasi) ? [quasi] : [];
  const literals: SyntaxNode[] = [];
  for (const argument of Array.isArray(given) ? given.filter(isNode) : [])
    walk(argument, (node) => {
      literals.push(node);
    });
  return literals;
}
