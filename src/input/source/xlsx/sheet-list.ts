import type { CellComment } from '../../corrections/xlsx/comment-part.ts';
import { type NewSheet, newSheetXml } from '../../corrections/xlsx/new-sheet.ts';
import type { PackageEdit } from '../../corrections/xlsx/package-edit.ts';
import type { StyleBook } from '../../corrections/xlsx/style-book.ts';
import { CONTENT } from '../../corrections/xlsx/workbook-writer.ts';
import { nodeAttribute, type XmlEdit, type XmlNode } from '../../corrections/xlsx/xml-edit.ts';
import { xmlAttribute } from './xml-text.ts';

export type AddedSheet = {
  edit: PackageEdit;
  workbookPart: string;
  /** Parts of sheets that it takes the place of. */
  removed: readonly string[];
  sheet: NewSheet;
  styles: StyleBook;
  namespace: string;
  relations: string;
};

/** Puts a new sheet in front of a workbook's sheets, as the one that it opens with, and takes others out. */
export async function addSheet(added: AddedSheet): Promise<void> {
  const { edit, workbookPart, removed, sheet, styles, namespace, relations } = added;
  const workbook = await edit.edit(workbookPart);
  const list = workbook.child('sheets');
  if (list === null) return;
  const related = await edit.relations(workbookPart);
  const gone = related.filter(({ part }) => removed.includes(part));
  const places = placesAfter(list, (node) => gone.some(({ id }) => id === relationId(node)));
  for (const [at, node] of list.children.entries()) if (places[at] === null) workbook.remove(node);
  for (const { id, part } of gone) {
    await edit.unrelate(workbookPart, id);
    await edit.remove(part);
  }
  const part = edit.newName('xl/worksheets/problems', '.xml');
  const id = await edit.newId(workbookPart);
  await edit.relate(workbookPart, { id, type: `${relations}/worksheet`, part });
  await edit.declare(part, CONTENT.worksheet);
  const number = Math.max(0, ...list.children.map((node) => Number(nodeAttribute(node, 'sheetId')) || 0)) + 1;
  const attributes = `xmlns:r="${relations}" name="${xmlAttribute(sheet.name)}" sheetId="${number}" r:id="${id}"`;
  workbook.prepend(list, `<${workbook.prefix}sheet ${attributes}/>`);
  moveNames(workbook, places);
  openWithFirst(workbook);
  const comments: CellComment[] = [];
  await edit.write(part, newSheetXml(sheet, { styles, namespace, isSelected: true, drawingId: '', comments }));
}

/** Where each sheet is afterwards, by where it was; null for those that are gone. */
function placesAfter(list: XmlNode, isGone: (node: XmlNode) => boolean): (number | null)[] {
  let place = 0;
  return list.children.map((node) => (isGone(node) ? null : ++place));
}

/** Names of one sheet, such as its print area, know it by its place. */
function moveNames(workbook: XmlEdit, places: readonly (number | null)[]): void {
  for (const node of workbook.child('definedNames')?.children ?? []) {
    const sheet = nodeAttribute(node, 'localSheetId');
    if (sheet === null) continue;
    const place = places[Number(sheet)] ?? null;
    if (place === null) workbook.remove(node);
    else workbook.set(node, 'localSheetId', place);
  }
}

function openWithFirst(workbook: XmlEdit): void {
  for (const view of workbook.child('bookViews')?.children ?? []) {
    workbook.set(view, 'firstSheet', null);
    workbook.set(view, 'activeTab', 0);
  }
}

function relationId(node: XmlNode): string | null {
  return /:id\s*=\s*["']([^"']*)/.exec(node.attributes)?.[1] ?? null;
}
