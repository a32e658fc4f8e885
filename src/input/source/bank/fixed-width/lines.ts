import { isAscii } from 'node:buffer';

/** No record is nearly as long. */
export const LINE_MAX = 4_096;

/** Divides chunks of bytes into lines, by any of the three line breaks, or by length where there are none. */
export class Lines {
  readonly #length: number | null;
  #rest = '';
  #isBegin = true;
  #hasBreaks = false;

  /** `length`: of records that may follow each other without a line break; null where each has its line. */
  constructor(length: number | null) {
    this.#length = length;
  }

  /** The lines that end in the chunk. Bytes beyond ASCII are kept as characters of Latin-1. */
  push(chunk: Uint8Array): string[] {
    const bytes = this.#isBegin && hasMark(chunk) ? chunk.subarray(3) : chunk;
    this.#isBegin = false;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const text = this.#rest + buffer.toString(isAscii(bytes) ? 'ascii' : 'latin1');
    this.#hasBreaks ||= /[\r\n]/.test(text);
    if (!this.#hasBreaks && this.#length !== null) return this.#byLength(text, this.#length);
    // A carriage return at the end may be the first half of a line break.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(end);
    return lines;
  }

  /** Whether no line has ended for so long that it can be no record. */
  get isTooLong(): boolean {
    return this.#rest.length > LINE_MAX;
  }

  /** What stands behind the last line break. */
  end(): string[] {
    const rest = this.#rest.replace(/\r$/, '');
    this.#rest = '';
    return rest === '' ? [] : [rest];
  }

  #byLength(text: string, length: number): string[] {
    const lines: string[] = [];
    let at = 0;
    // The last record waits for a line break, which may be the first.
    for (; at + length < text.length; at += length) lines.push(text.slice(at, at + length));
    this.#rest = text.slice(at);
    return lines;
  }
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}
