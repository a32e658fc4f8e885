import { isUtf8 } from 'node:buffer';

export type ParsedJson = { ok: true; value: unknown } | { ok: false; problem: string };

/** Deeper than any request; the parser of the runtime would take a thousand times that. */
const DEPTH_MAX = 64;

/**
 * JSON of RFC 8259 without its ambiguities: UTF-8 and nothing else, no name twice in an object (two parsers may disagree
 * on which counts), no half of a surrogate pair (it cannot be stored as it is).
 */
export function parseStrictJson(bytes: Uint8Array): ParsedJson {
  if (!isUtf8(bytes)) return { ok: false, problem: 'the body is not UTF-8' };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'the body is not JSON' };
  }
  const problem = ambiguityIn(text);
  return problem === null ? { ok: true, value } : { ok: false, problem };
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
/** No other character up to it stands between the parts of JSON but tab and line ends. */
const BLANK = 32;

/** Walks over text that is known to be JSON, so a string before a colon is a name. */
function ambiguityIn(text: string): string | null {
  const objects: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 123: // {
        objects.push(new Set());
        break;
      case 91: // [
        objects.push(null);
        break;
      case 125: // }
      case 93: // ]
        objects.pop();
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        let string = text.slice(at + 1, end);
        if (string.includes('\\')) {
          string = JSON.parse(`"${string}"`) as string;
          // Only an escape can stand for half of a pair: UTF-8 has none.
          if (!string.isWellFormed()) return 'a text has half of a surrogate pair';
        }
        const names = objects.at(-1);
        if (names && isBeforeColon(text, end + 1)) {
          if (names.has(string)) return `the name ${JSON.stringify(string)} stands twice in an object`;
          names.add(string);
        }
        at = end;
        break;
      }
    }
    if (objects.length > DEPTH_MAX) return `the body is nested more than ${DEPTH_MAX} deep`;
  }
  return null;
}

/** The place of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= BLANK) at += 1;
  return text.charCodeAt(at) === COLON;
}
