import { cellName } from '../../header/columns.ts';
import { PassingText } from '../../source/xlsx/passing-text.ts';
import { columnOf } from '../../source/xlsx/sheet-rows.ts';
import { attributeOf, isTrue, XmlScanner, type XmlSink } from '../../source/xlsx/xml-scanner.ts';
import { textElement } from '../../source/xlsx/xml-text.ts';
import { closingOf, inUtf8, opened, withAttribute } from './xml-edit.ts';

/** A cell that gets another style and, where a text is given, that text in place of what it holds. Columns count from 0. */
export type CellPatch = { column: number; styleOf(base: number): number; text?: string };

export type SheetPatch = {
  /** By row, from 1; each row's in the order of their columns. */
  cells: ReadonlyMap<number, readonly CellPatch[]>;
  /** The style that every other cell gets; null where all keep theirs. */
  styleOf: ((style: number) => number) | null;
  /** How the drawing of the comments is related to the sheet, should it have none yet; null where none is needed. */
  drawing: { id: string; namespace: string } | null;
  /** Whether another sheet is the selected one from now on. */
  isDeselected: boolean;
};

/** What may stand behind the drawing of the comments: it must not come after any of these. */
const BEHIND_DRAWING: ReadonlySet<string> = new Set([
  'legacyDrawingHF',
  'drawingHF',
  'picture',
  'oleObjects',
  'controls',
  'webPublishItems',
  'tableParts',
  'extLst',
]);

const NO_CELLS: readonly CellPatch[] = [];

/**
 * A sheet's XML with some of its cells patched, as it streams by: nothing of it is held but the piece at hand, and all that
 * is not patched stays as it is, to the byte.
 */
export class SheetPatcher implements XmlSink {
  readonly isReadingText = false;
  /** How the drawing of the comments is related to the sheet; known at the end. */
  drawing: string | null = null;
  readonly #patch: SheetPatch;
  readonly #scanner = new XmlScanner(this);
  /** The rows with patches that are still to come. */
  readonly #rowsLeft: number[];
  readonly #columnStyles: { first: number; last: number; style: number }[] = [];
  #prefix = '';
  readonly #passing = new PassingText();
  #place: 'before' | 'rows' | 'behind' = 'before';
  #depth = 0;
  #row = 0;
  #rowStyle: number | null = null;
  #wanted = NO_CELLS;
  #next = 0;
  #column = -1;
  /** What takes the place of what is passed over. */
  #replacement: string | null = null;

  constructor(patch: SheetPatch) {
    this.#patch = patch;
    this.#rowsLeft = [...patch.cells.keys()].sort((a, b) => b - a);
  }

  async *patched(chunks: AsyncIterable<string>): AsyncGenerator<string> {
    let isFirst = true;
    for await (const chunk of chunks) {
      const text = isFirst ? inUtf8(chunk) : chunk;
      isFirst = false;
      this.#passing.push(text);
      this.#scanner.push(text);
      if (this.#replacement === null) this.#passing.copyTo(this.#scanner.taken);
      yield this.#passing.take(this.#scanner.taken);
    }
    this.#scanner.end();
  }

  open(name: string, attributes: string): void {
    if (this.#place === 'behind') this.#openBehind(name, attributes);
    else if (this.#place === 'before') this.#openBefore(name, attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'row') this.#openRow(attributes);
  }

  close(name: string): void {
    if (this.#place === 'rows') {
      if (name === 'c') this.#closeCell();
      else if (name === 'row') this.#closeRow();
      else if (name === 'sheetData') this.#closeRows();
    } else if (this.#place === 'behind') {
      if (this.#depth === 0) this.#addDrawing();
      this.#depth--;
    }
  }

  text(): void {}

  /** The tag at hand, as it is written. */
  get #tag(): string {
    return this.#passing.slice(this.#scanner.tagBegin, this.#scanner.tagEnd);
  }

  #copyToTag(): void {
    this.#passing.copyTo(this.#scanner.tagBegin);
  }

  #replaceTag(tag: string): void {
    this.#copyToTag();
    this.#passing.add(tag);
    this.#passing.skipTo(this.#scanner.tagEnd);
  }

  #endReplacement(): void {
    this.#passing.add(this.#replacement ?? '');
    this.#replacement = null;
    this.#passing.skipTo(this.#scanner.tagEnd);
  }

  #openBefore(name: string, attributes: string): void {
    if (name === 'worksheet') this.#prefix = /^<([\w.-]+:)?/.exec(this.#tag)?.[1] ?? '';
    else if (name === 'sheetView' && this.#patch.isDeselected)
      this.#replaceTag(withAttribute(this.#tag, 'tabSelected', null));
    else if (name === 'sheetData') this.#place = 'rows';
    else if (name === 'col') {
      const [first = 0, last = 0, style = 0] = ['min', 'max', 'style'].map((key) =>
        Number(attributeOf(attributes, key)),
      );
      this.#columnStyles.push({ first: first - 1, last: last - 1, style });
    }
  }

  #openRow(attributes: string): void {
    const written = attributeOf(attributes, 'r');
    this.#row = written === null ? this.#row + 1 : Number(written);
    this.#column = -1;
    this.#next = 0;
    this.#copyToTag();
    this.#addRowsBefore(this.#row);
    this.#wanted = NO_CELLS;
    if (this.#rowsLeft.at(-1) !== this.#row) return;
    this.#rowsLeft.pop();
    this.#wanted = this.#patch.cells.get(this.#row) ?? NO_CELLS;
    this.#rowStyle = isTrue(attributeOf(attributes, 'customFormat')) ? Number(attributeOf(attributes, 's') ?? 0) : null;
    // Where a row's cells begin and end is only a hint, and would be a wrong one.
    this.#replaceTag(opened(withAttribute(this.#tag, 'spans', null)));
  }

  #closeRow(): void {
    if (this.#wanted.length === 0) return;
    this.#copyToTag();
    this.#addCellsBefore(Number.POSITIVE_INFINITY);
    if (this.#tag.endsWith('/>')) this.#passing.add(closingOf(this.#tag));
    this.#wanted = NO_CELLS;
  }

  #closeRows(): void {
    this.#place = 'behind';
    if (this.#rowsLeft.length === 0) return;
    const tag = this.#tag;
    const isEmpty = tag.endsWith('/>');
    if (isEmpty) this.#replaceTag(opened(tag));
    else this.#copyToTag();
    this.#addRowsBefore(Number.POSITIVE_INFINITY);
    if (isEmpty) this.#passing.add(closingOf(tag));
  }

  #openCell(attributes: string): void {
    const { styleOf } = this.#patch;
    if (this.#wanted.length === 0 && styleOf === null) return;
    const reference = attributeOf(attributes, 'r');
    this.#column = reference === null ? this.#column + 1 : columnOf(reference);
    if (this.#wanted.length > 0) {
      this.#copyToTag();
      this.#addCellsBefore(this.#column);
    }
    const base = Number(attributeOf(attributes, 's') ?? 0);
    const patch = this.#wanted[this.#next];
    if (patch?.column === this.#column) {
      this.#next++;
      if (patch.text === undefined) this.#restyle(base, patch.styleOf(base));
      else this.#replacement = this.#cellXml(patch, base);
    } else if (styleOf !== null) this.#restyle(base, styleOf(base));
  }

  #closeCell(): void {
    if (this.#replacement !== null) this.#endReplacement();
  }

  #restyle(base: number, style: number): void {
    if (style !== base) this.#replaceTag(withAttribute(this.#tag, 's', String(style)));
  }

  #addRowsBefore(row: number): void {
    for (let next = this.#rowsLeft.at(-1); next !== undefined && next < row; next = this.#rowsLeft.at(-1)) {
      this.#rowsLeft.pop();
      const cells = (this.#patch.cells.get(next) ?? []).map((patch) => this.#cellXml(patch, null, next));
      this.#passing.add(`<${this.#prefix}row r="${next}">${cells.join('')}</${this.#prefix}row>`);
    }
  }

  /** Cells that the row does not have yet. */
  #addCellsBefore(column: number): void {
    for (let patch = this.#wanted[this.#next]; patch !== undefined && patch.column < column; ) {
      this.#passing.add(this.#cellXml(patch, this.#rowStyle));
      patch = this.#wanted[++this.#next];
    }
  }

  #cellXml(patch: CellPatch, base: number | null, row = this.#row): string {
    const { column, text, styleOf } = patch;
    const ofColumn = this.#columnStyles.find(({ first, last }) => column >= first && column <= last)?.style;
    const attributes = `r="${cellName(column, row)}" s="${styleOf(base ?? ofColumn ?? 0)}"`;
    const p = this.#prefix;
    if (text === undefined) return `<${p}c ${attributes}/>`;
    return `<${p}c ${attributes} t="inlineStr"><${p}is>${textElement(p, text)}</${p}is></${p}c>`;
  }

  #openBehind(name: string, attributes: string): void {
    if (this.#depth === 0 && name === 'legacyDrawing')
      this.drawing = /:id\s*=\s*["']([^"']*)/.exec(attributes)?.[1] ?? null;
    else if (this.#depth === 0 && BEHIND_DRAWING.has(name)) this.#addDrawing();
    this.#depth++;
  }

  #addDrawing(): void {
    const { drawing } = this.#patch;
    if (this.drawing !== null || drawing === null) return;
    this.drawing = drawing.id;
    this.#copyToTag();
    const name = `${this.#prefix}legacyDrawing`;
    this.#passing.add(`<${name} xmlns:r="${drawing.namespace}" r:id="${drawing.id}"/>`);
  }
}
