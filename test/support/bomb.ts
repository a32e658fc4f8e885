import { constants, deflateRawSync } from 'node:zlib';
import { workbookOf } from './workbook.ts';

const BLOCK_BYTES = 16 * 1024 * 1024;

/** So often the block is unpacked: to 1.9 gigabytes. */
const BLOCKS = 119;

/** A workbook of 1.8 megabytes that unpacks to 1.9 gigabytes, made of one packed block, over and over. */
export function bombOf(says: { unpacked?: number } = {}): Buffer {
  const begin = deflated('<worksheet><sheetData>');
  const block = deflated('<row/>'.repeat(BLOCK_BYTES / 6));
  const end = deflateRawSync('</sheetData></worksheet>');
  const content = Buffer.concat([begin, ...Array.from({ length: BLOCKS }, () => block), end]);
  const entry = { name: 'xl/worksheets/sheet1.xml', content, isPacked: true };
  return workbookOf({
    sheets: [{ name: 'Pay', rows: '' }],
    entries: [{ ...entry, says: { unpacked: BLOCK_BYTES * BLOCKS, ...says } }],
  });
}

/** Ends at a whole byte, refers to nothing before it, and is not the last block. */
function deflated(text: string): Buffer {
  return deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });
}
