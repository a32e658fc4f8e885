import { ArchiveError } from '../../../platform/xlsx/archive.ts';
import type { CellComment } from '../../../platform/xlsx/comments.ts';
import { PackageParts, type Part, relationsPart } from '../../../platform/xlsx/package-parts.ts';
import type { StyleBook } from '../../../platform/xlsx/style-book.ts';
import { CONTENT, type NewSheet, newSheetXml } from '../../../platform/xlsx/workbook-writer.ts';
import { xmlAttribute } from '../../../platform/xlsx/xml-text.ts';
import {
  attribute,
  childOf,
  elementsOf,
  insert,
  partXml,
  relationId,
  remove,
  setAttribute,
  type XmlElement,
} from '../../../platform/xlsx/xml-tree.ts';
import { type PartText, ZipWriter } from '../../../platform/xlsx/zip-writer.ts';

const TYPES_PART = '[Content_Types].xml';

const EMPTY_RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>';

/**
 * A workbook whose parts are replaced, added or removed one by one; all others are copied as they are packed. Relations
 * and content types follow.
 */
export class PackageEdit extends PackageParts {
  readonly #zip = new ZipWriter();
  readonly #written = new Set<string>();
  readonly #removed = new Set<string>();
  /** Parts that are changed as trees, and written when the workbook is saved. */
  readonly #edited = new Map<string, Part>();

  override has(name: string): boolean {
    return super.has(name) && !this.#removed.has(name);
  }

  /** A part that is changed in place; it is written when the workbook is saved. */
  async edit(name: string, ifAbsent?: string): Promise<XmlElement> {
    const part = (await this.part(name)) ?? (ifAbsent === undefined ? null : this.keep(name, ifAbsent));
    if (part === null) throw new ArchiveError(`there is no part ${name}`);
    this.#edited.set(name, part);
    return part.root;
  }

  /** The text of a part as it was, or null where it is not there. */
  async text(name: string): Promise<string | null> {
    return this.has(name) ? this.archive.text(name) : null;
  }

  /** Writes a part, new or in place of what was there. */
  async write(name: string, text: PartText): Promise<void> {
    this.#written.add(name);
    await this.#zip.add(name, text);
  }

  /** The part that another is related to in that way; a new one where there is none. */
  async relatedOrNew(
    of: string,
    { kind, type, begin, end, content }: NewPart,
  ): Promise<{ id: string; part: string; isNew: boolean }> {
    const known = await this.related(of, kind);
    return known === null ? this.add(of, { type, begin, end, content }) : { ...known, isNew: false };
  }

  /** Makes a new part known to one that it is related to, by the id if one is given. */
  async add(of: string, { type, begin, end, content }: Omit<NewPart, 'kind'>, id?: string) {
    const part = this.#newName(begin, end);
    const relation = id ?? (await this.newId(of));
    const relations = await this.edit(relationsPart(of), EMPTY_RELATIONS);
    insert(relations, `<Relationship Id="${relation}" Type="${type}" Target="/${xmlAttribute(part)}"/>`);
    const types = await this.edit(TYPES_PART);
    remove(types, (element) => attribute(element, 'PartName') === `/${part}`);
    insert(types, `<Override PartName="/${part}" ContentType="${content}"/>`);
    this.#written.add(part);
    return { id: relation, part, isNew: true };
  }

  /** Leaves out a part that another is related to, with its own relations. */
  async remove(of: string, { id, part }: { id: string; part: string }): Promise<void> {
    remove(await this.edit(relationsPart(of)), (element) => attribute(element, 'Id') === id);
    remove(await this.edit(TYPES_PART), (element) => attribute(element, 'PartName') === `/${part}`);
    this.#removed.add(part).add(relationsPart(part));
  }

  /** An id that no relation of a part has. */
  async newId(of: string): Promise<string> {
    const taken = new Set((await this.relations(of)).map(({ id }) => id));
    for (let number = 1; ; number++) if (!taken.has(`rIdPayrun${number}`)) return `rIdPayrun${number}`;
  }

  /** The whole workbook. */
  async save(): Promise<Buffer> {
    for (const [name, { document }] of this.#edited)
      if (!this.#removed.has(name)) await this.write(name, partXml(document));
    for (const name of this.archive.names)
      if (!this.#written.has(name) && !this.#removed.has(name))
        this.#zip.addPacked(name, await this.archive.packed(name));
    return this.#zip.finish(TYPES_PART);
  }

  /** A name that no part has, such as `xl/comments7.xml`. */
  #newName(begin: string, end: string): string {
    const taken = new Set([...this.archive.names, ...this.#written].map((name) => name.toLowerCase()));
    for (let number = 1; ; number++) {
      const name = `${begin}${number}${end}`;
      if (!taken.has(name.toLowerCase())) return name;
    }
  }
}

/** A part that another may be related to. */
export type NewPart = {
  kind: string;
  /** The type of the relation, which ends in `kind`. */
  type: string;
  /** Its name around a number: `xl/comments`, `.xml`. */
  begin: string;
  end: string;
  content: string;
};

const MACRO_ENABLED = /macroEnabled/i;

/** Makes a workbook with macros (.xlsm) one without: a copy is named .xlsx, and programs open no .xlsx that has any. */
export async function leaveOutMacros(edit: PackageEdit, workbookPart: string): Promise<void> {
  const types = await edit.edit(TYPES_PART);
  const main = elementsOf(types).find((element) => attribute(element, 'PartName') === `/${workbookPart}`);
  if (main === undefined || !MACRO_ENABLED.test(attribute(main, 'ContentType') ?? '')) return;
  setAttribute(main, 'ContentType', CONTENT.workbook);
  for (const relation of await edit.relations(workbookPart))
    if (relation.kind === 'vbaProject') await edit.remove(workbookPart, relation);
}

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
