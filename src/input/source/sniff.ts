import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { decideEncoding, type Reading, type UnreadReading } from './encoding/decide-encoding.ts';
import { type Encoding, isMultiByte } from './encoding/encodings.ts';
import { type Contrast, decideUtf8 } from './encoding/utf8-doubt.ts';
import { Utf8Words } from './encoding/utf8-words.ts';

/** What one look at every byte of the input shows. */
export type Survey = {
  sha256: string;
  bytes: number;
  encoding: Encoding;
  /** Length of the byte order mark, which is not part of the text. */
  markBytes: number;
  /** The first bytes, for the sniffing of the delimiter. */
  head: Uint8Array;
  fault: 'not_text' | 'mixed_encodings' | null;
  /** Where zero bytes are in a text that is not UTF-16, from 0: the first ones. */
  zeroBytes: readonly number[];
  /** Where nothing decides the encoding: what names of the text read as in those that are possible. */
  readings: readonly Reading[];
  /** The same in encodings that payrun does not read. */
  unread: readonly UnreadReading[];
  /** Where another encoding was given than UTF-8, and the text may be read in either. */
  contrast: Contrast | null;
};

/** So much of the begin is kept. It must hold a few records for the delimiter to show. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Reads all bytes once: their hash, and their encoding. A byte order mark decides; else the pattern of zero bytes that
 * UTF-16 leaves; else `decideUtf8` if every byte of the input is valid; else `explicit`, the encoding that a person named;
 * else one that is not Unicode, by `decideEncoding`, which reads all bytes again. Only the last byte can tell them apart,
 * hence the whole pass; it costs a twentieth of the parsing. Words of UTF-8 beside invalid bytes are `mixed_encodings`: either
 * reading would put a broken name into a payment.
 */
export async function surveyBytes(
  open: () => AsyncIterable<Uint8Array>,
  explicit: Encoding | null = null,
): Promise<Survey> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(HEAD_BYTES);
  const utf8 = new Utf8Probe();
  const words = new Utf8Words();
  const zeroBytes: number[] = [];
  let bytes = 0;
  for await (const chunk of open()) {
    hash.update(chunk);
    addZeroBytes(zeroBytes, chunk, bytes);
    if (bytes < HEAD_BYTES) buffer.set(chunk.subarray(0, HEAD_BYTES - bytes), bytes);
    utf8.add(chunk);
    words.add(chunk);
    bytes += chunk.length;
  }
  words.end();
  const head = buffer.subarray(0, Math.min(bytes, HEAD_BYTES));
  const shown = encodingOf(head, utf8, explicit);
  const text = shown === 'utf-8' ? await decidedUtf8(open, words, explicit) : (shown ?? (await decided(open(), head)));
  const ofText = text.encoding.startsWith('utf-16') ? [] : zeroBytes;
  return { sha256: hash.digest('hex'), bytes, head, zeroBytes: ofText, ...text };
}

/** The places of so many zero bytes are kept. */
const ZERO_BYTES_KEPT = 1_000;

function addZeroBytes(places: number[], chunk: Uint8Array, begin: number): void {
  let at = places.length < ZERO_BYTES_KEPT ? chunk.indexOf(0) : -1;
  while (at !== -1 && places.length < ZERO_BYTES_KEPT) {
    places.push(begin + at);
    at = chunk.indexOf(0, at + 1);
  }
}

async function decided(chunks: AsyncIterable<Uint8Array>, head: Uint8Array): Promise<Found> {
  const { encoding, readings, unread, isMixed } = await decideEncoding(chunks, head);
  if (isMixed) return found('utf-8', 0, 'mixed_encodings');
  return { ...found(encoding, 0), readings, unread };
}

async function decidedUtf8(
  open: () => AsyncIterable<Uint8Array>,
  words: Utf8Words,
  explicit: Encoding | null,
): Promise<Found> {
  return { ...found('utf-8', 0), ...(await decideUtf8(open, words, explicit)) };
}

/** Chunks are decoded in pieces of this size: the records of one are held, and of more the garbage collector would keep more. */
const PIECE_BYTES = 8 * 1024;

/**
 * The input's text without a byte order mark, in pieces. Throws a TypeError at bytes that UTF-16, or an encoding of several
 * bytes a character, cannot have.
 */
export async function* decodedText(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, markBytes }: Pick<Survey, 'encoding' | 'markBytes'>,
): AsyncGenerator<string> {
  let skip = markBytes;
  const isFatal = encoding.startsWith('utf-16') || isMultiByte(encoding);
  const decoder = new TextDecoder(encoding, { fatal: isFatal, ignoreBOM: true });
  for await (const chunk of chunks) {
    for (let at = skip; at < chunk.length; at += PIECE_BYTES)
      yield decoder.decode(chunk.subarray(at, at + PIECE_BYTES), { stream: true });
    skip = Math.max(0, skip - chunk.length);
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** Whether bytes were not of the encoding. */
export function isDecodingError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

/** The text of the survey's head; a character that is cut at its end is left out. */
export function headText({ encoding, head, markBytes }: Survey): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(head.subarray(markBytes), { stream: true });
}

/** So many zero bytes make no text; fewer are characters that are refused where they stand. */
const ZEROS_MAX = 4;

type Found = Pick<Survey, 'encoding' | 'markBytes' | 'fault' | 'readings' | 'unread' | 'contrast'>;

function found(encoding: Encoding, markBytes: number, fault: Survey['fault'] = null): Found {
  return { encoding, markBytes, fault, readings: [], unread: [], contrast: null };
}

/** `utf-8` where every byte is valid and no mark says it; null where it is not Unicode, and no encoding was named. */
function encodingOf(head: Uint8Array, utf8: Utf8Probe, explicit: Encoding | null): Found | 'utf-8' | null {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return found('utf-8', 0, 'not_text');
  if (first === 0xff && second === 0xfe) return found('utf-16le', 2);
  if (first === 0xfe && second === 0xff) return found('utf-16be', 2);
  const markBytes = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const zeros = head.reduce((count, byte) => count + Number(byte === 0), 0);
  const evenZeros = head.reduce((count, byte, at) => count + Number(byte === 0 && at % 2 === 0), 0);
  const oddZeros = zeros - evenZeros;
  // The headers of every spreadsheet are ASCII for the most part, so in UTF-16 one half of their bytes are zeros.
  if (oddZeros > head.length / 8 && evenZeros * 4 < oddZeros) return found('utf-16le', 0);
  if (evenZeros > head.length / 8 && oddZeros * 4 < evenZeros) return found('utf-16be', 0);
  if (zeros > 0 && explicit?.startsWith('utf-16')) return found(explicit, 0);
  if (zeros > ZEROS_MAX) return found('utf-8', markBytes, 'not_text');
  if (!utf8.hasInvalid) return markBytes > 0 ? found('utf-8', markBytes) : 'utf-8';
  if (markBytes > 0 || explicit === 'utf-8') return found('utf-8', markBytes, 'mixed_encodings');
  return explicit === null ? null : found(explicit, 0);
}

/** The begin of a character of UTF-8 at the end of a text, as Latin-1 shows its bytes (RFC 3629, section 4). */
const CUT_CHARACTER = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;

/** Looks for invalid bytes of UTF-8, over chunks that may cut characters. */
class Utf8Probe {
  #hasInvalid = false;
  /** The begin of a character that the last chunk cut. */
  #cut: Uint8Array = new Uint8Array(0);

  get hasInvalid(): boolean {
    return this.#hasInvalid || this.#cut.length > 0;
  }

  add(chunk: Uint8Array): void {
    if (this.#cut.length === 0 && isAscii(chunk)) return;
    const bytes = this.#cut.length === 0 ? chunk : Buffer.concat([this.#cut, chunk]);
    const cutLength = CUT_CHARACTER.exec(Buffer.from(bytes.subarray(-3)).toString('latin1'))?.[0].length ?? 0;
    const whole = bytes.subarray(0, bytes.length - cutLength);
    // A copy, because the chunk is used again.
    this.#cut = Uint8Array.from(bytes.subarray(whole.length));
    this.#hasInvalid ||= !isUtf8(whole);
  }
}
