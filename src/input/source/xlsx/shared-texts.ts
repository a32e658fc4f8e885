import { type Archive, ArchiveError, UNPACKED_BYTES_MAX } from '../../../platform/xlsx/archive.ts';
import { decodeEscapes, decodeXml, XmlScanner, type XmlSink } from '../../../platform/xlsx/xml-scanner.ts';

/** The texts that a workbook's cells share, in order. */
export async function readSharedTexts(archive: Archive, part: string | null): Promise<SharedTexts> {
  const texts = new SharedTexts();
  if (part === null) return texts;
  // They are held in memory, and rows are not.
  if (archive.bytesOf(part) > UNPACKED_BYTES_MAX) throw new ArchiveError('more shared texts than can be held');
  const scanner = new XmlScanner(new SharedTextsSink(texts));
  for await (const chunk of archive.texts(part)) scanner.push(chunk);
  scanner.end();
  return texts;
}

/**
 * A list of texts, held as UTF-8 in one piece: as strings, a large workbook's would take three times the memory, and the
 * garbage collector's time.
 */
export class SharedTexts {
  #bytes = Buffer.alloc(64 * 1024);
  /** Where each text ends. */
  #ends = new Uint32Array(4 * 1024);
  #count = 0;
  /** Texts that were asked for of late, each at its number's remainder: many cells share a currency or a country. */
  readonly #recent: string[] = Array.from({ length: RECENT_MAX }, () => '');
  readonly #recentIndex = new Int32Array(RECENT_MAX).fill(-1);
  /** Those that UTF-8 cannot hold: half a surrogate pair. */
  readonly #malformed = new Map<number, string>();

  push(text: string): void {
    const begin = this.#endOf(this.#count - 1);
    const most = begin + 3 * text.length;
    if (most > this.#bytes.length) {
      const larger = Buffer.alloc(2 * most);
      this.#bytes.copy(larger, 0, 0, begin);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    if (!text.isWellFormed()) this.#malformed.set(this.#count, text);
    this.#ends[this.#count] = begin + this.#bytes.write(text, begin);
    this.#count++;
  }

  /** The text, or undefined where there is none of this number. */
  at(index: number): string | undefined {
    if (!(Number.isInteger(index) && index >= 0 && index < this.#count)) return undefined;
    if (this.#malformed.size > 0) {
      const malformed = this.#malformed.get(index);
      if (malformed !== undefined) return malformed;
    }
    const slot = index % RECENT_MAX;
    if (this.#recentIndex[slot] !== index) {
      this.#recentIndex[slot] = index;
      this.#recent[slot] = this.#bytes.toString('utf8', this.#endOf(index - 1), this.#endOf(index));
    }
    return this.#recent[slot];
  }

  #endOf(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] ?? 0);
  }
}

const RECENT_MAX = 512;

const USUAL_BEGIN = '<si><t>';
const USUAL_END = '</t></si>';

/** Formatted text comes in runs, which are one text. How a text is pronounced (`rPh`) is none of it. */
class SharedTextsSink implements XmlSink {
  isReadingText = false;
  readonly #texts: SharedTexts;
  #text = '';
  #isPronunciation = false;

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  /** `<si><t>Ana Iyer</t></si>` */
  element(xml: string, at: number): number {
    if (this.#isPronunciation || !xml.startsWith(USUAL_BEGIN, at)) return -1;
    const end = xml.indexOf('<', at + USUAL_BEGIN.length);
    if (end === -1 || !xml.startsWith(USUAL_END, end)) return -1;
    this.#text = decodeXml(xml.slice(at + USUAL_BEGIN.length, end));
    this.close('si');
    return end + USUAL_END.length;
  }

  open(name: string): void {
    if (name === 'si') this.#text = '';
    else if (name === 'rPh') this.#isPronunciation = true;
    else if (name === 't') this.isReadingText = !this.#isPronunciation;
  }

  close(name: string): void {
    if (name === 'si') this.#texts.push(decodeEscapes(this.#text));
    else if (name === 'rPh') this.#isPronunciation = false;
    else if (name === 't') this.isReadingText = false;
  }

  text(raw: string): void {
    this.#text += decodeXml(raw);
  }
}
