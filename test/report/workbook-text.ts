import { openArchive } from '../../src/platform/xlsx/archive.ts';

/** The parts of a workbook as text, by their names. */
export async function workbookParts(workbook: Buffer): Promise<Map<string, string>> {
  const opened = await openArchive(workbook);
  if (!opened.ok) throw new Error(opened.code);
  const parts = new Map<string, string>();
  for (const name of opened.archive.names) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.archive.chunks(name)) chunks.push(Buffer.from(chunk));
    parts.set(name, Buffer.concat(chunks).toString('utf8'));
  }
  return parts;
}
