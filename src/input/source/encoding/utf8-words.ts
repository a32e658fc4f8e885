import { isAscii } from 'node:buffer';

/** So many different words are no UTF-8 by chance. */
const WORDS_ENOUGH = 24;

/** In so many bytes of chunks that have bytes beyond ASCII they are looked for: one word may stand in each row of a large file. */
const BYTES_MAX = 1024 * 1024;

const BEYOND_ASCII = /[\x80-\xff]+/g;
const WORD_CHARACTER = /[A-Za-z\x80-\xff]/;

/** Longer words are no names. */
const LENGTH_MAX = 80;

/** The first different words of a text that have bytes beyond ASCII, as Latin-1 shows them, where they are few. */
export class Utf8Words {
  readonly #words = new Set<string>();
  #bytes = 0;
  /** The begin of a word that the last chunk cut. */
  #cut = '';

  add(chunk: Uint8Array): void {
    if (this.areEnough || this.#bytes >= BYTES_MAX) return;
    const isPlain = isAscii(chunk);
    if (isPlain && this.#cut === '') {
      this.#cut = lastWord(latin1(chunk.subarray(-LENGTH_MAX)));
      return;
    }
    if (!isPlain) this.#bytes += chunk.length;
    const text = this.#cut + latin1(chunk);
    this.#cut = lastWord(text);
    this.#addWords(text.slice(0, text.length - this.#cut.length));
    if (this.#cut.length > LENGTH_MAX) this.#cut = this.#cut.slice(0, LENGTH_MAX + 1);
  }

  /** Adds the word at the end. */
  end(): void {
    this.#addWords(this.#cut);
    this.#cut = '';
  }

  /** Whether there are so many that no chance can have made them valid. */
  get areEnough(): boolean {
    return this.#words.size >= WORDS_ENOUGH;
  }

  get words(): readonly string[] {
    return [...this.#words];
  }

  #addWords(text: string): void {
    let end = 0;
    for (const { 0: run, index } of text.matchAll(BEYOND_ASCII)) {
      if (index < end) continue;
      let begin = index;
      while (begin > end && WORD_CHARACTER.test(text.charAt(begin - 1))) begin--;
      end = index + run.length;
      while (end < text.length && WORD_CHARACTER.test(text.charAt(end))) end++;
      if (end - begin <= LENGTH_MAX) this.#words.add(text.slice(begin, end));
      if (this.areEnough) return;
    }
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function lastWord(text: string): string {
  let begin = text.length;
  while (begin > 0 && WORD_CHARACTER.test(text.charAt(begin - 1))) begin--;
  return text.slice(begin);
}
