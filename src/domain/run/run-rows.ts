import { RUN_ENTRIES } from '../entries/run.ts';
import type { RunRow } from '../entry.ts';
import { SchemaReader } from '../lazy/schema-reader.ts';
import { assert } from '../refusal.ts';

/** The rows of a run, in the order of the input. */
export type RunRows = RunRow[] | PackedRows;

/** The row with that number; undefined where there is none. */
export function rowNumbered(rows: RunRows, number: number): RunRow | undefined {
  return Array.isArray(rows) ? rows.find(({ row }) => row === number) : rows.numbered(number);
}

/** The rows that may name accounts which the service does not have yet: every other one names one of the service's. */
export function rowsToAccounts(rows: RunRows): Iterable<RunRow> {
  return Array.isArray(rows) ? rows : rows.toAccounts();
}

/**
 * The rows of one entry, of which `first` is the place in the run. `least` and `most`: of their numbers. `hasAccounts`: not each
 * names an account of the service's.
 */
type Page = { first: number; least: number; most: number; hasAccounts: boolean; bytes: Uint8Array };

const reader = new SchemaReader(RUN_ENTRIES.rows);

/** What makes texts small, and gives them back. */
export type Packing = { pack(text: string): Uint8Array; unpack(bytes: Uint8Array): string };

/**
 * The rows of a run in a twentieth of the memory that they take as objects, to be gone through in order. What is read is
 * made anew each time.
 */
export class PackedRows {
  readonly #packing: Packing;
  readonly #pages: Page[] = [];
  /** The page that was last asked for a single row. */
  #last: { page: Page; rows: readonly RunRow[] } | null = null;
  #length = 0;

  constructor(packing: Packing) {
    this.#packing = packing;
  }

  get length(): number {
    return this.#length;
  }

  /** `text`: of the entry that holds them, which is made where it is not at hand. */
  add(rows: readonly RunRow[], text = JSON.stringify({ kind: 'rows', rows })): void {
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (const { row } of rows) [least, most] = [Math.min(least, row), Math.max(most, row)];
    const hasAccounts = rows.some(({ order }) => order !== null && order.destination.kind !== 'existing');
    this.#pages.push({ first: this.#length, least, most, hasAccounts, bytes: this.#packing.pack(text) });
    this.#length += rows.length;
  }

  /** From 0. */
  at(place: number): RunRow | undefined {
    const page = this.#pages[pageAt(this.#pages, place)];
    return page && this.#known(page)[place - page.first];
  }

  numbered(number: number): RunRow | undefined {
    return this.#pages
      .values()
      .filter(({ least, most }) => least <= number && number <= most)
      .map((page) => this.#known(page).find(({ row }) => row === number))
      .find((found) => found !== undefined);
  }

  *values(): Generator<RunRow, undefined> {
    for (const page of this.#pages) yield* this.#unpacked(page);
  }

  *toAccounts(): Generator<RunRow, undefined> {
    for (const page of this.#pages) if (page.hasAccounts) yield* this.#unpacked(page);
  }

  [Symbol.iterator](): Iterator<RunRow> {
    return this.values();
  }

  #known(page: Page): readonly RunRow[] {
    if (this.#last?.page !== page) this.#last = { page, rows: this.#unpacked(page) };
    return this.#last.rows;
  }

  /** By the schema, which gives members that earlier journals lack. */
  #unpacked({ bytes }: Page): readonly RunRow[] {
    const parsed = reader.read(JSON.parse(this.#packing.unpack(bytes)));
    assert(parsed.success, 'packed rows are no rows');
    return parsed.data.rows;
  }
}

/** The last of the pages that begins at a place or before it: a run has thousands. */
export function pageAt(pages: readonly { first: number }[], place: number): number {
  let [from, to] = [0, pages.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((pages[middle]?.first ?? 0) <= place) from = middle;
    else to = middle;
  }
  return from;
}
