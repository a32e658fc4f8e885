import { SaxesParser } from 'saxes';
import { type Fault, fault } from '../../../../domain/problem.ts';
import { RECORD_LENGTH_MAX } from '../../csv.ts';
import type { XmlEncoding } from './xml-encoding.ts';

/** What stands in an XML file, in order. */
export type XmlSink = {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(): void;
};

/** No bank file has elements within each other so deep. */
const LEVELS_MAX = 32;

/** Parses the bytes of an XML file. Nothing that it names is loaded, and no entity beyond those of XML is expanded. */
export class XmlStream {
  /** Its messages are without places, which are kept apart. */
  readonly #parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  readonly #decoder: TextDecoder;
  readonly #encoding: XmlEncoding;
  /** The open elements, outermost first. */
  readonly #open: string[] = [];
  /** Characters since the last tag, text or comment ended. */
  #since = 0;
  #fault: Fault | null = null;

  constructor(encoding: XmlEncoding, sink: XmlSink) {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding.encoding, { fatal: true });
    const parser = this.#parser;
    parser.on('doctype', () => this.#refuse(fault('xml_doctype')));
    parser.on('opentag', ({ name, attributes }) => {
      this.#since = 0;
      if (this.#open.push(name) > LEVELS_MAX) this.#refuse(fault('xml_too_deep', { levels: LEVELS_MAX }));
      if (this.#fault === null) sink.open(name, attributes);
    });
    parser.on('closetag', () => {
      this.#since = 0;
      this.#open.pop();
      if (this.#fault === null) sink.close();
    });
    const onText = (text: string) => {
      if (this.#fault === null) sink.text(text);
    };
    parser.on('text', onText);
    parser.on('cdata', onText);
  }

  /** The line that is read. */
  get line(): number {
    return this.#parser.line;
  }

  /** Why no more can be read; null where more can. */
  push(chunk: Uint8Array): Fault | null {
    this.#parse(() => this.#decoder.decode(chunk, { stream: true }));
    return this.#fault;
  }

  end(): Fault | null {
    this.#parse(() => this.#decoder.decode());
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) this.#refuse(fault('xml_malformed', { unclosed }));
    if (this.#fault === null) this.#attempt(() => this.#parser.close());
    return this.#fault;
  }

  #parse(decode: () => string): void {
    const text = this.#decoded(decode);
    if (text === null) return;
    this.#since += text.length;
    this.#attempt(() => this.#parser.write(text));
    if (this.#since > RECORD_LENGTH_MAX)
      this.#refuse(fault('xml_too_long', { mebibytes: RECORD_LENGTH_MAX / 1024 / 1024 }));
  }

  #decoded(decode: () => string): string | null {
    const { encoding, isAscii } = this.#encoding;
    try {
      const text = decode();
      if (!isAscii || /^\p{ASCII}*$/u.test(text)) return text;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    this.#refuse(fault('xml_undecodable', { encoding: isAscii ? 'US-ASCII' : encoding.toUpperCase() }));
    return null;
  }

  #attempt(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      this.#refuse(fault('xml_malformed', { reason: error instanceof Error ? error.message : String(error) }));
    }
  }

  #refuse(what: Fault): void {
    this.#fault ??= what;
  }
}
