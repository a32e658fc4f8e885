import { type Archive, openArchive, UNPACKED_BYTES_MAX } from '../../platform/xlsx/archive.ts';
import { headOf, openFile, readWhole } from '../source/file.ts';
import { workbookKindOf } from '../source/file-kinds.ts';
import { HEAD_BYTES } from '../source/sniff.ts';

/** The name in a workbook of rows to be corrected that holds the id of their run. */
export const CORRECTS = 'payrun_corrects';

/** So much the list of a workbook's sheets and names has at most. */
const LIST_BYTES_MAX = 4 * 1024 * 1024;

const RUN_ID = 'R\\d{8}-[0-9A-Z]{8}';

const NAMED = new RegExp(`^(${RUN_ID})-to-correct`);

/** The name as each kind of workbook has it: an element of XLSX, one of OpenDocument, a record of BIFF8. */
const IN_WORKBOOK = new RegExp(`name=["']${CORRECTS}["'][^>]*>(?:"|&quot;)(${RUN_ID})(?:"|&quot;)<`);
const IN_OPEN_DOCUMENT = new RegExp(
  `<[\\w:]*named-expression\\b(?=[^>]*name="${CORRECTS}")[^>]*&quot;(${RUN_ID})&quot;`,
);
const IN_OLD_WORKBOOK = new RegExp(`^${CORRECTS}\\x17\\x12\\x00(${RUN_ID})`);

/** An element with the name is shorter, and so is what a record has of it. */
const ELEMENT_MAX = 4_096;
const RECORD_BYTES = 64;

/**
 * The run whose rows a file holds for correction: a workbook of any kind holds its id, and the file's name does where it was
 * saved as text. Null for every other file, also for one that cannot be read.
 */
export async function runToCorrect({ name, path }: { name: string; path: string }): Promise<string | null> {
  return NAMED.exec(name)?.[1] ?? (await notedRun(path).catch(() => null));
}

/** By what is in the file, whatever its name says. */
async function notedRun(path: string): Promise<string | null> {
  const source = await openFile(path);
  const kind = workbookKindOf(await headOf(source, HEAD_BYTES), source.name);
  if (kind === null || kind === 'web_page') return null;
  const { bytes } = await readWhole(source, UNPACKED_BYTES_MAX);
  if (bytes === null) return null;
  if (kind === 'old_workbook') return notedInOldWorkbook(bytes);
  const opened = await openArchive(bytes);
  if (!opened.ok) return null;
  return kind === 'workbook' ? notedInWorkbook(opened.archive) : notedInOpenDocument(opened.archive);
}

async function notedInWorkbook(archive: Archive): Promise<string | null> {
  const list = archive.names.find((part) => part.toLowerCase() === 'xl/workbook.xml');
  if (list === undefined || archive.bytesOf(list) > LIST_BYTES_MAX) return null;
  return IN_WORKBOOK.exec(await archive.text(list))?.[1] ?? null;
}

/** The compound file is not opened for it: one that is made to deceive is read in a process of its own alone. */
function notedInOldWorkbook(bytes: Buffer): string | null {
  for (let at = bytes.indexOf(CORRECTS); at !== -1; at = bytes.indexOf(CORRECTS, at + 1)) {
    const runId = IN_OLD_WORKBOOK.exec(bytes.toString('latin1', at, at + RECORD_BYTES))?.[1];
    if (runId !== undefined) return runId;
  }
  return null;
}

/** Names stand behind all sheets. */
async function notedInOpenDocument(archive: Archive): Promise<string | null> {
  let text = '';
  for await (const piece of archive.texts('content.xml')) {
    text = text.slice(-ELEMENT_MAX) + piece;
    const runId = IN_OPEN_DOCUMENT.exec(text)?.[1];
    if (runId !== undefined) return runId;
  }
  return null;
}
