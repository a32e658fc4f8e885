import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';

/** Why a file cannot be opened as an archive. */
export type ArchiveFault =
  | 'file_empty'
  | 'not_a_workbook'
  | 'workbook_damaged'
  | 'workbook_encrypted'
  | 'workbook_too_large';

/** So much may all parts of any workbook be unpacked. A hundred thousand payouts take a quarter of it. */
export const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;

/** A large workbook may be more: rows unpack to ten to twenty times their size, bombs to a thousand times. */
const UNPACKED_TIMES_MAX = 24;
const LARGE_UNPACKED_BYTES_MAX = 2 * 1024 * 1024 * 1024;

/** More parts than any workbook of payouts has. */
const PARTS_MAX = 10_000;

/** The parts of a workbook, which is a zip. None of them is unpacked before it is asked for. */
export type Archive = {
  names: readonly string[];
  /** Unpacked. */
  bytesOf(name: string): number;
  /** The part, unpacked as it is read, in pieces. Throws an ArchiveError where it does not match its entry. */
  chunks(name: string, pieceBytes?: number): AsyncGenerator<Uint8Array>;
  /**
   * The same as text, in pieces, without the pieces that end before the byte `from`. Parts are UTF-8 unless they begin with
   * the mark of UTF-16.
   */
  texts(name: string, from?: number): AsyncGenerator<string>;
  /** The whole text of a small part. Throws an ArchiveError where it is larger than any. */
  text(name: string): Promise<string>;
  /** The part as it is packed, to be put into another archive. */
  packed(name: string): Promise<PackedPart>;
};

export type PackedPart = { method: number; checksum: number; unpackedBytes: number; bytes: Uint8Array };

/** Everything but rows and pictures is smaller than this. */
const SMALL_PART_MAX = 64 * 1024 * 1024;

/** The archive contradicts itself: it is damaged, or made to deceive. */
export class ArchiveError extends Error {}

/**
 * Opens a zip, and adds up what it unpacks to before anything of it is unpacked. Sizes that lie do not help a bomb: a part
 * that is larger than its stated size is not read on.
 */
export async function openArchive(
  bytes: Buffer,
): Promise<{ ok: true; archive: Archive } | { ok: false; code: ArchiveFault }> {
  const notZip = kindOfFile(bytes);
  if (notZip !== null) return { ok: false, code: notZip };
  const { fromBufferPromise } = await import('yauzl');
  const entries = new Map<string, Entry>();
  const most = Math.max(UNPACKED_BYTES_MAX, Math.min(LARGE_UNPACKED_BYTES_MAX, bytes.length * UNPACKED_TIMES_MAX));
  let unpacked = 0;
  try {
    const zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) return { ok: false, code: 'workbook_encrypted' };
      // Two parts of one name: programs differ in which of them they show.
      if (entries.has(entry.fileName)) return { ok: false, code: 'workbook_damaged' };
      unpacked += entry.uncompressedSize;
      if (unpacked > most || entries.size === PARTS_MAX) return { ok: false, code: 'workbook_too_large' };
      entries.set(entry.fileName, entry);
    }
    return { ok: true, archive: archiveOf(bytes, zip, entries) };
  } catch {
    return { ok: false, code: 'workbook_damaged' };
  }
}

function archiveOf(bytes: Buffer, zip: ZipFile, entries: ReadonlyMap<string, Entry>): Archive {
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry === undefined) throw new ArchiveError(`there is no part ${name}`);
    return entry;
  };
  const archive: Archive = {
    names: [...entries.keys()],
    bytesOf: (name) => entryOf(name).uncompressedSize,
    async *chunks(name, pieceBytes = PIECE_BYTES) {
      const { crc32: expected, uncompressedSize } = entryOf(name);
      let checksum = 0;
      let length = 0;
      try {
        for await (const chunk of unpack(await archive.packed(name), pieceBytes)) {
          length += chunk.length;
          if (length > uncompressedSize) break;
          checksum = crc32(chunk, checksum);
          yield chunk;
        }
      } catch (error) {
        throw new ArchiveError(`${name} cannot be unpacked`, { cause: error });
      }
      if (length !== uncompressedSize) throw new ArchiveError(`${name} does not have its size`);
      if (checksum !== expected) throw new ArchiveError(`${name} does not have its checksum`);
    },
    async *texts(name, from = 0) {
      let decoder: TextDecoder | null = null;
      let end = 0;
      for await (const chunk of archive.chunks(name, from === 0 ? PIECE_BYTES : PASSED_PIECE_BYTES)) {
        decoder ??= new TextDecoder(encodingOf(chunk));
        end += chunk.length;
        if (end <= from) continue;
        const text = decoder.decode(chunk, { stream: true });
        if (text !== '') yield text;
      }
      const rest = decoder?.decode() ?? '';
      if (rest !== '') yield rest;
    },
    async text(name) {
      if (entryOf(name).uncompressedSize > SMALL_PART_MAX) throw new ArchiveError(`${name} is larger than any`);
      let text = '';
      for await (const piece of archive.texts(name)) text += piece;
      return text;
    },
    async packed(name) {
      const { compressionMethod, crc32: checksum, uncompressedSize, compressedSize } = entryOf(name);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entryOf(name), { minimal: true });
      const packed = bytes.subarray(fileDataStart, fileDataStart + compressedSize);
      return { method: compressionMethod, checksum, unpackedBytes: uncompressedSize, bytes: packed };
    },
  };
  return archive;
}

/** Measured: each piece crosses threads, so that smaller ones cost time; larger ones let the young generation grow. */
const PIECE_BYTES = 24 * 1024;

/** Of a part of which only the end becomes text. Still larger ones gather outside the heap. */
const PASSED_PIECE_BYTES = 64 * 1024;

/** What an entry's bytes unpack to, in pieces. */
async function* unpack({ method, bytes }: PackedPart, pieceBytes: number): AsyncGenerator<Uint8Array> {
  if (method === DEFLATED) {
    const inflate = createInflateRaw({ chunkSize: pieceBytes });
    inflate.end(bytes);
    yield* inflate as AsyncIterable<Uint8Array>;
  } else if (method === STORED) {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  } else throw new ArchiveError('a part is packed in a way that no workbook is');
}

const STORED = 0;
const DEFLATED = 8;

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

const ZIP_BEGIN = Buffer.from('PK\x03\x04', 'latin1');

/** Why a file is no zip, or null where it begins like one. */
function kindOfFile(bytes: Buffer): ArchiveFault | null {
  if (bytes.length === 0) return 'file_empty';
  return bytes.subarray(0, ZIP_BEGIN.length).equals(ZIP_BEGIN) ? null : 'not_a_workbook';
}
