import { Buffer } from 'node:buffer';

/** A form that no browser of ours would have sent, or that was cut off. */
export class MultipartFault extends Error {}

/** One field of a form. Its content has to be read to its end before the next part is asked for. */
export type Part = {
  name: string;
  /** What the browser calls the file; null where the field is no file. */
  fileName: string | null;
  content: AsyncIterable<Uint8Array>;
};

const PARTS_MAX = 16;
const HEADER_BYTES_MAX = 4_096;
const BOUNDARY_MAX = 70;

const BREAK = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** The boundary that a form's content type names, or null where it is no such form. */
export function boundaryOf(contentType: string): string | null {
  const match = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\r\n]+)"|([^\s;"]+))\s*$/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  return boundary === '' || boundary.length > BOUNDARY_MAX ? null : boundary;
}

/**
 * The parts of a form (RFC 7578) as they arrive: never more of it is held than a chunk and a boundary. Throws a
 * `MultipartFault` for what is none, has too many parts, or ends too early.
 */
export async function* multipartParts(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const bytes = new Ahead(body);
  // The first boundary has no line break in front of it, and is found as if it had.
  bytes.putBack(BREAK);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  for await (const before of bytes.until(delimiter)) if (before.length > 0) throw new MultipartFault('a preamble');
  for (let count = 0; ; count++) {
    const after = await bytes.take(2);
    if (after.equals(Buffer.from('--'))) return;
    if (!after.equals(BREAK) || count === PARTS_MAX) throw new MultipartFault('no part, or one too many');
    // A part without headers would begin with the blank line itself.
    bytes.putBack(BREAK);
    const header = await bytes.small(BLANK_LINE, HEADER_BYTES_MAX);
    const state = { isRead: false };
    yield { ...namesIn(header), content: contentOf(bytes, delimiter, state) };
    if (!state.isRead) throw new MultipartFault('a part that nobody read');
  }
}

async function* contentOf(bytes: Ahead, delimiter: Buffer, state: { isRead: boolean }): AsyncGenerator<Uint8Array> {
  yield* bytes.until(delimiter);
  state.isRead = true;
}

/** The field's name, and the file's where there is one. Browsers write `"`, CR and LF in them as %22, %0D and %0A. */
function namesIn(header: Buffer): Pick<Part, 'name' | 'fileName'> {
  const lines = header.toString('utf8').split('\r\n');
  const disposition = lines.find((line) => /^content-disposition:/i.test(line)) ?? '';
  if (!/^content-disposition:\s*form-data\s*;/i.test(disposition)) throw new MultipartFault('no form-data');
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) throw new MultipartFault('a part without a name');
  const fileName = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1];
  return { name: plain(name), fileName: fileName === undefined ? null : plain(fileName) };
}

function plain(text: string): string {
  return text.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Bytes as they come, read ahead by as little as finding a delimiter takes. */
class Ahead {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#source = body[Symbol.asyncIterator]();
  }

  putBack(bytes: Buffer): void {
    this.#held = Buffer.concat([bytes, this.#held]);
  }

  /** Exactly so many bytes. */
  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more();
    return this.#cut(count);
  }

  /** What stands before the delimiter, which is passed over; no more than `most` bytes. */
  async small(delimiter: Buffer, most: number): Promise<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      if (at > most || (at === -1 && this.#held.length > most + delimiter.length)) throw new MultipartFault('too long');
      if (at !== -1) {
        const before = this.#cut(at);
        this.#cut(delimiter.length);
        return before;
      }
      await this.#more();
    }
  }

  /** The same piece by piece, as much of it as there is. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      if (at !== -1) {
        if (at > 0) yield this.#cut(at);
        this.#cut(delimiter.length);
        return;
      }
      const safe = this.#held.length - delimiter.length + 1;
      if (safe > 0) yield this.#cut(safe);
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) throw new MultipartFault('it ends too early');
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
  }

  #cut(count: number): Buffer {
    const cut = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return cut;
  }
}
