/** A text as an element takes it: without control characters, line breaks and halves of characters, of which XML or banks have none. */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.toWellFormed().replace(NOT_PRINTED, ' ').replace(/\s+/g, ' ').trim();
}

/** Most texts: printable ASCII, with blanks between words alone. */
const PLAIN = /^[!-~]*(?: [!-~]+)*$/;

const NOT_PRINTED = /[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/** At most `max` UTF-16 units, so that every validator counts no more characters; no character is cut in two. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd();
}

/** Lines of at most `max`, divided at blanks where there are some; what is behind the last of `most` is left out. */
export function linesOf(text: string, max: number, most: number): string[] {
  const lines: string[] = [];
  let rest = cleanText(text);
  while (rest !== '' && lines.length < most) {
    const blank = rest.length <= max ? rest.length : rest.lastIndexOf(' ', max);
    const line = blank > 0 ? rest.slice(0, blank) : cutText(rest, max);
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

/** An element with a text of anybody's, cut to `max`; nothing where no text is left. */
export function textElement(name: string, text: string | null, max: number): string {
  const cut = text === null ? '' : cutText(cleanText(text), max);
  return cut === '' ? '' : `<${name}>${escaped(cut)}</${name}>`;
}

/** An element with a code or a figure of ours. */
export function codeElement(name: string, code: string | number): string {
  return `<${name}>${code}</${name}>`;
}

/** An element around others; nothing where there are none. */
export function group(name: string, ...children: readonly string[]): string {
  const inside = children.join('');
  return inside === '' ? '' : `<${name}>${inside}</${name}>`;
}

/** What stands before and behind a message of this name. */
export function documentOf(message: string): { start: string; end: string } {
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${message}`;
  return { start: `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">`, end: '</Document>\n' };
}

/** `>` too: the end of a CDATA section is nowhere allowed. */
function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
}

const SPECIAL = /[&<>]/;
