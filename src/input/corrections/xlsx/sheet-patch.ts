import { cellName } from '../../../platform/xlsx/cell-names.ts';
import { attributeOf, isTrue, XmlScanner, type XmlSink } from '../../../platform/xlsx/xml-scanner.ts';
import { textElement } from '../../../platform/xlsx/xml-text.ts';
import {
  attribute,
  closingTag,
  inUtf8,
  openTag,
  parsePart,
  prefixed,
  prefixOf,
  relationId,
  setAttribute,
  withAttribute,
  type XmlElement,
  type XmlNode,
  xmlOf,
} from '../../../platform/xlsx/xml-tree.ts';
import { columnOf } from '../../source/xlsx/cell-range.ts';

/** A cell that gets another style and, where a text is given, that text in place of its content. Columns count from 0. */
export type CellPatch = { column: number; styleOf(base: number): number; text?: string };

export type SheetPatch = {
  /** By row, from 1; each row's in the order of their columns. */
  cells: ReadonlyMap<number, readonly CellPatch[]>;
  /** The style that every other cell gets; null where all keep theirs. */
  styleOf: ((style: number) => number) | null;
  /** The relation of the drawing of the comments, for a sheet that has none yet; null where none is needed. */
  drawing: { id: string; namespace: string } | null;
  /** Whether another sheet is the selected one from now on. */
  isDeselected: boolean;
};

/** The elements that may stand behind the drawing of the comments: it must not come after any of these. */
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
 * A sheet's XML with some of its cells patched, as it streams by. It holds one row at most, and everything that is not
 * patched stays as it is, to the byte.
 */
export class SheetPatcher implements XmlSink {
  /** The relation of the drawing of the sheet's comments; known at the end. */
  drawing: string | null = null;
  readonly #patch: SheetPatch;
  readonly #scanner = new XmlScanner(this);
  /** The rows with patches that are still to come, the last one first. */
  readonly #rowsLeft: number[];
  readonly #columnStyles: { first: number; last: number; style: number }[] = [];
  #prefix = '';
  #place: 'before' | 'rows' | 'behind' = 'before';
  /** Of the elements behind the rows. */
  #depth = 0;
  #row = 0;
  #rowXml: string | null = null;
  #written = '';

  constructor(patch: SheetPatch) {
    this.#patch = patch;
    this.#rowsLeft = [...patch.cells.keys()].sort((a, b) => b - a);
  }

  async *patched(chunks: AsyncIterable<string>): AsyncGenerator<string> {
    let isFirst = true;
    for await (const chunk of chunks) {
      this.#scanner.push(isFirst ? inUtf8(chunk) : chunk);
      isFirst = false;
      yield this.#written;
      this.#written = '';
    }
    this.#scanner.end();
  }

  open(name: string, attributes: string): void {
    const { tag } = this.#scanner;
    if (this.#place === 'before') this.between(this.#tagBefore(name, attributes, tag));
    else if (this.#place === 'behind') this.#openBehind(name, tag);
    else {
      if (name === 'row') this.#openRow(attributes);
      this.between(tag);
    }
  }

  close(name: string): void {
    if (this.#place === 'rows' && name === 'sheetData') {
      this.#place = 'behind';
      this.#addRowsBefore(Number.POSITIVE_INFINITY);
    } else if (this.#place === 'behind') {
      if (this.#depth === 0) this.#addDrawing();
      this.#depth--;
    }
    this.between(this.#scanner.tag);
    if (this.#place === 'rows' && name === 'row') this.#closeRow();
  }

  between(raw: string): void {
    if (this.#rowXml === null) this.#written += raw;
    else this.#rowXml += raw;
  }

  #tagBefore(name: string, attributes: string, tag: string): string {
    switch (name) {
      case 'worksheet':
        this.#prefix = prefixOf(tag);
        return tag;
      case 'sheetView':
        return this.#patch.isDeselected ? withAttribute(tag, 'tabSelected', null) : tag;
      case 'col': {
        const number = (key: string) => Number(attributeOf(attributes, key));
        this.#columnStyles.push({ first: number('min') - 1, last: number('max') - 1, style: number('style') });
        return tag;
      }
      case 'sheetData':
        return this.#openRows(tag);
      default:
        return tag;
    }
  }

  /** A sheet without rows gets those with patches here. */
  #openRows(tag: string): string {
    this.#place = 'rows';
    if (!tag.endsWith('/>') || this.#rowsLeft.length === 0) return tag;
    this.between(openTag(tag));
    this.#addRowsBefore(Number.POSITIVE_INFINITY);
    return closingTag(tag);
  }

  #openRow(attributes: string): void {
    const written = attributeOf(attributes, 'r');
    this.#row = written === null ? this.#row + 1 : Number(written);
    this.#addRowsBefore(this.#row);
    if (this.#rowsLeft.at(-1) === this.#row || this.#patch.styleOf !== null) this.#rowXml = '';
  }

  #closeRow(): void {
    if (this.#rowXml === null) return;
    const { root } = parsePart(this.#rowXml);
    const isWanted = this.#rowsLeft.at(-1) === this.#row;
    if (isWanted) this.#rowsLeft.pop();
    this.#patchRow(root, isWanted ? (this.#patch.cells.get(this.#row) ?? NO_CELLS) : NO_CELLS);
    this.#rowXml = null;
    this.#written += xmlOf(root);
  }

  #patchRow(row: XmlElement, patches: readonly CellPatch[]): void {
    const rowStyle = isTrue(attribute(row, 'customFormat')) ? Number(attribute(row, 's') ?? 0) : null;
    const children: XmlNode[] = [];
    let next = 0;
    let column = -1;
    const addCellsBefore = (end: number) => {
      for (let patch = patches[next]; patch !== undefined && patch.column < end; patch = patches[++next])
        children.push(this.#cellXml(patch, this.#row, rowStyle));
    };
    for (const node of row.children) {
      if (typeof node === 'string' || node.name !== 'c') {
        children.push(node);
        continue;
      }
      const reference = attribute(node, 'r');
      column = reference === null ? column + 1 : columnOf(reference);
      addCellsBefore(column);
      const patch = patches[next]?.column === column ? patches[next++] : undefined;
      children.push(this.#patchedCell(node, patch));
    }
    addCellsBefore(Number.POSITIVE_INFINITY);
    if (patches.length === 0) return;
    // Where a row's cells begin and end is only a hint, and would be a wrong one.
    setAttribute(row, 'spans', null);
    if (row.end === '') row.end = closingTag(row.tag);
    row.tag = openTag(row.tag);
    row.children = children;
  }

  #patchedCell(cell: XmlElement, patch: CellPatch | undefined): XmlNode {
    const base = Number(attribute(cell, 's') ?? 0);
    if (patch?.text !== undefined) return this.#cellXml(patch, this.#row, base);
    const style = (patch ?? this.#patch).styleOf?.(base) ?? base;
    if (style !== base) setAttribute(cell, 's', style);
    return cell;
  }

  /** Writes the rows that the sheet does not have. */
  #addRowsBefore(row: number): void {
    for (let next = this.#rowsLeft.at(-1); next !== undefined && next < row; next = this.#rowsLeft.at(-1)) {
      this.#rowsLeft.pop();
      const cells = (this.#patch.cells.get(next) ?? NO_CELLS).map((patch) => this.#cellXml(patch, next, null));
      this.#written += `<${this.#prefix}row r="${next}">${cells.join('')}</${this.#prefix}row>`;
    }
  }

  /** A cell whose style was `base`, or, where there was no cell, the style of its row or its column. */
  #cellXml({ column, text, styleOf }: CellPatch, row: number, base: number | null): string {
    const ofColumn = this.#columnStyles.find(({ first, last }) => column >= first && column <= last)?.style;
    const begin = `<c r="${cellName(column, row)}" s="${styleOf(base ?? ofColumn ?? 0)}"`;
    const xml = text === undefined ? `${begin}/>` : `${begin} t="inlineStr"><is>${textElement('', text)}</is></c>`;
    return prefixed(xml, this.#prefix);
  }

  #openBehind(name: string, tag: string): void {
    if (this.#depth === 0 && name === 'legacyDrawing') this.drawing = relationId(tag);
    else if (this.#depth === 0 && BEHIND_DRAWING.has(name)) this.#addDrawing();
    this.#depth++;
    this.between(tag);
  }

  #addDrawing(): void {
    const { drawing } = this.#patch;
    if (this.drawing !== null || drawing === null) return;
    this.drawing = drawing.id;
    const { id, namespace } = drawing;
    this.#written += prefixed(`<legacyDrawing xmlns:r="${namespace}" r:id="${id}"/>`, this.#prefix);
  }
}
