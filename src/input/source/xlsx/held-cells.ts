import { placeOfCell } from '../../cells/cell-place.ts';
import { columnOf } from './sheet-rows.ts';
import { attributeOf, type XmlSink } from './xml-scanner.ts';

/** Cells by their corners. Rows and columns count from 0, both ends included. */
export type CellRange = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number };

/** The cells of `A1:C7` or `A1`; null for what is no range. */
export function rangeOf(reference: string): CellRange | null {
  const [from = '', to = from] = reference.split(':');
  const [first, last] = [placeOfCell(from), placeOfCell(to)];
  if (first === null || last === null) return null;
  return { firstRow: first.row, lastRow: last.row, firstColumn: first.column, lastColumn: last.column };
}

export function isInRange({ firstRow, lastRow, firstColumn, lastColumn }: CellRange, row: number, column: number) {
  return row >= firstRow && row <= lastRow && column >= firstColumn && column <= lastColumn;
}

/** Gathers the cells of a sheet's XML whose formulas are those of other cells too. */
export class SharedFormulas implements XmlSink {
  readonly isReadingText = false;
  /** A text in any of these cells would take the formula from others. */
  readonly ranges: CellRange[] = [];
  #row = 0;
  #column = -1;

  open(name: string, attributes: string): void {
    const reference = attributeOf(attributes, name === 'f' ? 'ref' : 'r');
    if (name === 'row') {
      this.#row = reference === null ? this.#row + 1 : Number(reference);
      this.#column = -1;
    } else if (name === 'c') this.#column = reference === null ? this.#column + 1 : columnOf(reference);
    else if (name === 'f' && reference?.includes(':')) this.#add(reference, attributeOf(attributes, 't') === 'shared');
  }

  close(): void {}

  text(): void {}

  /** The first cell has the formula of a shared one; of an array no cell can be changed alone. */
  #add(reference: string, isShared: boolean): void {
    const first = {
      firstRow: this.#row - 1,
      lastRow: this.#row - 1,
      firstColumn: this.#column,
      lastColumn: this.#column,
    };
    const range = isShared ? first : rangeOf(reference);
    if (range !== null) this.ranges.push(range);
  }
}
