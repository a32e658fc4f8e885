import { placeOfCell } from '../../../platform/xlsx/cell-names.ts';
import { attributeOf, XmlScanner } from '../../../platform/xlsx/xml-scanner.ts';

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

/** The column of `F17` (0 is A), or -1. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & ~0x20;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column - 1;
}

/** Finds the cells of a sheet whose text is not shown, because they are merged with one before them. */
export class CoveredCells {
  /** By their first rows, those that come last first. */
  readonly #left: CellRange[];
  /** Those that the row which was asked for last is in. */
  #open: CellRange[] = [];

  constructor(merges: readonly CellRange[]) {
    this.#left = merges.toSorted((a, b) => b.firstRow - a.firstRow);
  }

  /** The columns of a row's covered cells that are not empty, or null. The row counts from 0; rows come in their order. */
  of(row: number, texts: readonly string[]): number[] | null {
    if (this.#left.length === 0 && this.#open.length === 0) return null;
    for (let next = this.#left.at(-1); next !== undefined && next.firstRow <= row; next = this.#left.at(-1)) {
      this.#open.push(next);
      this.#left.pop();
    }
    this.#open = this.#open.filter(({ lastRow }) => lastRow >= row);
    const isCovered = (column: number) =>
      this.#open.some((merge) => isInRange(merge, row, column) && (row > merge.firstRow || column > merge.firstColumn));
    const covered = [...texts.keys()].filter((column) => texts[column]?.trim() !== '' && isCovered(column));
    return covered.length === 0 ? null : covered;
  }
}

/**
 * The cells of a sheet whose formulas are those of other cells too: a text in any of them would take the formula from
 * others. The first cell has the formula of a shared one; of an array no cell can be changed alone.
 */
export async function readSharedFormulas(texts: AsyncIterable<string>): Promise<CellRange[]> {
  const ranges: CellRange[] = [];
  let row = -1;
  let column = -1;
  const scanner = new XmlScanner({
    open(name, attributes) {
      const reference = attributeOf(attributes, name === 'f' ? 'ref' : 'r');
      if (name === 'row') {
        row = reference === null ? row + 1 : Number(reference) - 1;
        column = -1;
      } else if (name === 'c') column = reference === null ? column + 1 : columnOf(reference);
      else if (name === 'f' && reference?.includes(':')) {
        const isShared = attributeOf(attributes, 't') === 'shared';
        const first = { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column };
        const range = isShared ? first : rangeOf(reference);
        if (range !== null) ranges.push(range);
      }
    },
    close() {},
  });
  for await (const text of texts) scanner.push(text);
  return ranges;
}
