import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { decideEncoding } from './decide-encoding.ts';
import { LegacyBytes, type Reading } from './legacy-bytes.ts';
import { isLegacy, type LegacyEncoding } from './legacy-encodings.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | LegacyEncoding;

/** What one look at every byte of the input tells. */
export type Survey = {
  sha256: string;
  bytes: number;
  encoding: Encoding;
  /** Length of the byte order mark, which is not part of the text. */
  markBytes: number;
  /** The first bytes, for the sniffing of the delimiter. */
  head: Uint8Array;
  /** Whether any byte is a carriage return (in UTF-16, of any character). */
  hasCarriageReturn: boolean;
  fault: 'not_text' | 'mixed_encodings' | null;
  /** Where nothing decides the encoding: what a word of the text reads as in those that are possible. */
  readings: readonly Reading[];
};

/** So much of the begin is kept. It must hold a few records for the delimiter to show. */
export const HEAD_BYTES = 64 * 1024;

const CARRIAGE_RETURN = 0x0d;

/**
 * Reads all bytes once: their hash, and their encoding. A byte order mark decides; else the pattern of zero bytes that
 * UTF-16 leaves; else UTF-8 if every byte of the input is valid; else `told`, where a person said what else it is; else an
 * encoding of one byte a character, by `decideEncoding`. Only the last byte can tell them apart, hence the whole pass; it
 * costs a twentieth of the parsing. Valid multibyte characters beside invalid bytes are `mixed_encodings`: either reading
 * would send somebody a broken name.
 */
export async function surveyBytes(
  chunks: AsyncIterable<Uint8Array>,
  told: LegacyEncoding | null = null,
): Promise<Survey> {
  const hash = createHash('sha256');
  const head = Buffer.alloc(HEAD_BYTES);
  const utf8 = new Utf8Probe();
  let bytes = 0;
  let hasCarriageReturn = false;
  for await (const chunk of chunks) {
    hasCarriageReturn ||= chunk.includes(CARRIAGE_RETURN);
    hash.update(chunk);
    if (bytes < HEAD_BYTES) head.set(chunk.subarray(0, HEAD_BYTES - bytes), bytes);
    utf8.add(chunk);
    bytes += chunk.length;
  }
  utf8.end();
  const begin = head.subarray(0, Math.min(bytes, HEAD_BYTES));
  return {
    sha256: hash.digest('hex'),
    bytes,
    head: begin,
    hasCarriageReturn,
    ...encodingOf(begin, utf8, told),
  };
}

/** The input's text as UTF-8 without a byte order mark. Throws a TypeError at bytes that UTF-16 cannot have. */
export async function* decodedToUtf8(chunks: AsyncIterable<Uint8Array>, survey: Survey): AsyncGenerator<Uint8Array> {
  let skip = survey.markBytes;
  const decoder =
    survey.encoding === 'utf-8'
      ? null
      : new TextDecoder(survey.encoding, { fatal: !isLegacy(survey.encoding), ignoreBOM: true });
  for await (const chunk of chunks) {
    const text = chunk.subarray(skip);
    skip -= chunk.length - text.length;
    if (text.length > 0) yield decoder === null ? text : Buffer.from(decoder.decode(text, { stream: true }));
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield Buffer.from(rest);
}

/** The text of the survey's head, a character that is cut at its end left out. */
export function headText(survey: Survey): string {
  return new TextDecoder(survey.encoding, { ignoreBOM: true }).decode(survey.head.subarray(survey.markBytes), {
    stream: true,
  });
}

/** So many zero bytes make no text; fewer are characters that are refused where they stand. */
const ZEROS_MAX = 4;

type Found = Pick<Survey, 'encoding' | 'markBytes' | 'fault' | 'readings'>;

function found(encoding: Encoding, markBytes: number, fault: Survey['fault'] = null): Found {
  return { encoding, markBytes, fault, readings: [] };
}

function encodingOf(head: Uint8Array, utf8: Utf8Probe, told: LegacyEncoding | null): Found {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return found('utf-8', 0, 'not_text');
  if (first === 0xff && second === 0xfe) return found('utf-16le', 2);
  if (first === 0xfe && second === 0xff) return found('utf-16be', 2);
  const markBytes = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const zeros = countZeros(head);
  // The headers of every spreadsheet are ASCII for the most part, so in UTF-16 one half of their bytes are zeros.
  if (zeros.odd > head.length / 8 && zeros.even * 4 < zeros.odd) return found('utf-16le', 0);
  if (zeros.even > head.length / 8 && zeros.odd * 4 < zeros.even) return found('utf-16be', 0);
  if (zeros.even + zeros.odd > ZEROS_MAX) return found('utf-8', markBytes, 'not_text');
  if (utf8.invalid === 0) return found('utf-8', markBytes);
  if (markBytes > 0) return found('utf-8', markBytes, 'mixed_encodings');
  if (told !== null) return found(told, 0);
  if (utf8.multibyte > 0) return found('utf-8', 0, 'mixed_encodings');
  return { ...decideEncoding(utf8.legacy, head), markBytes: 0, fault: null };
}

function countZeros(head: Uint8Array): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 };
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== 0) continue;
    if (at % 2 === 0) zeros.even++;
    else zeros.odd++;
  }
  return zeros;
}

/** Counts valid multibyte characters and invalid bytes of UTF-8, over chunks that may cut characters. */
class Utf8Probe {
  multibyte = 0;
  invalid = 0;
  /** The text where it is not UTF-8. */
  readonly legacy = new LegacyBytes();
  /** The begin of a character that the last chunk cut: at most three bytes. */
  #cut: Uint8Array = new Uint8Array(0);

  add(chunk: Uint8Array): void {
    if (this.#cut.length === 0 && isAscii(chunk)) {
      this.legacy.addAscii(chunk);
      return;
    }
    const bytes = this.#cut.length === 0 ? chunk : Buffer.concat([this.#cut, chunk]);
    const whole = bytes.length - cutLength(bytes);
    this.#cut = Buffer.from(bytes.subarray(whole));
    this.#count(bytes.subarray(0, whole));
  }

  end(): void {
    this.invalid += this.#cut.length;
    this.legacy.add(this.#cut);
    this.legacy.end();
  }

  #count(bytes: Uint8Array): void {
    if (isAscii(bytes)) {
      this.legacy.addAscii(bytes);
      return;
    }
    if (isUtf8(bytes)) {
      this.multibyte++;
      return;
    }
    this.legacy.add(bytes);
    for (let at = 0; at < bytes.length; ) {
      const length = characterLength(bytes, at);
      if (length === 0) this.invalid++;
      if (length > 1) this.multibyte++;
      at += Math.max(length, 1);
    }
  }
}

/** How many bytes at the end begin a character that goes on behind it: 0 to 3. */
function cutLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return expectedLength(byte) > back ? back : 0;
  }
  return 0;
}

/** The length of the valid character at `at`, or 0. */
function characterLength(bytes: Uint8Array, at: number): number {
  const length = expectedLength(bytes[at] ?? 0);
  if (length <= 1) return length;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function expectedLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}
