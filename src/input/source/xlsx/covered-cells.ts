import type { MergedCells } from './workbook.ts';

/** Which cells of a sheet hold a text that nobody sees, because they are merged with one before them. */
export class CoveredCells {
  /** By their first rows. */
  readonly #merges: readonly MergedCells[];
  #next = 0;
  /** Those that begin at or before the row that was asked for last and do not end before it. */
  #open: MergedCells[] = [];

  constructor(merges: readonly MergedCells[]) {
    this.#merges = merges.toSorted((a, b) => a.firstRow - b.firstRow);
  }

  /** The columns of the row's covered cells that are not empty, or null. Rows are asked for in their order. */
  of(row: number, texts: readonly string[]): number[] | null {
    if (this.#next === this.#merges.length && this.#open.length === 0) return null;
    for (let merge = this.#merges[this.#next]; merge !== undefined && merge.firstRow <= row; ) {
      this.#open.push(merge);
      this.#next++;
      merge = this.#merges[this.#next];
    }
    this.#open = this.#open.filter(({ lastRow }) => lastRow >= row);
    const covered = this.#open.flatMap((merge) => coveredIn(merge, row, texts));
    return covered.length === 0 ? null : covered;
  }
}

function coveredIn(
  { firstRow, firstColumn, lastColumn }: MergedCells,
  row: number,
  texts: readonly string[],
): number[] {
  const columns: number[] = [];
  for (let column = firstColumn; column <= lastColumn && column < texts.length; column++)
    if ((row > firstRow || column > firstColumn) && (texts[column] ?? '').trim() !== '') columns.push(column);
  return columns;
}
