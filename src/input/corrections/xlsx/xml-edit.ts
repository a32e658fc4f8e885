import { attributeOf, XmlError, XmlScanner, type XmlSink } from '../../source/xlsx/xml-scanner.ts';
import { xmlAttribute } from '../../source/xlsx/xml-text.ts';

/** An element of a small part, and where it stands in its text. */
export type XmlNode = {
  name: string;
  attributes: string;
  children: XmlNode[];
  from: number;
  /** Behind its first tag. */
  inside: number;
  /** Before its last tag. */
  insideEnd: number;
  to: number;
};

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/**
 * A small part of a workbook that is changed in a few places: everything else of its text stays as it is. Throws an XmlError
 * where it is no XML.
 */
export class XmlEdit {
  readonly root: XmlNode;
  /** What stands before the names of its elements: empty, or such as `x:`. */
  readonly prefix: string;
  readonly #xml: string;
  readonly #attributes = new Map<XmlNode, Map<string, string | null>>();
  readonly #appended = new Map<XmlNode, string[]>();
  readonly #replaced = new Map<XmlNode, string>();
  readonly #inserted: { at: number; text: string }[] = [];

  constructor(xml: string) {
    this.#xml = xml;
    this.root = treeOf(xml);
    this.prefix = /^<([\w.-]+:)?/.exec(xml.slice(this.root.from))?.[1] ?? '';
  }

  /** The first child of that name, or null. */
  child(name: string, of: XmlNode = this.root): XmlNode | null {
    return of.children.find((node) => node.name === name) ?? null;
  }

  text(node: XmlNode): string {
    return this.#xml.slice(node.from, node.to);
  }

  inner(node: XmlNode): string {
    return this.#xml.slice(node.inside, node.insideEnd);
  }

  /** Writes an attribute, or removes it where it is null. */
  set(node: XmlNode, name: string, value: string | number | null): void {
    const changed = this.#attributes.get(node) ?? new Map<string, string | null>();
    this.#attributes.set(node, changed.set(name, value === null ? null : String(value)));
  }

  append(node: XmlNode, xml: string): void {
    this.#appended.set(node, [...(this.#appended.get(node) ?? []), xml]);
  }

  /** Puts XML before the first of the root's children that has one of these names, or at its end. */
  insertBefore(names: ReadonlySet<string>, xml: string): void {
    const next = this.root.children.find(({ name }) => names.has(name));
    if (next === undefined) this.append(this.root, xml);
    else this.#inserted.push({ at: next.from, text: xml });
  }

  /** Puts XML in front of an element's children. */
  prepend(node: XmlNode, xml: string): void {
    if (node.inside === node.to) this.append(node, xml);
    else this.#inserted.push({ at: node.inside, text: xml });
  }

  replace(node: XmlNode, xml: string): void {
    this.#replaced.set(node, xml);
  }

  remove(node: XmlNode): void {
    this.#replaced.set(node, '');
  }

  toString(): string {
    const edits = [...this.#replaced].map(([node, text]) => ({ from: node.from, to: node.to, text }));
    for (const { at, text } of this.#inserted) edits.push({ from: at, to: at, text });
    for (const node of new Set([...this.#attributes.keys(), ...this.#appended.keys()]))
      if (!this.#replaced.has(node)) edits.push(...this.#nodeEdits(node));
    edits.sort((a, b) => a.from - b.from || a.to - b.to);
    let done = 0;
    let text = '';
    for (const edit of edits) {
      text += this.#xml.slice(done, edit.from) + edit.text;
      done = edit.to;
    }
    return inUtf8(text + this.#xml.slice(done));
  }

  #nodeEdits(node: XmlNode): { from: number; to: number; text: string }[] {
    const appended = (this.#appended.get(node) ?? []).join('');
    const before = this.#xml.slice(node.from, node.inside);
    let tag = before;
    for (const [name, value] of this.#attributes.get(node) ?? []) tag = withAttribute(tag, name, value);
    const isEmpty = tag.endsWith('/>');
    if (appended !== '' && isEmpty)
      return [{ from: node.from, to: node.to, text: `${opened(tag)}${appended}${closingOf(tag)}` }];
    const edits = tag === before ? [] : [{ from: node.from, to: node.inside, text: tag }];
    if (appended !== '') edits.push({ from: node.insideEnd, to: node.insideEnd, text: appended });
    return edits;
  }
}

/** A tag with one of its attributes written anew, or without it. */
export function withAttribute(tag: string, name: string, value: string | null): string {
  const without = tag.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '');
  if (value === null) return without;
  return without.replace(/\s*(\/?>)$/, (_, end: string) => ` ${name}="${xmlAttribute(value)}"${end}`);
}

/** An element's first tag without the sign that it is empty. */
export function opened(tag: string): string {
  return tag.endsWith('/>') ? `${tag.slice(0, -2)}>` : tag;
}

/** The last tag of the element that a tag opens. */
export function closingOf(tag: string): string {
  return `</${/^<([^\s/>]+)/.exec(tag)?.[1] ?? ''}>`;
}

/** A part's text with a declaration of the encoding that it gets. */
export function inUtf8(xml: string): string {
  return xml.replace(/^\s*<\?xml[^>]*\?>/, DECLARATION);
}

/** The attribute of a node, or null. */
export function nodeAttribute(node: XmlNode, name: string): string | null {
  return attributeOf(node.attributes, name);
}

function treeOf(xml: string): XmlNode {
  const roots: XmlNode[] = [];
  const path: XmlNode[] = [];
  const sink: XmlSink = {
    isReadingText: false,
    open(name, attributes) {
      const { tagBegin: from, tagEnd: inside } = scanner;
      const node: XmlNode = { name, attributes, children: [], from, inside, insideEnd: inside, to: inside };
      (path.at(-1)?.children ?? roots).push(node);
      path.push(node);
    },
    close(name) {
      const node = path.pop();
      if (node?.name !== name) throw new XmlError(`${name} is closed and was not opened`);
      if (scanner.tagBegin === node.from) return;
      node.insideEnd = scanner.tagBegin;
      node.to = scanner.tagEnd;
    },
    text() {},
  };
  const scanner = new XmlScanner(sink);
  scanner.push(xml);
  scanner.end();
  const [root] = roots;
  if (root === undefined || path.length > 0) throw new XmlError('the end is missing');
  return root;
}
