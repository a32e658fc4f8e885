import { crc32, deflateRawSync } from 'node:zlib';

export type ZipEntry = {
  name: string;
  content: string | Uint8Array;
  /** What the headers say instead of the truth. */
  says?: { unpacked?: number; checksum?: number; flags?: number };
  /** Packed already, so that what it unpacks to need never be in memory. */
  isPacked?: boolean;
  /** As it is, as the first entry of a document of LibreOffice. */
  isStored?: boolean;
};

/** A zip of packed entries, and what nobody else writes: sizes and checksums that lie, names that come twice. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, says, isPacked, isStored } of entries) {
    const bytes = Buffer.from(content);
    const packed = isPacked || isStored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(says?.flags ?? 0x800, 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(says?.checksum ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(says?.unpacked ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name));
    pieces.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}
