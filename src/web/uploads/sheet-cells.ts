import { existsSync } from 'node:fs';
import PQueue from 'p-queue';
import { z } from 'zod';
import { endForLog } from '../../app/launcher/launch.ts';
import { openDatabase } from '../../platform/sqlite.ts';
import type { Dependencies } from '../parts.ts';
import { fileOrderOf, type Upload, type Uploads } from './uploads.ts';

/** Why a cell, or a whole row, is marked. */
export type CellMark = { severity: 'error' | 'warning'; message: string; remedy: string };

/** One row as the file has it. `marks` are by column, from 0; what is about the whole row stands at -1. */
export type SheetRow = { n: number; cells: readonly string[]; marks: ReadonlyMap<number, readonly CellMark[]> };

export type SheetPart = {
  rows: readonly SheetRow[];
  /** The number of the last row of the sheet. */
  last: number;
  /** The nearest rows with a problem before and behind these. */
  before: number | null;
  behind: number | null;
};

export const ROWS_SHOWN = 100;

const texts = z.array(z.string());
const severity = z.enum(['error', 'warning']);

/**
 * The cells of uploads, written once to an SQLite file beside the file in a process of its own, so that any
 * hundred rows of a hundred thousand are shown at once.
 */
export class SheetCells {
  readonly #deps: Dependencies;
  readonly #uploads: Uploads;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #running = new Map<string, Promise<boolean>>();

  constructor(deps: Dependencies, uploads: Uploads) {
    this.#deps = deps;
    this.#uploads = uploads;
  }

  /** Whether the cells can be read, within `waitMs`; null while they are being written, false where that did not work. */
  async ready(upload: Upload, waitMs: number): Promise<boolean | null> {
    if (existsSync(this.#path(upload))) return true;
    return Promise.race([this.#write(upload), this.#deps.clock.sleep(waitMs).then(() => null)]);
  }

  /** The rows from `first` on. */
  read(upload: Upload, first: number): SheetPart {
    const database = openDatabase(this.#path(upload), { readOnly: true });
    try {
      const until = first + ROWS_SHOWN;
      const number = (sql: string, ...values: number[]): number | null => {
        const found = database.prepare(sql).get(...values)?.n ?? null;
        return found === null ? null : Number(found);
      };
      const marks = database.prepare('SELECT * FROM mark WHERE n >= ? AND n < ? ORDER BY id').all(first, until);
      const byRow = Map.groupBy(marks, ({ n }) => Number(n));
      const rows = database.prepare('SELECT * FROM sheet_row WHERE n >= ? AND n < ? ORDER BY n').all(first, until);
      return {
        rows: rows.map(({ n, cells }) => ({
          n: Number(n),
          cells: texts.parse(JSON.parse(String(cells))),
          marks: marksOf(byRow.get(Number(n)) ?? []),
        })),
        last: number('SELECT max(n) AS n FROM sheet_row') ?? 0,
        before: number('SELECT max(n) AS n FROM mark WHERE n < ?', first),
        behind: number('SELECT min(n) AS n FROM mark WHERE n >= ?', until),
      };
    } finally {
      database.close();
    }
  }

  #write(upload: Upload): Promise<boolean> {
    const path = this.#path(upload);
    const running = this.#running.get(path);
    if (running !== undefined) return running;
    const begun = this.#queue
      .add(async () => {
        const file = fileOrderOf(upload, this.#uploads, this.#deps.jobs());
        const ended = await this.#deps.tasks.check({ ...file, forgetColumns: false, copy: { kind: 'cells', path } });
        const isThere = existsSync(path);
        if (!isThere)
          this.#deps.log.warn({ upload: upload.id, ...endForLog(ended) }, 'the cells of a file were not written');
        return isThere;
      })
      .finally(() => this.#running.delete(path));
    this.#running.set(path, begun);
    return begun;
  }

  #path(upload: Upload): string {
    return this.#uploads.beside(upload, `cells-${upload.revision}.db`);
  }
}

function marksOf(marks: readonly Record<string, unknown>[]): Map<number, CellMark[]> {
  const by = new Map<number, CellMark[]>();
  for (const { at, severity: said, message, remedy } of marks) {
    const column = at === null ? -1 : Number(at);
    const mark = { severity: severity.parse(said), message: String(message), remedy: String(remedy) };
    by.set(column, [...(by.get(column) ?? []), mark]);
  }
  return by;
}
