import { existsSync } from 'node:fs';
import PQueue from 'p-queue';
import { z } from 'zod';
import { endForLog } from '../../app/launcher/launch.ts';
import { openDatabase } from '../../platform/sqlite.ts';
import { UnderWay, within } from '../once.ts';
import type { WebParts } from '../parts.ts';
import { fileOrderOf, type Upload } from './uploads.ts';

const cellMark = z.object({
  /** Its column, from 0; what is about the whole row is at -1. */
  at: z
    .number()
    .nullable()
    .transform((at) => at ?? -1),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  remedy: z.string(),
});

/** Why a cell, or a whole row, is marked. */
export type CellMark = z.output<typeof cellMark>;

/** One row as the file has it, with its marks by column. */
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

/**
 * The cells of uploads, written once to an SQLite file beside the file in a process of its own, so that any
 * hundred rows of a hundred thousand are shown at once.
 */
export class SheetCells {
  readonly #parts: WebParts;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #writing = new UnderWay<boolean>();

  constructor(parts: WebParts) {
    this.#parts = parts;
  }

  /** Whether the cells can be read, within `waitMs`; null while they are being written, false where that did not work. */
  async ready(upload: Upload, waitMs: number): Promise<boolean | null> {
    const path = this.#path(upload);
    if (existsSync(path)) return true;
    const written = this.#writing.of(path, () => this.#queue.add(() => this.#write(upload, path)));
    return within(this.#parts.deps.clock, written, waitMs);
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
        rows: rows.map((row) => {
          const n = Number(row.n);
          const own = (byRow.get(n) ?? []).map((mark) => cellMark.parse(mark));
          const cells = texts.parse(JSON.parse(String(row.cells)));
          return { n, cells, marks: Map.groupBy(own, ({ at }) => at) };
        }),
        last: number('SELECT max(n) AS n FROM sheet_row') ?? 0,
        before: number('SELECT max(n) AS n FROM mark WHERE n < ?', first),
        behind: number('SELECT min(n) AS n FROM mark WHERE n >= ?', until),
      };
    } finally {
      database.close();
    }
  }

  async #write(upload: Upload, path: string): Promise<boolean> {
    const { deps, uploads } = this.#parts;
    const file = fileOrderOf(upload, uploads, deps.jobs());
    const ended = await deps.tasks.check({ ...file, forgetColumns: false, copy: { kind: 'cells', path } });
    const isThere = existsSync(path);
    if (!isThere) deps.log.warn({ upload: upload.id, ...endForLog(ended) }, 'the cells of a file were not written');
    return isThere;
  }

  #path(upload: Upload): string {
    return this.#parts.uploads.beside(upload, `cells-${upload.revision}.db`);
  }
}
