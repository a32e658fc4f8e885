import type { RowFacts } from '../cells/cell-facts.ts';

/** Finds the cells of the zero bytes of a text, which stand in its cells in the order in which they stand in the file. */
export class ZeroBytes {
  readonly #places: readonly number[];
  #next = 0;

  constructor(places: readonly number[]) {
    this.#places = places;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#places.length;
  }

  /** For each record the places of the zero bytes of its cells, or null; the records follow those of the last call. */
  factsOf(records: readonly (readonly string[])[]): (RowFacts | null)[] {
    return records.map((cells) => {
      const zeroBytes = new Map<number, number>();
      for (const [column, cell] of cells.entries()) {
        const count = cell.split('\0').length - 1;
        const place = this.#places[this.#next];
        if (count > 0 && place !== undefined) zeroBytes.set(column, place);
        this.#next = Math.min(this.#next + count, this.#places.length);
      }
      return zeroBytes.size === 0 ? null : { cells: null, isHidden: false, zeroBytes };
    });
  }
}
