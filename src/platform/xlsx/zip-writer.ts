import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { PackedPart } from './archive.ts';

export type PartText = string | Iterable<string> | AsyncIterable<string>;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

const DEFLATED = 8;

/** The names are UTF-8. */
const FLAGS = 0x800;

/** Midnight of 1980-01-01: the same parts make the same file. */
const DATE = 0x21;

/** Text is packed in pieces of about so many characters. */
const PIECE = 64 * 1024;

/** Less than the most that can be had: twice as fast, and a tenth larger. */
const LEVEL = 4;

/** A zip that is made part by part; what is held of a part is packed. */
export class ZipWriter {
  readonly #parts = new Map<string, PackedPart>();

  /** How much all parts unpack to. */
  get unpackedBytes(): number {
    return this.#parts.values().reduce((sum, part) => sum + part.unpackedBytes, 0);
  }

  async add(name: string, text: PartText): Promise<void> {
    const packed: Uint8Array[] = [];
    let checksum = 0;
    let unpackedBytes = 0;
    const measured = async function* () {
      for await (const piece of pieces(typeof text === 'string' ? [text] : text)) {
        const bytes = Buffer.from(piece);
        checksum = crc32(bytes, checksum);
        unpackedBytes += bytes.length;
        yield bytes;
      }
    };
    await pipeline(measured, createDeflateRaw({ level: LEVEL }), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) packed.push(chunk);
    });
    this.addPacked(name, { method: DEFLATED, checksum, unpackedBytes, bytes: Buffer.concat(packed) });
  }

  /** A part that is packed already. */
  addPacked(name: string, part: PackedPart): void {
    this.#parts.set(name, part);
  }

  /** The whole zip, with the part in front by which others know what it is. */
  finish(first: string): Buffer {
    const pieces: Uint8Array[] = [];
    const directory: Uint8Array[] = [];
    let offset = 0;
    for (const [name, part] of [...this.#parts].sort(([a], [b]) => Number(b === first) - Number(a === first))) {
      const nameBytes = Buffer.from(name);
      const local = header(LOCAL, 30, part, nameBytes.length);
      const central = header(CENTRAL, 46, part, nameBytes.length);
      central.writeUInt32LE(offset, 42);
      pieces.push(local, nameBytes, part.bytes);
      directory.push(central, nameBytes);
      offset += local.length + nameBytes.length + part.bytes.length;
    }
    const directoryBytes = Buffer.concat(directory);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(END, 0);
    end.writeUInt16LE(this.#parts.size, 8);
    end.writeUInt16LE(this.#parts.size, 10);
    end.writeUInt32LE(directoryBytes.length, 12);
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([...pieces, directoryBytes, end]);
  }
}

async function* pieces(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Behind the signature and, in the directory, one version more, both headers have the same fields. */
function header(signature: number, length: number, part: PackedPart, nameBytes: number): Buffer {
  const written = Buffer.alloc(length);
  const begin = signature === LOCAL ? 4 : 6;
  written.writeUInt32LE(signature, 0);
  written.writeUInt16LE(20, 4);
  written.writeUInt16LE(20, begin);
  written.writeUInt16LE(FLAGS, begin + 2);
  written.writeUInt16LE(part.method, begin + 4);
  written.writeUInt16LE(DATE, begin + 8);
  written.writeUInt32LE(part.checksum, begin + 10);
  written.writeUInt32LE(part.bytes.length, begin + 14);
  written.writeUInt32LE(part.unpackedBytes, begin + 18);
  written.writeUInt16LE(nameBytes, begin + 22);
  return written;
}
