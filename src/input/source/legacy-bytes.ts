import { CANDIDATES, characterOf, type LegacyEncoding } from './legacy-encodings.ts';

/** So many different words are looked at; a file of a million names has hardly more that are written differently. */
const WORDS_MAX = 20_000;

/** So many bytes of a word on each side of a letter. */
const WORD_SIDE = 24;

/** What one encoding makes of a word that others read differently. */
export type Reading = { encoding: LegacyEncoding; text: string };

/** No program writes these: control characters, ligatures that are one character, the sign of a company. */
const NO_TEXT = /[\u0080-\u009f\ufffd\uf8ff\ufb00-\ufb06ƒ]/u;

/** A letter of another alphabet among Latin ones. */
const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

/** Signs that may stand behind a letter (`Ann’s`, `№`, `100 m²`); no other sign beyond ASCII does. */
const SIGN_BEHIND_LETTER = /\p{L}[^\p{L}\p{M}\p{ASCII}’‘”“»›–—®©™°²³€·\u00a0\u00ad]/u;

/** Of those, the ones that may stand between two letters are apostrophes, dashes and the Catalan point. */
const SIGN_IN_WORD = /\p{L}[”“»›®©™°²³€]\p{L}/u;

/** A capital behind a small letter, of which one has an accent: `JosŽ`. */
const CAPITAL_IN_WORD = /\p{Ll}(?![A-Z])\p{Lu}|(?![a-zß])\p{Ll}\p{Lu}/u;

/** The bytes beyond ASCII of a text that is not UTF-8, with the words in which they stand. */
export class LegacyBytes {
  readonly #seen = new Set<number>();
  /** As Latin-1: a character for each byte. */
  readonly #words = new Set<string>();

  /** The end of what came so far, and from where on it was not looked at: before that it is only the begin of a word. */
  #held = '';
  #from = 0;

  /** The next piece of the text. */
  add(bytes: Uint8Array): void {
    this.#look(this.#held + latin1(bytes), false);
  }

  /** The next piece where it is known to be ASCII, which nearly all of a text is. */
  addAscii(bytes: Uint8Array): void {
    if (this.#from < this.#held.length || bytes.length < WORD_SIDE) {
      this.add(bytes);
      return;
    }
    this.#held = latin1(bytes.subarray(bytes.length - WORD_SIDE));
    this.#from = WORD_SIDE;
  }

  end(): void {
    this.#look(this.#held, true);
  }

  /** Looks at each word that ends in the text; one that may go on behind it is held. */
  #look(text: string, isEnd: boolean): void {
    const beyondAscii = /[\u0080-\u00ff]/g;
    beyondAscii.lastIndex = this.#from;
    this.#from = text.length;
    for (let found = beyondAscii.exec(text); found !== null; found = beyondAscii.exec(text)) {
      const { begin, end } = wordAround(text, found.index);
      if (end === text.length && end < found.index + WORD_SIDE && !isEnd) {
        this.#from = found.index;
        break;
      }
      beyondAscii.lastIndex = end;
      this.#take(text.slice(begin, end));
    }
    const kept = Math.max(0, this.#from - WORD_SIDE);
    this.#held = text.slice(kept);
    this.#from -= kept;
  }

  #take(word: string): void {
    if (this.#words.size < WORDS_MAX) this.#words.add(word);
    for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 0x7f) this.#seen.add(word.charCodeAt(at));
  }

  /** The encodings in which every word is one that people write. */
  get possible(): LegacyEncoding[] {
    return CANDIDATES.filter((encoding) => {
      for (const word of this.#words) if (!isWritten(encoding, readAs(encoding, word))) return false;
      return true;
    });
  }

  /** The first of each group of encodings that read every byte alike. */
  distinct(encodings: readonly LegacyEncoding[]): LegacyEncoding[] {
    const byText = new Map<string, LegacyEncoding>();
    for (const encoding of encodings) {
      const text = [...this.#seen].map((byte) => characterOf(encoding, byte)).join('');
      if (!byText.has(text)) byText.set(text, encoding);
    }
    return [...byText.values()];
  }

  /** What the encodings make of the word that they read in the most ways. */
  readings(encodings: readonly LegacyEncoding[]): Reading[] {
    let best: Reading[] = [];
    for (const word of this.#words) {
      const texts = new Map<string, LegacyEncoding>();
      for (const encoding of encodings) {
        const text = readAs(encoding, word);
        if (!texts.has(text)) texts.set(text, encoding);
      }
      if (texts.size > best.length) best = [...texts].map(([text, encoding]) => ({ encoding, text }));
      if (best.length === encodings.length) break;
    }
    return best;
  }
}

function wordAround(text: string, at: number): { begin: number; end: number } {
  let begin = at;
  while (begin > at - WORD_SIDE && begin > 0 && !endsWord(text.charCodeAt(begin - 1))) begin--;
  let end = at + 1;
  while (end < at + WORD_SIDE && end < text.length && !endsWord(text.charCodeAt(end))) end++;
  return { begin, end };
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Blanks, line breaks, delimiters and quotes. */
function endsWord(unit: number): boolean {
  return unit <= 0x20 || unit === 0x22 || unit === 0x2c || unit === 0x3b || unit === 0x7c;
}

function readAs(encoding: LegacyEncoding, word: string): string {
  return Array.from(word, (character) => characterOf(encoding, character.charCodeAt(0))).join('');
}

function isWritten(encoding: LegacyEncoding, text: string): boolean {
  // Macs write Turkish in an encoding of its own, and no other language has the letter.
  if (encoding === 'macintosh' && text.includes('ı')) return false;
  return ![NO_TEXT, NOT_LATIN, SIGN_BEHIND_LETTER, SIGN_IN_WORD, CAPITAL_IN_WORD].some((odd) => odd.test(text));
}
