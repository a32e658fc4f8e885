import { parseAst } from 'vitest/node';

/** A file as the rules see it: its path from the project's root with `/`, its text, its syntax tree (ESTree). */
export type Source = { path: string; text: string; program: SyntaxNode };

/** Any node of the tree. Positions are offsets in the text. */
export type SyntaxNode = { type: string; start: number; end: number; [field: string]: unknown };

/** Parses with the parser that also runs the tests (oxc), so types are syntax and not text. Throws where it cannot. */
export function sourceOf(path: string, text: string): Source {
  return { path, text, program: parseAst(text, { lang: 'ts', astType: 'ts' }) as unknown as SyntaxNode };
}

/** Visits every node, parents first. `parent` is null for the program; `field` is where the node hangs in its parent. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | null, field: string) => void,
  parent: SyntaxNode | null = null,
  field = '',
): void {
  visit(node, parent, field);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node, name);
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The name of an identifier, or null for any other node. */
export function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' && typeof node.name === 'string' ? node.name : null;
}

/** The text of a literal, or null for any other node. */
export function textOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/** Which member an expression such as `crypto.randomUUID` or `globalThis['Date']` reads, or null where it is computed. */
export function memberOf(node: SyntaxNode): string | null {
  return node.computed === true ? textOf(node.property) : nameOf(node.property);
}

/** `src/a.ts:12`, for messages. */
export function placeOf(source: Source, offset: number): string {
  return `${source.path}:${source.text.slice(0, offset).split('\n').length}`;
}

export function linesOf(text: string): number {
  return text.trimEnd().split('\n').length;
}
