import { assert } from '../../../domain/refusal.ts';
import type { Archive } from '../../../platform/xlsx/archive.ts';
import { type CellComment, Comments, withShapes } from '../../../platform/xlsx/comments.ts';
import { StyleBook } from '../../../platform/xlsx/style-book.ts';
import type { NewSheet } from '../../../platform/xlsx/workbook-writer.ts';
import { CONTENT, CORE_RELATION, coreXml, MAIN, RELATIONS, SAVED_BY } from '../../../platform/xlsx/workbook-writer.ts';
import { attribute, insert, prefixOf, remove, type XmlElement } from '../../../platform/xlsx/xml-tree.ts';
import { type CellRange, rangeOf, readSharedFormulas } from '../../source/xlsx/cell-range.ts';
import { sheetParts } from '../../source/xlsx/sheet-table.ts';
import { readWorkbook, type SheetOutline, type Workbook } from '../../source/xlsx/workbook.ts';
import { type CellMark, withoutOurs } from '../problem-marks.ts';
import { isProblemsSheet } from './annotation.ts';
import { addSheet, leaveOutMacros, type NewPart, PackageEdit } from './package-edit.ts';
import { type CellPatch, type SheetPatch, SheetPatcher } from './sheet-patch.ts';

/** A cell that gets another text. Row and column count from 0. */
export type CellChange = { row: number; column: number; text: string; isText: boolean };

/** The relations of workbooks of the strict kind. */
const STRICT_RELATIONS = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

/** In the first tags of a sheet that is the selected one. */
const SELECTED = /tabSelected\s*=\s*["'](?:1|true)/;

const NO_PATCH: SheetPatch = { cells: new Map(), styleOf: null, drawing: null, isDeselected: false };

/**
 * A user's workbook that is written again with a few of its cells changed. All else stays as it is: parts that do not
 * change are copied as they are packed, and of a changed sheet only the cells in question are touched.
 */
export class WorkbookEditor {
  readonly #archive: Archive;
  readonly #package: PackageEdit;
  readonly #workbook: Workbook;
  readonly #namespace: string;
  /** The begin of the types of relations to other parts. */
  readonly #relations: string;

  private constructor(archive: Archive, edit: PackageEdit, workbook: Workbook, root: XmlElement) {
    this.#archive = archive;
    this.#package = edit;
    this.#workbook = workbook;
    const prefix = prefixOf(root.tag);
    this.#namespace = attribute(root, prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`) ?? MAIN;
    this.#relations = this.#namespace.startsWith('http://purl.oclc.org/') ? STRICT_RELATIONS : RELATIONS;
  }

  static async open(archive: Archive): Promise<WorkbookEditor> {
    const edit = new PackageEdit(archive);
    const workbook = await readWorkbook(archive);
    await leaveOutMacros(edit, workbook.part);
    return new WorkbookEditor(archive, edit, workbook, await edit.edit(workbook.part));
  }

  /** Marks cells of a sheet, in place of the marks of an earlier annotation, and puts the sheet of problems in front. */
  async annotate(name: string, marks: readonly CellMark[], sheetOf: (names: string[]) => NewSheet): Promise<Buffer> {
    const { styles, part: stylesPart } = await this.#styles();
    await this.#mark(this.#sheet(name).part, marks, styles);
    const earlier: SheetOutline[] = [];
    for (const sheet of this.#workbook.sheets)
      if (await isProblemsSheet(this.#archive, this.#workbook, sheet)) earlier.push(sheet);
    const others = this.#workbook.sheets.filter((sheet) => !earlier.includes(sheet));
    await this.#deselect(others.filter((sheet) => sheet.name !== name));
    await addSheet(this.#package, {
      workbookPart: this.#workbook.part,
      removed: earlier.map(({ part }) => part),
      sheet: sheetOf(others.map((sheet) => sheet.name)),
      styles,
      namespace: this.#namespace,
      relations: this.#relations,
    });
    await this.#package.write(stylesPart, styles.toString());
    await this.#sign();
    return this.#package.save();
  }

  /** The texts of cells, by `row,column` from 0, as they are read. */
  async textsOf(name: string, rows: ReadonlySet<number>): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for await (const part of sheetParts(this.#archive, this.#sheet(name), this.#workbook.context)) {
      if (part.kind === 'fault') break;
      for (const [at, cells] of part.records.entries()) {
        const row = part.firstRow - 1 + at;
        if (rows.has(row)) for (const [column, text] of cells.entries()) texts.set(`${row},${column}`, text);
      }
    }
    return texts;
  }

  /** The headers of a sheet that name the columns of a table: formulas may know them by that name. */
  async tableHeaders(name: string): Promise<CellRange[]> {
    const headers: CellRange[] = [];
    for (const relation of await this.#package.relations(this.#sheet(name).part)) {
      const table = relation.kind === 'table' ? await this.#package.part(relation.part) : null;
      const range = table === null ? null : rangeOf(attribute(table.root, 'ref') ?? '');
      if (table !== null && range !== null && attribute(table.root, 'headerRowCount') !== '0')
        headers.push({ ...range, lastRow: range.firstRow });
    }
    return headers;
  }

  /** Cells of a sheet that share their formulas with other cells. */
  async sharedFormulas(name: string): Promise<CellRange[]> {
    return readSharedFormulas(this.#archive.texts(this.#sheet(name).part));
  }

  /** Writes other texts into cells of a sheet. */
  async change(name: string, changes: readonly CellChange[]): Promise<Buffer> {
    const { styles, part: stylesPart } = await this.#styles();
    const cells = byRow(changes, ({ column, text, isText }) => ({
      column,
      text,
      styleOf: (base) => (isText ? styles.ofText(base) : base),
    }));
    await this.#patch(this.#sheet(name).part, { ...NO_PATCH, cells });
    await this.#package.write(stylesPart, styles.toString());
    // The order in which formulas are calculated must not name a cell that has none any more. Programs find it out anew.
    for (const relation of await this.#package.relations(this.#workbook.part))
      if (relation.kind === 'calcChain') await this.#package.remove(this.#workbook.part, relation);
    return this.#package.save();
  }

  #sheet(name: string): SheetOutline {
    const sheet = this.#workbook.sheets.find((other) => other.name === name);
    assert(sheet !== undefined, 'a sheet that was read is in the workbook');
    return sheet;
  }

  /** Writes a sheet again. Returns the relation of the drawing of its comments, or null. */
  async #patch(part: string, patch: SheetPatch): Promise<string | null> {
    const patcher = new SheetPatcher(patch);
    await this.#package.write(part, patcher.patched(this.#archive.texts(part)));
    return patcher.drawing;
  }

  async #styles(): Promise<{ styles: StyleBook; part: string }> {
    const place = this.#newPart('styles', 'xl/styles', CONTENT.styles);
    const { part } = await this.#package.relatedOrNew(this.#workbook.part, place);
    return { styles: new StyleBook(await this.#package.text(part), this.#namespace), part };
  }

  async #mark(sheet: string, marks: readonly CellMark[], styles: StyleBook): Promise<void> {
    const known = await this.#package.related(sheet, 'comments');
    const xml = known === null ? null : await this.#package.text(known.part);
    const comments = new Comments(xml, this.#namespace, SAVED_BY);
    const gone = comments.cut(withoutOurs);
    const added: CellComment[] = [];
    for (const { row, column, comment } of marks)
      if (comment !== null && comments.add({ row, column, text: comment })) added.push({ row, column, text: comment });
    const isCommented = gone.size > 0 || marks.some(({ comment }) => comment !== null);
    const id = await this.#package.newId(sheet);
    const drawing = await this.#patch(sheet, {
      cells: byRow(marks, ({ column, severity, isText }) => ({
        column,
        styleOf: (base) => styles.marked(base, severity, isText),
      })),
      styleOf: styles.hasMarks ? (style) => styles.unmarked(style) : null,
      drawing: isCommented ? { id, namespace: this.#relations } : null,
      isDeselected: true,
    });
    if (!isCommented || drawing === null) return;
    const drawn =
      (await this.#package.relations(sheet)).find((relation) => relation.id === drawing) ??
      (await this.#package.add(sheet, this.#newPart('vmlDrawing', 'xl/drawings/vmlDrawing', CONTENT.vmlDrawing), id));
    await this.#package.write(drawn.part, withShapes(await this.#package.text(drawn.part), gone, added));
    const place = this.#newPart('comments', 'xl/comments', CONTENT.comments);
    const { part } = await this.#package.relatedOrNew(sheet, place);
    await this.#package.write(part, comments.toString());
  }

  #newPart(kind: string, begin: string, content: string): NewPart {
    return { kind, type: `${this.#relations}/${kind}`, begin, end: kind === 'vmlDrawing' ? '.vml' : '.xml', content };
  }

  /** A program that opens a workbook with two selected sheets writes into both what is typed into one. */
  async #deselect(sheets: readonly SheetOutline[]): Promise<void> {
    for (const { part } of sheets) {
      const { value: head = '' } = await this.#archive.texts(part).next();
      if (SELECTED.test(head)) await this.#patch(part, { ...NO_PATCH, isDeselected: true });
    }
  }

  /** Notes in the workbook that payrun saved it last. */
  async #sign(): Promise<void> {
    const known = await this.#package.related('', 'core-properties');
    if (known === null || !this.#package.has(known.part)) {
      const place = { type: CORE_RELATION, begin: 'docProps/core', end: '.xml', content: CONTENT.core };
      const { part } = await this.#package.add('', place);
      await this.#package.write(part, coreXml());
      return;
    }
    const core = await this.#package.edit(known.part);
    remove(core, ({ name }) => name === 'lastModifiedBy');
    insert(core, `<lastModifiedBy>${SAVED_BY}</lastModifiedBy>`);
  }
}

function byRow<T extends { row: number; column: number }>(
  places: readonly T[],
  patchOf: (place: T) => CellPatch,
): Map<number, CellPatch[]> {
  const cells = new Map<number, CellPatch[]>();
  for (const place of places.toSorted((a, b) => a.row - b.row || a.column - b.column)) {
    const ofRow = cells.get(place.row + 1);
    if (ofRow === undefined) cells.set(place.row + 1, [patchOf(place)]);
    else ofRow.push(patchOf(place));
  }
  return cells;
}
