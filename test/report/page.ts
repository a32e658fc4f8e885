/** A page of ours taken apart: every tag closed where it was opened, every attribute in double quotes, or an error. */
export type Element = { name: string; attributes: Map<string, string>; text: string };

const VOID = new Set(['meta', 'br', 'rect', 'path']);

const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z:-]+="[^"<>]*"|\s+[a-zA-Z:-]+)*)\s*(\/?)>/y;

/** The elements of a page in the order of their begin, each with the text in it. */
export function elementsOf(page: string): Element[] {
  if (!page.startsWith('<!doctype html>\n')) throw new Error('the page has no doctype');
  const elements: Element[] = [];
  const open: Element[] = [];
  let at = '<!doctype html>\n'.length;
  while (at < page.length) {
    const style = open.at(-1)?.name === 'style';
    const next = page.indexOf(style ? '</style>' : '<', at);
    const text = page.slice(at, next === -1 ? page.length : next);
    if (!style && /[>]/.test(text)) throw new Error(`a stray > in ${text.slice(0, 80)}`);
    for (const element of open) element.text += style ? text : decoded(text);
    if (next === -1) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(page);
    if (tag === null) throw new Error(`no tag at ${page.slice(next, next + 80)}`);
    const [whole, slash, name = '', attributes = '', self] = tag;
    at = next + whole.length;
    if (slash === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    const element = { name, attributes: attributesOf(attributes), text: '' };
    elements.push(element);
    if (self !== '/' && !VOID.has(name)) open.push(element);
  }
  if (open.length > 0) throw new Error(`${open.map(({ name }) => name).join(', ')} is never closed`);
  return elements;
}

function attributesOf(text: string): Map<string, string> {
  const found = text.matchAll(/([a-zA-Z:-]+)(?:="([^"]*)")?/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, decoded(value)]));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decoded(text: string): string {
  return text.replace(/&([a-z#0-9]*);?/g, (found, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`${found} is no character reference of ours`);
    return character;
  });
}
