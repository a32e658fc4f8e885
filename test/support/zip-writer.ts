import { crc32, deflateRawSync } from 'node:zlib';

/** 1 January 1980, the first day that a zip knows: the same parts make the same bytes on every day. */
const DATE = 0x0021;

const DEFLATED = 8;

/** The file names are UTF-8. */
const UTF_8 = 0x0800;

/** A zip of some texts by their path, as spreadsheet programs pack a workbook. */
export function zipOf(parts: Readonly<Record<string, string>>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(parts)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes);
    const about = headerOf(bytes, packed.length, name.length);
    const file = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), about, name, packed]);
    files.push(file);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), about, place, name]));
    at += file.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...files, entries, endOf(files.length, entries.length, at)]);
}

/** What the file's own header and the directory say alike: versions, method, date, checksum, lengths. */
function headerOf(bytes: Buffer, packedLength: number, nameLength: number): Buffer {
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(UTF_8, 2);
  about.writeUInt16LE(DEFLATED, 4);
  about.writeUInt16LE(DATE, 8);
  about.writeUInt32LE(crc32(bytes), 10);
  about.writeUInt32LE(packedLength, 14);
  about.writeUInt32LE(bytes.length, 18);
  about.writeUInt16LE(nameLength, 22);
  return about;
}

function endOf(count: number, bytes: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(at, 16);
  return end;
}
