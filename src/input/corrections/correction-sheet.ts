import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/** The name in a workbook of rows to be corrected that holds the id of their run. */
export const CORRECTS = 'payrun_corrects';

/** So much the list of a workbook's sheets and names has at most. */
const LIST_BYTES_MAX = 4 * 1024 * 1024;

const NAMED = /^(R\d{8}-[0-9A-Z]{8})-to-correct/;
const NOTED = new RegExp(`name=["']${CORRECTS}["'][^>]*>(?:"|&quot;)(R\\d{8}-[0-9A-Z]{8})(?:"|&quot;)<`);

/**
 * The run whose rows a file holds for correction: a workbook holds its id, and the file's name does where it was saved as
 * text. Null for every other file, also for one that cannot be read.
 */
export async function runToCorrect({ name, path }: { name: string; path: string }): Promise<string | null> {
  return NAMED.exec(name)?.[1] ?? (extname(name).toLowerCase() === '.xlsx' ? await notedRun(path) : null);
}

async function notedRun(path: string): Promise<string | null> {
  const { openArchive } = await import('../../platform/xlsx/archive.ts');
  try {
    const opened = await openArchive(await readFile(path));
    if (!opened.ok) return null;
    const { archive } = opened;
    const list = archive.names.find((part) => part.toLowerCase() === 'xl/workbook.xml');
    if (list === undefined || archive.bytesOf(list) > LIST_BYTES_MAX) return null;
    return NOTED.exec(await archive.text(list))?.[1] ?? null;
  } catch {
    return null;
  }
}
