import { z } from 'zod';
import { type Database, openDatabase } from '../../platform/sqlite.ts';
import { keptMark, type ShownMark } from '../check/cells-file.ts';
import { type NetEdits, type RowEdit, rowNow } from './edits.ts';

/** Which rows are wanted: all, those with problems or edits, those that were edited, or those with one kind of problem. */
export type Show = 'all' | 'problems' | 'edited' | { code: string };

/** `search` is a text in any cell. */
export type RowsFilter = { show: Show; search: string };

/** `from` counts the rows that are shown, from 0. `count` is at most `ROWS_MAX`. */
export type RowsQuery = RowsFilter & { from: number; count: number };

export const ROWS_MAX = 500;

/** A row as it is now. `marks` are of the last check; `isChecked` is false where the row was changed since. */
export type GridRow = {
  row: number;
  cells: string[];
  marks: ShownMark[];
  /** The columns of the cells that people changed, with what the file has in them. */
  edited: { column: number; old: string; by: string }[];
  isAdded: boolean;
  isChecked: boolean;
};

export type RowsPage = { total: number; rows: GridRow[] };

/** The problems of one kind that rows have. */
const gridKind = z.object({ code: z.string(), severity: z.enum(['error', 'warning']), rows: z.number() });
export type GridKind = z.output<typeof gridKind>;

const texts = z.array(z.string());
const numbers = z.array(z.number());
const stored = z.object({ n: z.number(), cells: z.string() });

/**
 * The rows of an input whose cells and problems are in an SQLite file (`app/check/cells-file.ts`), which was made when its
 * edits were `then`, as they are with the edits `now`: an edit shows at once, and its problems when it is checked.
 */
export class GridRows implements Disposable {
  readonly #database: Database;
  readonly #headerRow: number;
  readonly #then: NetEdits;
  readonly #now: NetEdits;

  constructor(path: string, { headerRow, then, now }: { headerRow: number; then: NetEdits; now: NetEdits }) {
    this.#database = openDatabase(path, { readOnly: true });
    this.#headerRow = headerRow;
    this.#then = then;
    this.#now = now;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** The number of the last row, of those too that were added or deleted. */
  get lastRow(): number {
    const last = Number(this.#database.prepare('SELECT max(n) AS n FROM sheet_row').get()?.n ?? 0);
    return Math.max(this.#headerRow, last, ...this.#now.keys());
  }

  /** The texts of a row; null where there is none, or none any more. */
  textsOf(row: number): string[] | null {
    const edit = this.#now.get(row);
    const found = this.#database.prepare('SELECT cells FROM sheet_row WHERE n = ?').get(row);
    if (row <= this.#headerRow || (found === undefined && !isThere(edit))) return null;
    return rowNow(found === undefined ? [] : textsIn(found.cells), this.#then.get(row), edit);
  }

  /** The numbers of the rows that are wanted, in their order. It looks at all of them. */
  numbers({ show, search }: RowsFilter): Uint32Array {
    const [where, values] = this.#filter(show, search);
    const sql = `SELECT json_group_array(n) AS numbers FROM (SELECT n FROM sheet_row WHERE ${where} ORDER BY n)`;
    const known = numbers.parse(JSON.parse(String(this.#database.prepare(sql).get(...values)?.numbers)));
    return Uint32Array.from(typeof show === 'object' || search !== '' ? known : [...known, ...this.#addedSince()]);
  }

  /** Some of the rows with these numbers. It looks at no others. */
  page(wanted: Uint32Array, { from, count }: Pick<RowsQuery, 'from' | 'count'>): RowsPage {
    const shown = [...wanted.subarray(from, from + Math.min(count, ROWS_MAX))];
    const sql = 'SELECT n, cells FROM sheet_row WHERE n IN (SELECT value FROM json_each(?))';
    const found = this.#database.prepare(sql).all(JSON.stringify(shown));
    const cells = new Map(found.map((each) => [stored.parse(each).n, stored.parse(each).cells]));
    const marks = this.#marksOf([...cells.keys()]);
    const rows = shown.map((n) => this.#row(n, textsIn(cells.get(n) ?? '[]'), marks.get(n) ?? []));
    return { total: wanted.length, rows };
  }

  /** Errors first, then what there is most of. */
  kinds(): GridKind[] {
    const sql = `SELECT code, severity, count(DISTINCT n) AS rows FROM mark WHERE n > ? AND n NOT IN (SELECT value FROM json_each(?))
      GROUP BY code, severity ORDER BY severity, rows DESC, code`;
    return this.#database
      .prepare(sql)
      .all(this.#headerRow, this.#deleted())
      .map((each) => gridKind.parse(each));
  }

  #filter(show: Show, search: string): [where: string, values: (string | number)[]] {
    const parts = ['n > ?', 'n NOT IN (SELECT value FROM json_each(?))'];
    const values: (string | number)[] = [this.#headerRow, this.#deleted()];
    const edited = JSON.stringify([...this.#now.keys()].filter((row) => isThere(this.#now.get(row))));
    const isEdited = 'n IN (SELECT value FROM json_each(?))';
    if (show === 'edited') parts.push(isEdited);
    else if (show === 'all') parts.push(`(NOT is_blank OR ${isEdited})`);
    else if (show === 'problems') parts.push(`(n IN (SELECT n FROM mark) OR ${isEdited})`);
    else parts.push('n IN (SELECT n FROM mark WHERE code = ?)');
    values.push(typeof show === 'object' ? show.code : edited);
    if (search === '') return [parts.join(' AND '), values];
    const escaped = JSON.stringify(search)
      .slice(1, -1)
      .replaceAll(/[\\%_]/g, '\\$&');
    return [[...parts, "cells LIKE ? ESCAPE '\\'"].join(' AND '), [...values, `%${escaped}%`]];
  }

  #deleted(): string {
    return JSON.stringify([...this.#now].flatMap(([row, { deleted }]) => (deleted === null ? [] : [row])));
  }

  /** The rows that were added when the file was made already, or are behind its last. */
  #addedSince(): number[] {
    const last = Number(this.#database.prepare('SELECT max(n) AS n FROM sheet_row').get()?.n ?? 0);
    const added = [...this.#now].flatMap(([row, edit]) => (row > last && isThere(edit) ? [row] : []));
    return added.sort((a, b) => a - b);
  }

  #row(row: number, cells: string[], marks: ShownMark[]): GridRow {
    const [then, now] = [this.#then.get(row), this.#now.get(row)];
    const edited = [...(now?.cells ?? [])].map(([column, { old, by }]) => ({ column, old, by }));
    return {
      row,
      cells: rowNow(cells, then, now) ?? [],
      marks,
      edited: edited.sort((one, other) => one.column - other.column),
      isAdded: now !== undefined && now.added !== null,
      isChecked: isSame(then, now),
    };
  }

  #marksOf(rows: readonly number[]): Map<number, ShownMark[]> {
    const sql = 'SELECT * FROM mark WHERE n IN (SELECT value FROM json_each(?)) ORDER BY severity, at, id';
    const byRow = Map.groupBy(this.#database.prepare(sql).all(JSON.stringify(rows)), ({ n }) => Number(n));
    return new Map([...byRow].map(([row, marks]) => [row, marks.map((mark) => keptMark.parse(mark))]));
  }
}

function textsIn(json: unknown): string[] {
  return texts.parse(JSON.parse(String(json)));
}

/** Whether a row that was edited is one: added and not deleted, or with cells that differ from the file's. */
function isThere(edit: RowEdit | undefined): boolean {
  return edit !== undefined && edit.deleted === null && (edit.added !== null || edit.cells.size > 0);
}

function isSame(then: RowEdit | undefined, now: RowEdit | undefined): boolean {
  const stateOf = (edit: RowEdit | undefined) => {
    const cells = [...(edit?.cells ?? [])].map(([column, { new: text }]) => `${column} ${text}`);
    return JSON.stringify([cells.sort(), (edit?.deleted ?? null) === null, (edit?.added ?? null) === null]);
  };
  return stateOf(then) === stateOf(now);
}
