/** The XML is not well-formed, or not what a workbook has. */
export class XmlError extends Error {}

/** Receives the tokens of an XML text. Names come without their prefix: programs write `row` and `x:row` alike. */
export type XmlSink = {
  /**
   * Reads a whole element in the form that nearly all have, at `at`, and returns where it ends; -1 where it has another form
   * or its end is not there yet. Then the tags and texts of it come one after another.
   */
  element?(xml: string, at: number): number;
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Text as it is written, with its entities: for `decodeXml`. Comes in one piece, except for CDATA sections. */
  text?(raw: string): void;
  /** Whether `text` is called for the text that follows. */
  readonly isReadingText?: boolean;
  /** Everything that is no tag (text, comments, instructions), as it is written. */
  between?(raw: string): void;
};

/** A tag or a text that is longer than this is none of a workbook: a cell has 32,767 characters at most. */
const TOKEN_MAX = 1024 * 1024;

const SPECIALS: readonly [begin: string, end: string][] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
];

/**
 * Scans XML that comes in chunks, and calls the sink for each tag and text. Made for the rows of large sheets: it holds
 * only the token that a chunk has cut, and copies nothing that the sink does not ask for.
 */
export class XmlScanner {
  readonly #sink: XmlSink;
  /** The token that the last chunk has cut. */
  #rest = '';
  #xml = '';
  #name = '';
  #tagBegin = 0;
  #tagEnd = 0;

  constructor(sink: XmlSink) {
    this.#sink = sink;
  }

  /** The tag that the sink is called for, as it is written. Empty for the end of an empty element, which has no tag. */
  get tag(): string {
    return this.#xml.slice(this.#tagBegin, this.#tagEnd);
  }

  push(chunk: string): void {
    // Only the token that was cut is joined with its end, and not with the whole chunk, which that would copy.
    const edge = this.#rest === '' ? 0 : chunk.indexOf('>') + 1;
    if (edge > 0) this.#scan(this.#rest + chunk.slice(0, edge), 0);
    if (this.#rest === '') this.#scan(chunk, edge);
    else this.#scan(this.#rest + chunk.slice(edge), 0);
  }

  #scan(xml: string, from: number): void {
    this.#xml = xml;
    let at = from;
    while (at < xml.length) {
      const next = xml.charCodeAt(at) === LESS ? this.#takeElement(xml, at) : this.#takeText(xml, at);
      if (next === -1) break;
      at = next;
    }
    this.#rest = at === 0 ? xml : xml.slice(at);
    if (this.#rest.length > TOKEN_MAX) throw new XmlError('a tag or a text has no end');
  }

  /** Throws where the XML is cut. */
  end(): void {
    if (this.#rest.trim() !== '') throw new XmlError('the end is missing');
  }

  /** Where the text ends, or -1 where that is not known yet. */
  #takeText(xml: string, at: number): number {
    const end = xml.indexOf('<', at);
    if (end === -1) return -1;
    if (this.#sink.isReadingText) this.#sink.text?.(xml.slice(at, end));
    this.#sink.between?.(xml.slice(at, end));
    return end;
  }

  #takeElement(xml: string, at: number): number {
    const end = this.#sink.element === undefined ? -1 : this.#sink.element(xml, at);
    return end === -1 ? this.#takeTag(xml, at) : end;
  }

  #takeTag(xml: string, at: number): number {
    const second = xml.charCodeAt(at + 1);
    if (second === SLASH) {
      const nameEnd = this.#takeName(xml, at + 2);
      const end = xml.charCodeAt(nameEnd) === GREATER ? nameEnd : xml.indexOf('>', nameEnd);
      if (end === -1) return -1;
      this.#tagBegin = at;
      this.#tagEnd = end + 1;
      this.#sink.close(this.#name);
      return end + 1;
    }
    if (second === QUESTION || second === EXCLAMATION || Number.isNaN(second)) return this.#takeSpecial(xml, at);
    const nameEnd = this.#takeName(xml, at + 1);
    const end = xml.charCodeAt(nameEnd) === GREATER ? nameEnd : tagEnd(xml, nameEnd);
    if (end === -1) return -1;
    const isEmpty = xml.charCodeAt(end - 1) === SLASH;
    const last = isEmpty ? end - 1 : end;
    this.#tagBegin = at;
    this.#tagEnd = end + 1;
    this.#sink.open(this.#name, nameEnd === last ? '' : xml.slice(nameEnd, last));
    if (isEmpty) {
      this.#tagBegin = this.#tagEnd;
      this.#sink.close(this.#name);
    }
    return end + 1;
  }

  /** Reads the name that begins here, without its prefix. Returns where it ends. */
  #takeName(xml: string, from: number): number {
    let begin = from;
    let at = from;
    for (; at < xml.length; at++) {
      const unit = xml.charCodeAt(at);
      if (unit <= SPACE || unit === GREATER || unit === SLASH) break;
      if (unit === COLON) begin = at + 1;
    }
    this.#name = xml.slice(begin, at);
    return at;
  }

  #takeSpecial(xml: string, at: number): number {
    for (const [begin, closing] of SPECIALS) {
      if (begin.startsWith(xml.slice(at, at + begin.length)) && xml.length - at < begin.length) return -1;
      if (!xml.startsWith(begin, at)) continue;
      const end = xml.indexOf(closing, at + begin.length);
      if (end === -1) return -1;
      if (begin === '<![CDATA[' && this.#sink.isReadingText)
        this.#sink.text?.(xml.slice(at + begin.length, end).replaceAll('&', '&amp;'));
      this.#sink.between?.(xml.slice(at, end + closing.length));
      return end + closing.length;
    }
    throw new XmlError('a declaration that no workbook has');
  }
}

const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const EQUALS = 0x3d;
const COLON = 0x3a;

/** Where the tag's `>` is, those inside of its values left out; -1 where it is not there yet. */
function tagEnd(xml: string, from: number): number {
  let quote = 0;
  for (let at = from; at < xml.length; at++) {
    const unit = xml.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === GREATER) return at;
    else if (unit === DOUBLE_QUOTE || unit === SINGLE_QUOTE) quote = unit;
  }
  return -1;
}

/** The value of an attribute in what `open` was given, or null. */
export function attributeOf(attributes: string, name: string): string | null {
  for (let found = attributes.indexOf(name); found !== -1; found = attributes.indexOf(name, found + 1)) {
    if (attributes.charCodeAt(found - 1) > SPACE) continue;
    let at = skipBlanks(attributes, found + name.length);
    if (attributes.charCodeAt(at) !== EQUALS) continue;
    at = skipBlanks(attributes, at + 1);
    const quote = attributes.charAt(at);
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, at + 1) : -1;
    if (end !== -1) return decodeXml(attributes.slice(at + 1, end));
  }
  return null;
}

/** Whether an attribute is true. */
export function isTrue(value: string | null): boolean {
  return value === '1' || value === 'true';
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= SPACE) at++;
  return at;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text without its entities. */
export function decodeXml(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Workbooks write characters that XML cannot have as `_x000D_`, and an underscore that would begin such as `_x005F_`. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
