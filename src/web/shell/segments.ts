import { escaped, placeholder } from '../../messages/translate.ts';

// Where the words of an HTML template are. Its static texts are cut at block elements; what stands between two of them is
// one text for a translator, in which inline elements and values are placeholders: `Waits for <strong>{0}</strong>`.

/** A part of a template: HTML as it is, the value with this number, or a text. */
export type Piece = { html: string } | { value: number } | Text;

/** A text that is put into another language as a whole. `isAttribute`: it stands in quotes. */
export type Text = { items: readonly Item[]; isAttribute: boolean };

/** What a text consists of. `inside` an element are other items; `open` and `close` are its tags. */
export type Item =
  | { html: string }
  | { value: number }
  | { name: string; open: readonly Piece[]; inside: readonly Item[]; close: string };

/** Elements that stand within a sentence. Others end it. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi cite code data del dfn em i ins kbd mark q s samp small span strong sub sup time u var'.split(' '),
);

/** Attributes that people read or hear. Those that begin with `data-say-` are read by the page's scripts. */
const READ = /^(?:aria-label|aria-description|title|placeholder|alt|data-label|data-say-[a-z-]+)$/;

/** Stand for the values of a template while it is cut: no text of ours has such characters. */
const MARK = 0xe000;
const MARKS = /[\uE000-\uEFFF]/;

const TOKENS = /<!--[\s\S]*?-->|<[!/]?[a-z](?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+|</gi;
const TAG = /^<(\/?)([a-z][\w-]*)/i;
const ATTRIBUTES = /([\w-]+)="([^"]*)"/g;
/** A template that stands within a tag: ` class="small"`, ` selected`. */
const OF_A_TAG =
  /^\s+(?:[\w-]+="|(?:selected|checked|required|disabled|hidden|open|autofocus|readonly|data-[\w-]+)\s*$)/;

/** The pieces of a template, of the texts around its values. */
export function piecesOf(texts: readonly string[]): Piece[] {
  const source = texts.map((text, at) => (at === 0 ? '' : String.fromCharCode(MARK + at - 1)) + text).join('');
  if (OF_A_TAG.test(source)) return tagPieces(source);
  const pieces: Piece[] = [];
  let tokens: string[] = [];
  const flush = () => {
    pieces.push(...runPieces(tokens));
    tokens = [];
  };
  for (const [token] of source.matchAll(TOKENS)) {
    const name = TAG.exec(token)?.[2]?.toLowerCase();
    if (name === undefined ? !token.startsWith('<!') : INLINE.has(name)) tokens.push(token);
    else {
      flush();
      pieces.push(...tagPieces(token));
    }
  }
  flush();
  return pieces;
}

/** Of what stands between two block elements. */
function runPieces(tokens: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let items: Item[] = [];
  const flush = () => {
    pieces.push(...itemPieces(items));
    items = [];
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const tag = TAG.exec(token);
    if (tag === null) items.push(...valuesIn(token));
    else {
      const end = tag[1] === '' ? closeOf(tokens, at) : null;
      if (end === null) {
        // An element that another template ends, or has begun, ends a sentence.
        flush();
        pieces.push(...tagPieces(token));
      } else {
        items.push(elementOf(tokens.slice(at, end + 1)));
        at = end;
      }
    }
  }
  flush();
  return pieces;
}

function elementOf(tokens: readonly string[]): Item {
  const [open = '', ...rest] = tokens;
  const close = rest.pop() ?? '';
  const inside: Item[] = [];
  for (let at = 0; at < rest.length; at++) {
    const token = rest[at] ?? '';
    const end = TAG.test(token) ? closeOf(rest, at) : null;
    if (end === null) inside.push(...(TAG.test(token) ? [{ html: token }] : valuesIn(token)));
    else {
      inside.push(elementOf(rest.slice(at, end + 1)));
      at = end;
    }
  }
  return { name: TAG.exec(open)?.[2]?.toLowerCase() ?? '', open: tagPieces(open), inside, close };
}

/** Where the element ends that begins there. */
function closeOf(tokens: readonly string[], from: number): number | null {
  const name = TAG.exec(tokens[from] ?? '')?.[2];
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const tag = TAG.exec(tokens[at] ?? '');
    if (tag === null || tag[2] !== name) continue;
    depth += tag[1] === '' ? 1 : -1;
    if (depth === 0) return at;
  }
  return null;
}

/** The text without the blanks and the elements around it; no text where there are no words. */
function itemPieces(items: readonly Item[]): Piece[] {
  if (!hasWords(items)) return items.flatMap(plainPieces);
  const [before, inner, after] = trimmed(items);
  const only = inner[0];
  if (inner.length === 1 && only !== undefined && 'inside' in only)
    return [...before, ...only.open, ...itemPieces(only.inside), { html: only.close }, ...after];
  return [...before, { items: inner, isAttribute: false }, ...after];
}

function plainPieces(item: Item): Piece[] {
  return 'inside' in item ? [...item.open, ...itemPieces(item.inside), { html: item.close }] : [item];
}

/** The blanks at both ends apart. */
function trimmed(items: readonly Item[]): [before: Piece[], inner: Item[], after: Piece[]] {
  const inner = [...items];
  const [first] = inner;
  const before = first !== undefined && 'html' in first ? (/^\s*/.exec(first.html)?.[0] ?? '') : '';
  if (before !== '' && first !== undefined && 'html' in first) inner[0] = { html: first.html.slice(before.length) };
  const last = inner.at(-1);
  const text = last !== undefined && 'html' in last ? last.html.trimEnd() : '';
  const after = last !== undefined && 'html' in last ? last.html.slice(text.length) : '';
  if (after !== '') inner[inner.length - 1] = { html: text };
  return [[{ html: before }], inner.filter((item) => !('html' in item) || item.html !== ''), [{ html: after }]];
}

function hasWords(items: readonly Item[]): boolean {
  return items.some((item) => {
    if ('inside' in item) return hasWords(item.inside);
    return 'html' in item && /\p{L}/u.test(decoded(item.html));
  });
}

/** A tag, whose attributes may be read. */
function tagPieces(tag: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: whole, 1: name = '', 2: value = '', index } of tag.matchAll(ATTRIBUTES)) {
    const items = valuesIn(value);
    if (!READ.test(name) || !hasWords(items)) continue;
    const start = index + whole.length - value.length - 1;
    pieces.push(...valuesIn(tag.slice(from, start)), { items, isAttribute: true });
    from = start + value.length;
  }
  return [...pieces, ...valuesIn(tag.slice(from))];
}

/** Texts and the values between them. */
function valuesIn(text: string): ({ html: string } | { value: number })[] {
  return text
    .split(/([\uE000-\uEFFF])/)
    .filter((part) => part !== '')
    .map((part) => (MARKS.test(part) ? { value: part.charCodeAt(0) - MARK } : { html: part }));
}

/**
 * The message of a text, given what its values are; with the numbers of the values by that of their placeholder, and its elements
 * by name.
 */
export function messageOfText({ items }: Text, values: readonly unknown[]) {
  const numbers: number[] = [];
  const elements = new Map<string, Extract<Item, { inside: unknown }>>();
  const write = (item: Item): string => {
    if ('html' in item) return escaped(decoded(item.html).replace(/\s+/g, ' '));
    if ('value' in item) return placeholder(values[item.value], numbers.push(item.value) - 1);
    const same = [...elements.values()].filter(({ name }) => name === item.name).length;
    const name = same === 0 ? item.name : `${item.name}${same + 1}`;
    elements.set(name, item);
    return `<${name}>${item.inside.map(write).join('')}</${name}>`;
  };
  return { message: items.map(write).join(''), numbers, elements };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0' };

function decoded(html: string): string {
  return html.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
