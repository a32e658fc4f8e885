import type { MultiByteEncoding } from './encodings.ts';

/** What shows the encoding of a text that is not Unicode. Texts are Latin-1: a character for each byte. */
export type TextSample = {
  /** Different words with bytes beyond ASCII. */
  words: ReadonlySet<string>;
  /** The first different cells with such bytes. */
  cells: ReadonlySet<string>;
  /** All bytes beyond ASCII. */
  bytes: ReadonlySet<string>;
  /** The encodings of several bytes a character in which the whole text is valid. */
  valid: readonly MultiByteEncoding[];
};

/** So many different words are looked at; a file of a million names has hardly more with letters beyond ASCII. */
const WORDS_MAX = 20_000;
const CELLS_MAX = 200;

/** Longer words and cells are no names. */
const WORD_LENGTH = 48;
const CELL_LENGTH = 80;

/** Line breaks, delimiters and quotes. A `|` can be the second byte of a character, behind a byte beyond ASCII. */
const BETWEEN_CELLS = /[\t\n\r",;]+|(?<![\x80-\xff])\|/;

/** All of ASCII that is no letter. In an encoding of several bytes a character, all that is no part of one. */
const BETWEEN_WORDS = /[^A-Za-z\x80-\xff]+/;
const BETWEEN_LONG_WORDS = /[^0-9@-\xff]+/;

const BEYOND_ASCII = /[\x80-\xff]/;

export async function sampleOf(chunks: AsyncIterable<Uint8Array>): Promise<TextSample> {
  const sample = new Sampler();
  for await (const chunk of chunks) sample.add(chunk);
  return sample.end();
}

class Sampler {
  readonly #texts = new Set<string>();
  readonly #cells = new Set<string>();
  readonly #bytes = new Set<string>();
  readonly #probes = [new ValidProbe('gb18030'), new ValidProbe('shift_jis')];
  #rest = '';

  add(chunk: Uint8Array): void {
    for (const probe of this.#probes) probe.add(chunk);
    const cells = (this.#rest + Buffer.from(chunk).toString('latin1')).split(BETWEEN_CELLS);
    // A cell that does not end is looked at in pieces.
    this.#rest = cells.pop() ?? '';
    for (const cell of cells) this.#addCell(cell);
    if (this.#rest.length > CELL_LENGTH * 100) {
      this.#addCell(this.#rest);
      this.#rest = '';
    }
  }

  end(): TextSample {
    this.#addCell(this.#rest);
    const valid = this.#probes.filter((probe) => probe.isValid()).map(({ encoding }) => encoding);
    const words = new Set<string>();
    for (const text of this.#texts)
      if (valid.length > 0) words.add(text);
      else for (const word of text.split(BETWEEN_WORDS)) if (BEYOND_ASCII.test(word)) words.add(word);
    return { words, cells: this.#cells, bytes: this.#bytes, valid };
  }

  #addCell(cell: string): void {
    if (!BEYOND_ASCII.test(cell)) return;
    if (cell.length <= CELL_LENGTH && this.#cells.size < CELLS_MAX) this.#cells.add(cell.trim());
    for (const text of cell.split(BETWEEN_LONG_WORDS)) {
      if (!BEYOND_ASCII.test(text)) continue;
      if (text.length <= WORD_LENGTH && this.#texts.size < WORDS_MAX) this.#texts.add(text);
      for (const byte of text) if (byte > '\x7f') this.#bytes.add(byte);
    }
  }
}

/** Whether bytes are valid in an encoding of several bytes a character. */
class ValidProbe {
  readonly encoding: MultiByteEncoding;
  #decoder: TextDecoder | null;

  constructor(encoding: MultiByteEncoding) {
    this.encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  add(chunk: Uint8Array): void {
    this.#decode(chunk, { stream: true });
  }

  isValid(): boolean {
    this.#decode(new Uint8Array(), {});
    return this.#decoder !== null;
  }

  #decode(chunk: Uint8Array, options: { stream?: boolean }): void {
    try {
      this.#decoder?.decode(chunk, options);
    } catch {
      this.#decoder = null;
    }
  }
}
