import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { PackedRows } from '../domain/run/run-rows.ts';

/** For the rows of a large run: of a payroll, its entries take 45 bytes a row. */
export function packedRows(): PackedRows {
  return new PackedRows({
    // A copy: what is compressed may be a view of a larger buffer.
    pack: (text) => Uint8Array.from(zstdCompressSync(text)),
    unpack: (bytes) => zstdDecompressSync(bytes).toString(),
  });
}
