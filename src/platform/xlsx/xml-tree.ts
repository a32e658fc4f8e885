import { attributeOf, decodeXml, XmlError, XmlScanner, type XmlSink } from './xml-scanner.ts';
import { xmlAttribute } from './xml-text.ts';

/**
 * An element of a small part of a workbook. It keeps its tags as they are written, so that a part that is changed in a
 * few places stays the same everywhere else.
 */
export type XmlElement = {
  /** Without its prefix. */
  name: string;
  tag: string;
  children: XmlNode[];
  /** The closing tag; empty for an empty element. */
  end: string;
};

/** An element, or what stands between elements: text, comments, instructions. */
export type XmlNode = XmlElement | string;

/** A tree of more elements takes more memory than any workbook needs. */
const ELEMENTS_MAX = 2_000_000;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** The nodes of an XML text or of a piece of one. Throws an XmlError where the text is not well-formed. */
export function parseNodes(xml: string): XmlNode[] {
  const nodes: XmlNode[] = [];
  const path: XmlElement[] = [];
  const siblings = () => path.at(-1)?.children ?? nodes;
  let count = 0;
  const sink: XmlSink = {
    open(name) {
      const element: XmlElement = { name, tag: scanner.tag, children: [], end: '' };
      if (++count > ELEMENTS_MAX) throw new XmlError('more elements than a workbook has');
      siblings().push(element);
      path.push(element);
    },
    close(name) {
      const element = path.pop();
      if (element?.name !== name) throw new XmlError(`${name} is closed and was not opened`);
      element.end = scanner.tag;
    },
    between(raw) {
      siblings().push(raw);
    },
  };
  const scanner = new XmlScanner(sink);
  scanner.push(xml);
  scanner.end();
  if (path.length > 0) throw new XmlError('the end is missing');
  return nodes;
}

/** The nodes of a whole part, as the children of an element that has no tags. */
export function parsePart(xml: string): { document: XmlElement; root: XmlElement } {
  const document: XmlElement = { name: '', tag: '', children: parseNodes(xml), end: '' };
  const [root] = elementsOf(document);
  if (root === undefined) throw new XmlError('there is no element');
  return { document, root };
}

export function xmlOf(node: XmlNode): string {
  if (typeof node === 'string') return node;
  return `${node.tag}${node.children.map(xmlOf).join('')}${node.end}`;
}

/** A part as it is written: in UTF-8, whatever it was before. */
export function partXml(document: XmlElement): string {
  return inUtf8(xmlOf(document));
}

export function inUtf8(xml: string): string {
  return xml.replace(/^\s*<\?xml[^>]*\?>/, DECLARATION);
}

/** The elements directly inside an element, or those of one name. */
export function elementsOf(parent: XmlElement | null, name?: string): XmlElement[] {
  const nodes = parent?.children ?? [];
  return nodes.filter((node) => typeof node !== 'string' && (name === undefined || node.name === name)) as XmlElement[];
}

/** The first element of that name directly inside an element, or null. */
export function childOf(parent: XmlElement | null, name: string): XmlElement | null {
  return elementsOf(parent, name)[0] ?? null;
}

/** The text directly inside an element, without its entities. */
export function textOf(element: XmlElement | null): string {
  return decodeXml((element?.children ?? []).filter((node) => typeof node === 'string').join(''));
}

/** The value of an attribute, or null. */
export function attribute(element: XmlElement, name: string): string | null {
  return attributeOf(element.tag, name);
}

/** The attribute `id` of whatever prefix the namespace of relations has, or null. */
export function relationId(tag: string): string | null {
  return /:id\s*=\s*["']([^"']*)/.exec(tag)?.[1] ?? null;
}

/** Writes an attribute, or removes it where the value is null. */
export function setAttribute(element: XmlElement, name: string, value: string | number | null): void {
  element.tag = withAttribute(element.tag, name, value);
}

/** A tag with one of its attributes written anew, or without it. */
export function withAttribute(tag: string, name: string, value: string | number | null): string {
  const without = tag.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '');
  if (value === null) return without;
  return without.replace(/\s*(\/?>)$/, (_, end: string) => ` ${name}="${xmlAttribute(String(value))}"${end}`);
}

/** Puts XML, written without prefixes, into an element: at the place `at` among its children, or behind them. */
export function insert(parent: XmlElement, xml: string, at = parent.children.length): void {
  if (parent.tag.endsWith('/>')) {
    parent.end = closingTag(parent.tag);
    parent.tag = openTag(parent.tag);
  }
  parent.children.splice(at, 0, ...parseNodes(prefixed(xml, prefixOf(parent.tag))));
}

/** Puts XML before the first child that has one of these names, or behind all. */
export function insertBefore(parent: XmlElement, names: ReadonlySet<string>, xml: string): void {
  const at = parent.children.findIndex((node) => typeof node !== 'string' && names.has(node.name));
  insert(parent, xml, at === -1 ? parent.children.length : at);
}

export function remove(parent: XmlElement, isGone: (element: XmlElement) => boolean): void {
  parent.children = parent.children.filter((node) => typeof node === 'string' || !isGone(node));
}

/** A tag without the sign that its element is empty. */
export function openTag(tag: string): string {
  return tag.endsWith('/>') ? `${tag.slice(0, -2)}>` : tag;
}

/** The last tag of the element that a tag opens. */
export function closingTag(tag: string): string {
  return `</${/^<([^\s/>]+)/.exec(tag)?.[1] ?? ''}>`;
}

/** What stands before the name of a tag: empty, or such as `x:`. */
export function prefixOf(tag: string): string {
  return /^<([\w.-]+:)?/.exec(tag)?.[1] ?? '';
}

/** XML with a prefix before the names of all elements that have none. */
export function prefixed(xml: string, prefix: string): string {
  return prefix === '' ? xml : xml.replace(/<(\/?)(?=\w+[\s/>])/g, `<$1${prefix}`);
}
