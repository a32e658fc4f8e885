import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { ZipWriter } from '../../input/corrections/xlsx/zip-writer.ts';
import { type DraftFile, OWNER_ONLY } from '../report-text.ts';
import { PAYOUTS_PART, type XlsxText } from './xlsx.ts';

/** A workbook, of which the text is the sheet with the payouts: it is packed while it comes. */
export async function openWorkbookFile(path: string, text: XlsxText): Promise<DraftFile> {
  const handle = await open(path, 'wx', OWNER_ONLY);
  const zip = new ZipWriter();
  const sheet = new PassThrough({ objectMode: true, highWaterMark: 2 });
  const packed = zip.add(PAYOUTS_PART, sheet);
  // Where nobody waits for it any more, `close` was called because of another error.
  packed.catch(() => {});
  return {
    async write(xml) {
      if (!sheet.write(xml)) await Promise.race([once(sheet, 'drain'), packed]);
    },
    async finish() {
      sheet.end();
      await packed;
      for (const [name, part] of text.otherParts()) await zip.add(name, part);
      await writeWhole(handle, zip);
    },
    async close() {
      sheet.destroy();
      await handle.close();
    },
  };
}

async function writeWhole(handle: FileHandle, zip: ZipWriter): Promise<void> {
  await handle.writeFile(zip.finish('[Content_Types].xml'));
  await handle.sync();
}
