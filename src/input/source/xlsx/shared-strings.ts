import { type Archive, ArchiveError, UNPACKED_BYTES_MAX } from '../../../platform/xlsx/archive.ts';
import { decodeEscapes, decodeXml, XmlScanner, type XmlSink } from '../../../platform/xlsx/xml-scanner.ts';

/** The texts that a workbook's cells share, in order. */
export async function readSharedStrings(archive: Archive, part: string | null): Promise<string[]> {
  const sink = new SharedStrings();
  if (part === null) return sink.texts;
  // They are held in memory, and rows are not.
  if (archive.bytesOf(part) > UNPACKED_BYTES_MAX) throw new ArchiveError('more shared texts than can be held');
  const scanner = new XmlScanner(sink);
  for await (const chunk of archive.texts(part)) scanner.push(chunk);
  scanner.end();
  return sink.texts;
}

/** Formatted text comes in runs, which are one text. How a text is pronounced (`rPh`) is none of it. */
class SharedStrings implements XmlSink {
  readonly texts: string[] = [];
  isReadingText = false;
  #text = '';
  #isPronunciation = false;

  open(name: string): void {
    if (name === 'si') this.#text = '';
    else if (name === 'rPh') this.#isPronunciation = true;
    else if (name === 't') this.isReadingText = !this.#isPronunciation;
  }

  close(name: string): void {
    if (name === 'si') this.texts.push(decodeEscapes(this.#text));
    else if (name === 'rPh') this.#isPronunciation = false;
    else if (name === 't') this.isReadingText = false;
  }

  text(raw: string): void {
    this.#text += decodeXml(raw);
  }
}
