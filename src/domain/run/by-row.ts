/**
 * Values by the numbers of rows, in the order in which the rows were added. Where each number is above the one before, as in
 * a file, it takes 16 bytes a row, half of what a `Map` does; nothing is removed.
 */
export class ByRow<Value> {
  readonly #rows: number[] = [];
  readonly #values: Value[] = [];
  /** Once a number came that is below one before. */
  #places: Map<number, number> | null = null;

  get size(): number {
    return this.#rows.length;
  }

  get(row: number): Value | undefined {
    const place = this.placeOf(row);
    return place === null ? undefined : this.#values[place];
  }

  has(row: number): boolean {
    return this.placeOf(row) !== null;
  }

  set(row: number, value: Value): this {
    const place = this.placeOf(row);
    if (place === null) this.#add(row, value);
    else this.#values[place] = value;
    return this;
  }

  /** Its place among the rows, from 0; null where it is not there. */
  placeOf(row: number): number | null {
    if (this.#places !== null) return this.#places.get(row) ?? null;
    // Of a file without empty rows this is it.
    const likely = row - (this.#rows[0] ?? 0);
    return this.#rows[likely] === row ? likely : this.#search(row);
  }

  keys(): IteratorObject<number, undefined> {
    return this.#rows.values();
  }

  values(): IteratorObject<Value, undefined> {
    return this.#values.values();
  }

  *[Symbol.iterator](): Generator<[number, Value], undefined> {
    for (const [place, row] of this.#rows.entries()) yield [row, this.#values[place] as Value];
  }

  #add(row: number, value: Value): void {
    if (this.#places === null && row < (this.#rows.at(-1) ?? 0))
      this.#places = new Map(this.#rows.entries().map(([place, number]) => [number, place]));
    this.#places?.set(row, this.#rows.length);
    this.#rows.push(row);
    this.#values.push(value);
  }

  #search(row: number): number | null {
    let [from, to] = [0, this.#rows.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#rows[middle] as number) < row) from = middle + 1;
      else to = middle;
    }
    return this.#rows[from] === row ? from : null;
  }
}
