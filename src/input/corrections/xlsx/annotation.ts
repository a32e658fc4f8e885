import { readFile, stat } from 'node:fs/promises';
import { type Archive, openArchive, UNPACKED_BYTES_MAX } from '../../../platform/xlsx/archive.ts';
import { SAVED_BY } from '../../../platform/xlsx/workbook-writer.ts';
import { childOf, parsePart, textOf } from '../../../platform/xlsx/xml-tree.ts';
import { firstRows } from '../../source/xlsx/sheet-table.ts';
import { readWorkbook, type SheetOutline, type Workbook } from '../../source/xlsx/workbook.ts';

/**
 * How the sheet of problems is known, in each language in which it is written: a text that changes here makes earlier copies
 * unknown. `name`: the sheet's, behind which a number follows where the workbook has a sheet of its own of that name. `title`: its
 * first cell. `ofText`: what stands beside that where the workbook is the copy of a text file.
 */
export const LISTS = {
  en: { name: 'Problems', title: 'Problems found by payrun', ofText: 'in a text file' },
  de: { name: 'Probleme', title: 'Von payrun gefundene Probleme', ofText: 'in einer Textdatei' },
  es: { name: 'Problemas', title: 'Problemas encontrados por payrun', ofText: 'en un archivo de texto' },
  fr: { name: 'Problèmes', title: 'Problèmes trouvés par payrun', ofText: 'dans un fichier texte' },
  pt: { name: 'Problemas', title: 'Problemas encontrados pelo payrun', ofText: 'em um arquivo de texto' },
} as const;

const ALL_LISTS = Object.values(LISTS);

/** The part that names who saved a workbook last is not larger than this. */
const CORE_MAX = 1024 * 1024;

/** Whether a sheet of that name and first row is the list of problems of an annotation. */
export function isProblemsList(name: string, first: readonly string[] | undefined): boolean {
  return ALL_LISTS.some((list) => name.startsWith(list.name) && first?.[0] === list.title);
}

/** Whether the sheet with such a first row, the list of problems, is in the copy of a text file. */
export function isOfTextFile(first: readonly string[] | undefined): boolean {
  return ALL_LISTS.some(({ ofText }) => first?.[1] === ofText);
}

/** Whether a sheet that is not read yet is the list of problems. */
export async function isProblemsSheet(archive: Archive, workbook: Workbook, sheet: SheetOutline): Promise<boolean> {
  if (!ALL_LISTS.some(({ name }) => sheet.name.startsWith(name))) return false;
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
