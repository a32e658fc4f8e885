import { readFile, stat } from 'node:fs/promises';
import { type Archive, openArchive, UNPACKED_BYTES_MAX } from '../../../platform/xlsx/archive.ts';
import { SAVED_BY } from '../../../platform/xlsx/workbook-writer.ts';
import { childOf, parsePart, textOf } from '../../../platform/xlsx/xml-tree.ts';
import { firstRows } from '../../source/xlsx/sheet-table.ts';
import { readWorkbook, type SheetOutline, type Workbook } from '../../source/xlsx/workbook.ts';

/** The first cell of the sheet of problems, by which an earlier one is known and no other sheet is taken for it. */
export const PROBLEMS_TITLE = 'Problems found by payrun';

/** What stands beside the title where the workbook is the copy of a text file. */
export const OF_TEXT_FILE = 'in a text file';

/** The sheet's name, unless the workbook has a sheet of its own of that name; then a number follows. */
export const PROBLEMS_NAME = 'Problems';

/** The part that names who saved a workbook last is not larger than this. */
const CORE_MAX = 1024 * 1024;

/** Whether a sheet of that name and first row is the list of problems of an annotation. */
export function isProblemsList(name: string, first: readonly string[] | undefined): boolean {
  return name.startsWith(PROBLEMS_NAME) && first?.[0] === PROBLEMS_TITLE;
}

/** Whether the sheet with such a first row, the list of problems, is in the copy of a text file. */
export function isOfTextFile(first: readonly string[] | undefined): boolean {
  return first?.[1] === OF_TEXT_FILE;
}

/** Whether a sheet that is not read yet is the list of problems. */
export async function isProblemsSheet(archive: Archive, workbook: Workbook, sheet: SheetOutline): Promise<boolean> {
  if (!sheet.name.startsWith(PROBLEMS_NAME)) return false;
  const [first] = await firstRows(archive, sheet.part, workbook.context, 1);
  return first?.row === 1 && isProblemsList(sheet.name, first.texts);
}

/**
 * Whether the file at `path` is an annotation that was not saved since. What is too large, damaged or made to deceive is
 * none, and is not unpacked.
 */
export async function isUntouchedAnnotation(path: string): Promise<boolean> {
  try {
    const { size } = await stat(path);
    if (size > UNPACKED_BYTES_MAX) return false;
    const opened = await openArchive(await readFile(path));
    if (!opened.ok || !(await isSavedByUs(opened.archive))) return false;
    const workbook = await readWorkbook(opened.archive);
    for (const sheet of workbook.sheets) if (await isProblemsSheet(opened.archive, workbook, sheet)) return true;
    return false;
  } catch {
    return false;
  }
}

async function isSavedByUs(archive: Archive): Promise<boolean> {
  const name = archive.names.find((part) => /^docProps\/core\d*\.xml$/i.test(part));
  if (name === undefined || archive.bytesOf(name) > CORE_MAX) return false;
  const { root } = parsePart(await archive.text(name));
  return textOf(childOf(root, 'lastModifiedBy')) === SAVED_BY;
}
