import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../../src/messages/text.ts';
import { Either, escaped, messageOf, Plural, placeholder } from '../../../src/messages/translate.ts';
import { type Item, messageOfText, type Piece, piecesOf, type Text } from '../../../src/web/shell/segments.ts';
import { isNode, nameOf, placeOf, type Source, type SyntaxNode, sourceOf, textOf, walk } from '../../tidy/source.ts';

const PROJECT = join(import.meta.dirname, '../../..');

/** Each English message of the source, with where it is; and what of the source no translator can see. */
export type Found = { messages: Map<string, string[]>; problems: string[] };

/** What only the command line and programs read, which is in English. */
const ENGLISH_ALONE = [/^src\/(?:cli|domain|input|service|library)\//, /^src\/web\/api\/(?!.*-page\.ts$)/];

/** All that the page, its mails and its reports say. */
export function messagesOfProject(): Found {
  const paths = globSync('src/**/*.ts', { cwd: PROJECT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
  const found: Found = { messages: new Map(), problems: [] };
  for (const path of paths) {
    if (ENGLISH_ALONE.some((some) => some.test(path))) continue;
    const text = readFileSync(join(PROJECT, path), 'utf8');
    if (/\b(?:t|html)`|\b(?:textTable|counted|plural|either)\(/.test(text)) addMessages(sourceOf(path, text), found);
  }
  return found;
}

function addMessages(source: Source, { messages, problems }: Found): void {
  for (const node of templatesOutside(source.program))
    problems.push(
      `${placeOf(source, node.start)}: a text that is made once for all readers, when its module is loaded`,
    );
  /** Calls that stand in a template themselves: their words are a part of its message. */
  const inTemplates = new Set<SyntaxNode>();
  const add = (message: string, node: SyntaxNode) => {
    const places = messages.get(message) ?? [];
    messages.set(message, [...places, placeOf(source, node.start)]);
  };
  walk(source.program, (node, parent) => {
    if (node.type === 'TaggedTemplateExpression') {
      const tag = nameOf(node.tag);
      if (tag !== 't' && tag !== 'html') return;
      const { texts, expressions } = partsOf(node);
      const values = expressions.map((expression) => wordsOf(expression) ?? undefined);
      const use = (at: number) => {
        const expression = expressions[at];
        if (expression !== undefined) inTemplates.add(expression);
      };
      if (tag === 't') {
        add(messageOf(texts, values), node);
        for (const at of values.keys()) use(at);
      } else
        for (const text of textsIn(piecesOf(texts))) {
          const { message, numbers } = messageOfText(text, values);
          add(message, node);
          numbers.forEach(use);
        }
      return;
    }
    if (node.type !== 'CallExpression') return;
    const name = nameOf(node.callee);
    const [first] = argumentsOf(node);
    if (name === 'textTable' && first !== undefined) addTable(first, codesOf(node));
    else if (name !== null && WORDS.has(name) && !inTemplates.has(node)) {
      const value = wordsOf(node);
      if (value !== null) add(placeholder(value, 0), node);
      else if (parent !== null) problems.push(`${placeOf(source, node.start)}: ${name} with words that are computed`);
    }
  });

  function addTable(node: SyntaxNode, codes: readonly string[]): void {
    const text = literalOf(node);
    if (text !== null) {
      if (text !== '') add(escaped(text), node);
    } else if (node.type === 'ObjectExpression' || node.type === 'ArrayExpression') {
      const fields = node.type === 'ObjectExpression' ? nodesOf(node.properties) : nodesOf(node.elements);
      for (const [at, field] of fields.entries()) {
        const value = node.type === 'ObjectExpression' && field.kind === 'init' ? field.value : field;
        const name = node.type === 'ArrayExpression' ? String(at) : (nameOf(field.key) ?? '');
        const isRead = field.kind !== 'get' && name !== 'command_line' && !codes.includes(name);
        if (isNode(value) && isRead) addTable(value, codes);
      }
    } else if (node.type === 'TemplateLiteral' || node.type === 'ConditionalExpression')
      problems.push(`${placeOf(source, node.start)}: a text in a table that is computed`);
  }
}

const WORDS: ReadonlySet<string> = new Set(['counted', 'plural', 'either']);

function partsOf(node: SyntaxNode): { texts: string[]; expressions: SyntaxNode[] } {
  const quasi = node.quasi as SyntaxNode;
  const texts = nodesOf(quasi.quasis).map(({ value }) => (value as { cooked: string }).cooked);
  return { texts, expressions: nodesOf(quasi.expressions) };
}

/** Templates with words that stand in no function. */
function templatesOutside(node: SyntaxNode): SyntaxNode[] {
  if (/Function|Method|Getter/.test(node.type)) return [];
  if (node.type === 'TaggedTemplateExpression') {
    const { texts } = partsOf(node);
    const tag = nameOf(node.tag);
    if (tag === 't' || (tag === 'html' && textsIn(piecesOf(texts)).length > 0)) return [node];
  }
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).flatMap(templatesOutside),
  );
}

/** The names in a table whose texts are codes. */
function codesOf(call: SyntaxNode): string[] {
  const [, codes] = argumentsOf(call);
  return nodesOf(codes?.elements).map((code) => textOf(code) ?? '');
}

/** The words that a call gives, where they are written in it. */
function wordsOf(node: SyntaxNode): Plural | Either | null {
  if (node.type !== 'CallExpression') return null;
  const name = nameOf(node.callee);
  const words = argumentsOf(node).slice(1).map(literalOf);
  const [one, other] = words;
  if (one == null) return null;
  if (name === 'counted') return counted(1, one);
  if (other == null) return null;
  return name === 'plural' ? new Plural(1, one, other) : name === 'either' ? new Either(true, one, other) : null;
}

/** All texts, those of attributes within them too. */
function textsIn(pieces: readonly (Piece | Item)[]): Text[] {
  return pieces.flatMap((piece) => {
    if ('items' in piece) return [piece, ...textsIn(piece.items)];
    return 'inside' in piece ? [...textsIn(piece.open), ...textsIn(piece.inside)] : [];
  });
}

function literalOf(node: SyntaxNode): string | null {
  if (node.type !== 'TemplateLiteral') return textOf(node);
  const [only, ...more] = nodesOf(node.quasis);
  return only !== undefined && more.length === 0 ? (only.value as { cooked: string }).cooked : null;
}

function argumentsOf(node: SyntaxNode): SyntaxNode[] {
  return nodesOf(node.arguments);
}

function nodesOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}
