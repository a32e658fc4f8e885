/** A zip of parts that are not packed. A checksum of 0 says that there is none: what reads this has no need of it. */
export function storedZip(parts: ReadonlyMap<string, string>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of parts) {
    const bytes = Buffer.from(text);
    const nameBytes = Buffer.from(name);
    const local = header(LOCAL, 30, bytes.length, nameBytes.length);
    const central = header(CENTRAL, 46, bytes.length, nameBytes.length);
    central.writeUInt32LE(offset, 42);
    pieces.push(local, nameBytes, bytes);
    directory.push(central, nameBytes);
    offset += local.length + nameBytes.length + bytes.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, directoryBytes, end]);
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/** Where sizes and the name's length are in a header, behind its signature and, in the directory, one version more. */
function header(signature: number, length: number, bytes: number, nameBytes: number): Buffer {
  const begin = signature === LOCAL ? 18 : 20;
  const written = Buffer.alloc(length);
  written.writeUInt32LE(signature, 0);
  written.writeUInt32LE(bytes, begin);
  written.writeUInt32LE(bytes, begin + 4);
  written.writeUInt16LE(nameBytes, begin + 8);
  return written;
}
