import type { CellComment } from '../../../platform/xlsx/comments.ts';
import type { StyleBook } from '../../../platform/xlsx/style-book.ts';
import { CONTENT, type NewSheet, newSheetXml } from '../../../platform/xlsx/workbook-writer.ts';
import { xmlAttribute } from '../../../platform/xlsx/xml-text.ts';
import {
  attribute,
  childOf,
  elementsOf,
  insert,
  relationId,
  remove,
  setAttribute,
  type XmlElement,
} from '../../../platform/xlsx/xml-tree.ts';
import type { PackageEdit } from './package-edit.ts';

export type AddedSheet = {
  workbookPart: string;
  /** Parts of sheets that it takes the place of. */
  removed: readonly string[];
  sheet: NewSheet;
  styles: StyleBook;
  namespace: string;
  relations: string;
};

/** Puts a new sheet in front of a workbook's sheets, as the one that it opens with, and takes others out. */
export async function addSheet(edit: PackageEdit, added: AddedSheet): Promise<void> {
  const { workbookPart, removed, sheet, styles, namespace, relations } = added;
  const workbook = await edit.edit(workbookPart);
  const list = childOf(workbook, 'sheets');
  if (list === null) return;
  const gone = (await edit.relations(workbookPart)).filter(({ part }) => removed.includes(part));
  const isGone = (element: XmlElement) => gone.some(({ id }) => id === relationId(element.tag));
  movePlaces(workbook, elementsOf(list).map(isGone));
  remove(list, isGone);
  for (const relation of gone) await edit.remove(workbookPart, relation);
  const place = {
    type: `${relations}/worksheet`,
    begin: 'xl/worksheets/problems',
    end: '.xml',
    content: CONTENT.worksheet,
  };
  const { id, part } = await edit.add(workbookPart, place);
  const number = Math.max(0, ...elementsOf(list).map((element) => Number(attribute(element, 'sheetId')) || 0)) + 1;
  const attributes = `xmlns:r="${relations}" name="${xmlAttribute(sheet.name)}" sheetId="${number}" r:id="${id}"`;
  insert(list, `<sheet ${attributes}/>`, 0);
  const comments: CellComment[] = [];
  await edit.write(part, newSheetXml(sheet, { styles, namespace, isSelected: true, drawingId: '', comments }));
}

/** Names of one sheet, such as its print area, know it by its place; so does the sheet that the workbook opens with. */
function movePlaces(workbook: XmlElement, areGone: readonly boolean[]): void {
  const names = childOf(workbook, 'definedNames');
  const isOfGone = (element: XmlElement) => areGone[Number(attribute(element, 'localSheetId') ?? Number.NaN)] === true;
  if (names !== null) remove(names, isOfGone);
  for (const element of elementsOf(names)) {
    const before = attribute(element, 'localSheetId');
    if (before === null) continue;
    const left = areGone.slice(0, Number(before)).filter((isGone) => !isGone);
    setAttribute(element, 'localSheetId', left.length + 1);
  }
  for (const view of elementsOf(childOf(workbook, 'bookViews'))) {
    setAttribute(view, 'firstSheet', null);
    setAttribute(view, 'activeTab', 0);
  }
}
