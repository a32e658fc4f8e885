import { assert } from '../../../domain/refusal.ts';
import { type CellRange, rangeOf, SharedFormulas } from '../../source/xlsx/held-cells.ts';
import { addSheet } from '../../source/xlsx/sheet-list.ts';
import { sheetParts } from '../../source/xlsx/sheet-table.ts';
import type { Archive } from '../../source/xlsx/size-gate.ts';
import { textChunks } from '../../source/xlsx/text-chunks.ts';
import { readWorkbook, type SheetOutline, type Workbook } from '../../source/xlsx/workbook.ts';
import { XmlScanner } from '../../source/xlsx/xml-scanner.ts';
import { type CellMark, withoutOurs } from '../problem-marks.ts';
import { isProblemsSheet } from './annotation.ts';
import { type CellComment, CommentPart } from './comment-part.ts';
import { withShapes } from './comment-shapes.ts';
import type { NewSheet } from './new-sheet.ts';
import { kindOf, PackageEdit, type Relation } from './package-edit.ts';
import { type CellPatch, SheetPatcher } from './sheet-patch.ts';
import { StyleBook } from './style-book.ts';
import { CONTENT, coreXml, MAIN, SAVED_BY } from './workbook-writer.ts';
import { nodeAttribute, type XmlEdit } from './xml-edit.ts';

/** A cell that gets another text. Row and column count from 0. */
export type CellChange = { row: number; column: number; text: string; isText: boolean };

const CORE_RELATION = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';

/** A sheet that is the selected one says so soon. */
const SELECTED = /tabSelected\s*=\s*["'](?:1|true)/;

/**
 * A user's workbook that is written again with a few of its cells changed. All else stays as it is: parts that do not
 * change are taken as they are packed, and of a sheet that does nothing is touched but the cells meant.
 */
export class WorkbookEditor {
  readonly #archive: Archive;
  readonly #package: PackageEdit;
  readonly #workbook: Workbook;
  readonly #part: string;
  readonly #namespace: string;
  /** What the types of the relations to other parts begin with. */
  readonly #relations: string;

  private constructor(archive: Archive, edit: PackageEdit, workbook: Workbook, part: string, root: XmlEdit) {
    this.#archive = archive;
    this.#package = edit;
    this.#workbook = workbook;
    this.#part = part;
    const prefix = root.prefix === '' ? 'xmlns' : `xmlns:${root.prefix.slice(0, -1)}`;
    this.#namespace = nodeAttribute(root.root, prefix) ?? MAIN;
    const isStrict = this.#namespace.startsWith('http://purl.oclc.org/');
    this.#relations = isStrict
      ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
      : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  }

  static async open(archive: Archive): Promise<WorkbookEditor> {
    const edit = new PackageEdit(archive);
    const workbook = await readWorkbook(archive);
    const part = (await edit.relations('')).find((relation) => kindOf(relation) === 'officeDocument')?.part;
    assert(part !== undefined, 'a workbook that was read has its main part');
    return new WorkbookEditor(archive, edit, workbook, part, await edit.edit(part));
  }

  /** Marks cells of a sheet, in place of the marks of an earlier annotation, and puts the sheet of problems in front. */
  async annotate(name: string, marks: readonly CellMark[], sheetOf: (names: string[]) => NewSheet): Promise<Buffer> {
    const { styles, part: stylesPart } = await this.#styles();
    await this.#mark(this.#sheet(name), marks, styles);
    const earlier = await this.#earlierProblems();
    const others = this.#workbook.sheets.filter((sheet) => !earlier.includes(sheet));
    await this.#deselect(others.filter((sheet) => sheet.name !== name));
    await addSheet({
      edit: this.#package,
      workbookPart: this.#part,
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

  /** What cells hold, by `row,column` from 0, as they are read. */
  async textsOf(name: string, rows: ReadonlySet<number>): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    const { styles, is1904, sharedStrings } = this.#workbook;
    const { readSharedStrings } = await import('../../source/xlsx/shared-strings.ts');
    const context = { styles, is1904, sharedStrings: await readSharedStrings(this.#archive, sharedStrings) };
    for await (const part of sheetParts(this.#archive, this.#sheet(name), context)) {
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
      if (kindOf(relation) !== 'table') continue;
      const { root } = await this.#package.edit(relation.part);
      const range = rangeOf(nodeAttribute(root, 'ref') ?? '');
      if (range !== null && nodeAttribute(root, 'headerRowCount') !== '0')
        headers.push({ ...range, lastRow: range.firstRow });
    }
    return headers;
  }

  /** Cells of a sheet whose formulas are those of other cells too. */
  async sharedFormulas(name: string): Promise<CellRange[]> {
    const formulas = new SharedFormulas();
    const scanner = new XmlScanner(formulas);
    for await (const chunk of textChunks(this.#archive.chunks(this.#sheet(name).part))) scanner.push(chunk);
    return formulas.ranges;
  }

  /** Writes other texts into cells of a sheet. */
  async change(name: string, changes: readonly CellChange[]): Promise<Buffer> {
    const { styles, part: stylesPart } = await this.#styles();
    const cells = new Map<number, CellPatch[]>();
    for (const { row, column, text, isText } of changes)
      addTo(cells, row + 1, { column, text, styleOf: (base) => (isText ? styles.ofText(base) : base) });
    const patcher = new SheetPatcher({ cells: inOrder(cells), styleOf: null, drawing: null, isDeselected: false });
    const { part } = this.#sheet(name);
    await this.#package.write(part, patcher.patched(textChunks(this.#archive.chunks(part))));
    await this.#package.write(stylesPart, styles.toString());
    // In which order formulas are calculated: a cell that has none any more must not be named there, and programs find out anew.
    for (const relation of await this.#package.relations(this.#part))
      if (kindOf(relation) === 'calcChain') {
        await this.#package.unrelate(this.#part, relation.id);
        await this.#package.remove(relation.part);
      }
    return this.#package.save();
  }

  #sheet(name: string): SheetOutline {
    const sheet = this.#workbook.sheets.find((other) => other.name === name);
    assert(sheet !== undefined, 'a sheet that was read is in the workbook');
    return sheet;
  }

  async #styles(): Promise<{ styles: StyleBook; part: string }> {
    const { part, isNew } = await this.#partOf(this.#part, 'styles', 'xl/styles', '.xml', CONTENT.styles);
    return { styles: StyleBook.of(isNew ? null : await this.#package.text(part), this.#namespace), part };
  }

  async #mark({ part }: SheetOutline, marks: readonly CellMark[], styles: StyleBook): Promise<void> {
    const relations = await this.#package.relations(part);
    const known = relations.find((relation) => kindOf(relation) === 'comments');
    const comments = new CommentPart(known ? await this.#package.text(known.part) : null, this.#namespace, SAVED_BY);
    const gone = comments.cut(withoutOurs);
    const shapes: CellComment[] = [];
    const cells = new Map<number, CellPatch[]>();
    for (const { row, column, severity, comment, isText } of marks) {
      addTo(cells, row + 1, { column, styleOf: (base) => styles.marked(base, severity, isText) });
      const written = { row, column, text: comment ?? '' };
      if (comment !== null && comments.add(written)) shapes.push(written);
    }
    const isCommented = gone.size > 0 || marks.some(({ comment }) => comment !== null);
    const patcher = new SheetPatcher({
      cells: inOrder(cells),
      styleOf: styles.hasMarks ? (style) => styles.unmarked(style) : null,
      drawing: isCommented ? { id: await this.#package.newId(part), namespace: this.#relations } : null,
      isDeselected: true,
    });
    await this.#package.write(part, patcher.patched(textChunks(this.#archive.chunks(part))));
    if (!isCommented || patcher.drawing === null) return;
    const commentPart = await this.#partOf(part, 'comments', 'xl/comments', '.xml', CONTENT.comments);
    await this.#package.write(commentPart.part, comments.toString());
    await this.#draw(part, relations.find(({ id }) => id === patcher.drawing) ?? null, patcher.drawing, gone, shapes);
  }

  async #draw(
    sheet: string,
    known: Relation | null,
    id: string,
    gone: ReadonlySet<string>,
    shapes: readonly CellComment[],
  ): Promise<void> {
    const part = known?.part ?? this.#package.newName('xl/drawings/vmlDrawing', '.vml');
    if (known === null) {
      await this.#package.relate(sheet, { id, type: `${this.#relations}/vmlDrawing`, part });
      await this.#package.declare(part, CONTENT.vmlDrawing);
    }
    await this.#package.write(part, withShapes(await this.#package.text(part), gone, shapes));
  }

  /** The part that another is related to in that way, made known where there is none. */
  async #partOf(of: string, kind: string, begin: string, end: string, content: string) {
    const known = (await this.#package.relations(of)).find((relation) => kindOf(relation) === kind);
    if (known !== undefined) return { part: known.part, isNew: false };
    const part = this.#package.newName(begin, end);
    const id = await this.#package.newId(of);
    await this.#package.relate(of, { id, type: `${this.#relations}/${kind}`, part });
    await this.#package.declare(part, content);
    return { part, isNew: true };
  }

  async #earlierProblems(): Promise<SheetOutline[]> {
    const found: SheetOutline[] = [];
    for (const sheet of this.#workbook.sheets)
      if (await isProblemsSheet(this.#archive, this.#workbook, sheet)) found.push(sheet);
    return found;
  }

  /** A program that opens a workbook with two selected sheets writes into both what is typed into one. */
  async #deselect(sheets: readonly SheetOutline[]): Promise<void> {
    for (const { part } of sheets) {
      let head = '';
      for await (const chunk of textChunks(this.#archive.chunks(part))) {
        head = chunk;
        break;
      }
      if (!SELECTED.test(head)) continue;
      const patcher = new SheetPatcher({ cells: new Map(), styleOf: null, drawing: null, isDeselected: true });
      await this.#package.write(part, patcher.patched(textChunks(this.#archive.chunks(part))));
    }
  }

  /** Has the workbook say that payrun saved it last. */
  async #sign(): Promise<void> {
    const known = (await this.#package.relations('')).find((relation) => kindOf(relation) === 'core-properties');
    if (known === undefined || !this.#package.has(known.part)) {
      const part = this.#package.newName('docProps/core', '.xml');
      await this.#package.relate('', { id: await this.#package.newId(''), type: CORE_RELATION, part });
      await this.#package.declare(part, CONTENT.core);
      await this.#package.write(part, coreXml());
      return;
    }
    const core = await this.#package.edit(known.part);
    const element = `<${core.prefix}lastModifiedBy>${SAVED_BY}</${core.prefix}lastModifiedBy>`;
    const node = core.child('lastModifiedBy');
    if (node === null) core.append(core.root, element);
    else core.replace(node, element);
  }
}

function addTo(cells: Map<number, CellPatch[]>, row: number, patch: CellPatch): void {
  const ofRow = cells.get(row);
  if (ofRow === undefined) cells.set(row, [patch]);
  else ofRow.push(patch);
}

function inOrder(cells: Map<number, CellPatch[]>): Map<number, CellPatch[]> {
  for (const ofRow of cells.values()) ofRow.sort((a, b) => a.column - b.column);
  return cells;
}
